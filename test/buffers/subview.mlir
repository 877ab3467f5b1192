// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// A window is a part of the tile's buffer; where it lies is checked if that is not known.

// CHECK-LABEL: gpu.func @window
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK: %[[T:.*]] = tirx.alloc : !tirx.buffer<32x64xf32, shared>
// CHECK: cf.assert %{{.*}}, "'pto.subview' op window leaves the 32 rows of the tile"
// CHECK: %[[W:.*]] = tirx.subview %[[T]][%[[I]], %c16] {{.*}} -> !tirx.buffer<8x16xf32, shared, strides = [64, 1]>
// CHECK: tirx.map cta "neg"(%[[W]]) -> %[[W]]
pto.kernel @window(%i: index) {
  %c16 = arith.constant 16 : index
  %t = alloc_tile : !pto.tile_buf<vec, 32x64xf32>
  %w = subview %t[%i, %c16] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  tneg ins(%w : !pto.tile_buf<vec, 8x16xf32>) outs(%w : !pto.tile_buf<vec, 8x16xf32>)
}

// -----

// Windows beside each other do not depend on each other, and are not copied.

// CHECK-LABEL: gpu.func @beside
// CHECK-NOT: gpu.barrier
// CHECK-NOT: tirx.copy
// CHECK: tirx.fused cta {
// CHECK-NEXT: tirx.map cta "neg"
// CHECK-NEXT: tirx.map cta "abs"
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
pto.kernel @beside(%i: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %s = alloc_tile : !pto.tile_buf<vec, 8x16xf32>
  %t = alloc_tile : !pto.tile_buf<vec, 8x64xf32>
  %a = subview %t[%c0, %c0] sizes [8, 16]
     : !pto.tile_buf<vec, 8x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  %b = subview %t[%c0, %c16] sizes [8, 16]
     : !pto.tile_buf<vec, 8x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  tneg ins(%s : !pto.tile_buf<vec, 8x16xf32>) outs(%a : !pto.tile_buf<vec, 8x16xf32>)
  tabs ins(%s : !pto.tile_buf<vec, 8x16xf32>) outs(%b : !pto.tile_buf<vec, 8x16xf32>)
}

// -----

// Windows that may overlap, shifted against each other: the source is copied first.

// CHECK-LABEL: gpu.func @shifted
// CHECK: tirx.copy cta
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "neg"
pto.kernel @shifted(%i: index) {
  %c0 = arith.constant 0 : index
  %t = alloc_tile : !pto.tile_buf<vec, 32x64xf32>
  %a = subview %t[%c0, %c0] sizes [8, 64]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x64xf32>
  %b = subview %t[%i, %c0] sizes [8, 64]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x64xf32>
  tneg ins(%a : !pto.tile_buf<vec, 8x64xf32>) outs(%b : !pto.tile_buf<vec, 8x64xf32>)
}
