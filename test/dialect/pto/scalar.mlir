// RUN: pto-opt %s | pto-opt | FileCheck %s

// A tile and a scalar, in either order. The scalar of an unsigned tile has no sign.

// CHECK-LABEL: func.func @orders
// CHECK: pto.tsubs %{{.*}}, %{{.*}} : !pto.tile<16x32xf32>, f32 -> !pto.tile<16x32xf32>
// CHECK: pto.tsubs %{{.*}}, %{{.*}} : f32, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
// CHECK: pto.tshls ins(%{{.*}}, %{{.*}} : !pto.tile_buf<vec, 16x32xui8>, i8) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xui8>)
// CHECK: pto.texpands ins(%{{.*}} : i8) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xui8>)
// CHECK: pto.tcmps ins(%{{.*}}, %{{.*}} : i8, !pto.tile_buf<vec, 16x32xui8>) outs(%{{.*}} : !pto.tile_buf<vec, 16x4xi8>) {cmp = #pto<cmp GE>}
// CHECK: pto.tsels ins(%{{.*}}, %{{.*}}, %{{.*}} : !pto.tile_buf<vec, 16x4xi8>, !pto.tile_buf<vec, 16x32xui8>, i8) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xui8>)
func.func @orders(%a: !pto.tile<16x32xf32>, %x: f32, %b: !pto.tile_buf<vec, 16x32xui8>, %y: i8, %m: !pto.tile_buf<vec, 16x4xi8>) {
  %c = pto.tsubs %a, %x : !pto.tile<16x32xf32>, f32 -> !pto.tile<16x32xf32>
  %d = pto.tsubs %x, %a : f32, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  pto.tshls ins(%b, %y : !pto.tile_buf<vec, 16x32xui8>, i8) outs(%b : !pto.tile_buf<vec, 16x32xui8>)
  pto.texpands ins(%y : i8) outs(%b : !pto.tile_buf<vec, 16x32xui8>)
  pto.tcmps ins(%y, %b {cmp = #pto<cmp GE>} : i8, !pto.tile_buf<vec, 16x32xui8>) outs(%m : !pto.tile_buf<vec, 16x4xi8>)
  pto.tsels ins(%m, %b, %y : !pto.tile_buf<vec, 16x4xi8>, !pto.tile_buf<vec, 16x32xui8>, i8) outs(%b : !pto.tile_buf<vec, 16x32xui8>)
  return
}
