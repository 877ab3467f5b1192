// RUN: pto-opt %s | pto-opt | FileCheck %s
// RUN: pto-opt %s --mlir-print-op-generic | pto-opt | FileCheck %s

// Values, buffers and the plain form.

// CHECK-LABEL: func.func @values
// CHECK: pto.tadd %{{.*}}, %{{.*}} : !pto.tile<16x32xf32>, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
// CHECK: pto.tfma %{{.*}}, %{{.*}}, %{{.*}} fastmath<contract> : !pto.tile<16x32xf32>, !pto.tile<16x32xf32>, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
// CHECK: pto.tneg %{{.*}} : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
func.func @values(%a: !pto.tile<16x32xf32>, %b: !pto.tile<16x32xf32>) {
  %c = pto.tadd %a, %b : !pto.tile<16x32xf32>, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  %d = pto.tfma %a, %b, %c fastmath<contract> : !pto.tile<16x32xf32>, !pto.tile<16x32xf32>, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  %e = pto.tneg %d : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  return
}

// CHECK-LABEL: func.func @buffers
// CHECK: pto.tadd ins(%{{.*}}, %{{.*}} : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xf32>) {dispatch = "scalar"}
// CHECK: pto.tnot ins(%{{.*}} : !pto.tile_buf<vec, 16x32xi32>) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xi32>)
func.func @buffers(%a: !pto.tile_buf<vec, 16x32xf32>, %i: !pto.tile_buf<vec, 16x32xi32>) {
  pto.tadd ins(%a, %a : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>)
           outs(%a : !pto.tile_buf<vec, 16x32xf32>) {dispatch = "scalar"}
  pto.tnot ins(%i : !pto.tile_buf<vec, 16x32xi32>) outs(%i : !pto.tile_buf<vec, 16x32xi32>)
  return
}

// CHECK-LABEL: pto.kernel @plain
// CHECK: tmul %{{.*}}, %{{.*}} : !pto.tile<1x1xui8>, !pto.tile<1x1xui8> -> !pto.tile<1x1xui8>
pto.kernel @plain(%v: !pto.tensor_view<1x1xui8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c1]
     : !pto.tensor_view<1x1xui8> -> !pto.partition_tensor_view<1x1xui8>
  %a = tload %w : !pto.partition_tensor_view<1x1xui8> -> !pto.tile<1x1xui8>
  %d = tmul %a, %a : !pto.tile<1x1xui8>, !pto.tile<1x1xui8> -> !pto.tile<1x1xui8>
}

// A mask has the bits of eight columns in a byte. An attribute goes by its kind, wherever it stands
// and whatever its key.

// CHECK-LABEL: func.func @masks
// CHECK-COUNT-3: pto.tcmp ins({{.*}}) outs({{.*}} : !pto.tile_buf<vec, 4x3xui8>) {cmp = #pto<cmp LE>}
// CHECK: pto.tcmp {{.*}} {cmp = #pto<cmp NE>} : !pto.tile<4x20xf32>, !pto.tile<4x20xf32> -> !pto.tile<4x32xi8>
// CHECK: pto.tsel ins({{.*}} : !pto.tile_buf<vec, 4x3xui8>, !pto.tile_buf<vec, 4x20xf32>, !pto.tile_buf<vec, 4x20xf32>)
func.func @masks(%a: !pto.tile_buf<vec, 4x20xf32>, %m: !pto.tile_buf<vec, 4x3xui8>, %v: !pto.tile<4x20xf32>) {
  pto.tcmp ins(%a, %a : !pto.tile_buf<vec, 4x20xf32>, !pto.tile_buf<vec, 4x20xf32>)
           outs(%m : !pto.tile_buf<vec, 4x3xui8>) {cmp = #pto<cmp LE>}
  pto.tcmp ins(%a, %a {mode = #pto<cmp le>} : !pto.tile_buf<vec, 4x20xf32>, !pto.tile_buf<vec, 4x20xf32>)
           outs(%m : !pto.tile_buf<vec, 4x3xui8>)
  pto.tcmp ins(%a, %a : !pto.tile_buf<vec, 4x20xf32>, !pto.tile_buf<vec, 4x20xf32>)
           outs(%m : !pto.tile_buf<vec, 4x3xui8>) {mode = #pto<cmp LE>}
  %w = pto.tcmp %v, %v {cmp = #pto<cmp NE>} : !pto.tile<4x20xf32>, !pto.tile<4x20xf32> -> !pto.tile<4x32xi8>
  pto.tsel ins(%m, %a, %a : !pto.tile_buf<vec, 4x3xui8>, !pto.tile_buf<vec, 4x20xf32>, !pto.tile_buf<vec, 4x20xf32>)
           outs(%a : !pto.tile_buf<vec, 4x20xf32>)
  return
}

// The published specification's types.

// CHECK-LABEL: func.func @profile
module attributes {pto.profile = "a5"} {
  func.func @profile(%a: !pto.tile<4x4xui8>, %b: !pto.tile<4x4xbf16>, %c: !pto.tile<4x4xi64>) {
    %0 = pto.tadd %a, %a : !pto.tile<4x4xui8>, !pto.tile<4x4xui8> -> !pto.tile<4x4xui8>
    %1 = pto.tdiv %b, %b : !pto.tile<4x4xbf16>, !pto.tile<4x4xbf16> -> !pto.tile<4x4xbf16>
    %2 = pto.tshl %c, %c : !pto.tile<4x4xi64>, !pto.tile<4x4xi64> -> !pto.tile<4x4xi64>
    return
  }
}

// CHECK-LABEL: func.func @transcendental
// CHECK: pto.texp %{{.*}} fastmath<afn> : !pto.tile<4x16xf16> -> !pto.tile<4x16xf16>
// CHECK: pto.trsqrt %{{.*}} : !pto.tile<4x16xf16> -> !pto.tile<4x16xf16>
func.func @transcendental(%a: !pto.tile<4x16xf16>) {
  %b = pto.texp %a fastmath<afn> : !pto.tile<4x16xf16> -> !pto.tile<4x16xf16>
  %c = pto.trsqrt %b : !pto.tile<4x16xf16> -> !pto.tile<4x16xf16>
  return
}
