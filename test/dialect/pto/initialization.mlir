// RUN: pto-opt %s | pto-opt | FileCheck %s

// CHECK-LABEL: func.func @sequences
// CHECK: pto.tci %{{.*}} : i32 -> !pto.tile<1x64xi32>
// CHECK: pto.tci ins(%{{.*}} : i16) outs(%{{.*}} : !pto.tile_buf<vec, 4x64xui16, valid=1x?>) {descending = true}
func.func @sequences(%x: i32, %y: i16, %d: !pto.tile_buf<vec, 4x64xui16, valid=1x?>) {
  %0 = pto.tci %x {descending = false} : i32 -> !pto.tile<1x64xi32>
  pto.tci ins(%y : i16) outs(%d : !pto.tile_buf<vec, 4x64xui16, valid=1x?>) {descending = true}
  return
}
