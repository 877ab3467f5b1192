// RUN: pto-opt %s | pto-opt | FileCheck %s

// Modes go by their kinds, whatever their keys, and are left out where they are the default.

// CHECK-LABEL: func.func @values
// CHECK: pto.tcvt %{{.*}} : !pto.tile<16x32xf16> -> !pto.tile<16x32xf32>
// CHECK: pto.tcvt %{{.*}} {rmode = #pto<round_mode RINT>, sat = #pto<sat ON>} : !pto.tile<16x32xf32> -> !pto.tile<16x32xui8>
// CHECK: pto.tcvt %{{.*}} {other = 1 : i32} : !pto.tile<16x32xui8> -> !pto.tile<16x32xi64>
func.func @values(%a: !pto.tile<16x32xf16>) {
  %0 = pto.tcvt %a : !pto.tile<16x32xf16> -> !pto.tile<16x32xf32>
  %1 = pto.tcvt %0 {mode = #pto<round_mode rint>, saturate = #pto<sat ON>} : !pto.tile<16x32xf32> -> !pto.tile<16x32xui8>
  %2 = pto.tcvt %1 {rmode = #pto<round_mode NONE>, sat = #pto<sat OFF>, other = 1 : i32} : !pto.tile<16x32xui8> -> !pto.tile<16x32xi64>
  return
}

// CHECK-LABEL: func.func @buffers
// CHECK: pto.tcvt ins(%{{.*}} : !pto.tile_buf<vec, 16x32xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xi8>) {rmode = #pto<round_mode CEIL>}
// CHECK: pto.tcvt ins(%{{.*}} : !pto.tile_buf<vec, 16x32xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xi8>) {rmode = #pto<round_mode ODD>, sat = #pto<sat ON>}
func.func @buffers(%a: !pto.tile_buf<vec, 16x32xf32>, %d: !pto.tile_buf<vec, 16x32xi8>) {
  pto.tcvt ins(%a {rmode = #pto<round_mode CEIL>} : !pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x32xi8>)
  pto.tcvt ins(%a : !pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x32xi8>)
           {rmode = #pto<round_mode ODD>, sat = #pto<sat ON>}
  return
}

// In a kernel the dialect is the default one.

// CHECK-LABEL: pto.kernel @plain
// CHECK: tcvt %{{.*}} : !pto.tile<16x32xf32> -> !pto.tile<16x32xbf16>
pto.kernel @plain(%x: f32) {
  %a = texpands %x : f32 -> !pto.tile<16x32xf32>
  %d = tcvt %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xbf16>
}
