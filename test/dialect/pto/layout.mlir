// RUN: pto-opt %s | pto-opt | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK: pto.tmov %{{.*}} : !pto.tile<16x32xui8> -> !pto.tile<16x32xui8>
// CHECK: pto.ttrans %{{.*}} : !pto.tile<16x32xui8> -> !pto.tile<32x16xui8>
// CHECK: pto.tfillpad %{{.*}} : !pto.tile<32x16xui8> -> !pto.tile<40x64xui8, valid=33x60, pad=2>
func.func @values(%a: !pto.tile<16x32xui8>) {
  %b = pto.tmov %a : !pto.tile<16x32xui8> -> !pto.tile<16x32xui8>
  %c = pto.ttrans %b : !pto.tile<16x32xui8> -> !pto.tile<32x16xui8>
  %d = pto.tfillpad %c : !pto.tile<32x16xui8> -> !pto.tile<40x64xui8, valid=33x60, pad=2>
  return
}

// A scratch tile is read past.

// CHECK-LABEL: func.func @scratch
// CHECK: pto.ttrans ins(%{{[^,]*}} : !pto.tile_buf<vec, 16x32xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 32x16xf32>)
func.func @scratch(%a: !pto.tile_buf<vec, 16x32xf32>, %d: !pto.tile_buf<vec, 32x16xf32>) {
  pto.ttrans ins(%a, %d : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 32x16xf32>) outs(%d : !pto.tile_buf<vec, 32x16xf32>)
  return
}
