// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[W:[^:]*]]: !pto.partition_tensor_view<16x16xf32>
// CHECK: %[[T:.*]] = pto.tload %[[W]] : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
// CHECK: pto.tstore %[[T]], %[[W]] : !pto.tile<16x16xf32>, !pto.partition_tensor_view<16x16xf32>
func.func @values(%w: !pto.partition_tensor_view<16x16xf32>) {
  %t = pto.tload %w : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  pto.tstore %t, %w : !pto.tile<16x16xf32>, !pto.partition_tensor_view<16x16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @buffers
// CHECK-SAME: %[[W:[^:]*]]: !pto.partition_tensor_view<16x16xf32>, %[[T:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>
// CHECK: pto.tload ins(%[[W]] : !pto.partition_tensor_view<16x16xf32>) outs(%[[T]] : !pto.tile_buf<vec, 16x16xf32>)
// CHECK: pto.tstore ins(%[[T]] : !pto.tile_buf<vec, 16x16xf32>) outs(%[[W]] : !pto.partition_tensor_view<16x16xf32>)
func.func @buffers(%w: !pto.partition_tensor_view<16x16xf32>, %t: !pto.tile_buf<vec, 16x16xf32>) {
  pto.tload ins(%w : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%w : !pto.partition_tensor_view<16x16xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @attributes
// CHECK: pto.tload %{{.*}} {dispatch = "scalar"} : !pto.partition_tensor_view
// CHECK: pto.tstore %{{.*}}, %{{.*}} {dispatch = "scalar"} : !pto.tile
// CHECK: pto.tload ins({{.*}}) outs({{.*}}) {dispatch = "scalar"}
func.func @attributes(%w: !pto.partition_tensor_view<16x16xf32>, %b: !pto.tile_buf<vec, 16x16xf32>) {
  %t = pto.tload %w {dispatch = "scalar"} : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  pto.tstore %t, %w {dispatch = "scalar"} : !pto.tile<16x16xf32>, !pto.partition_tensor_view<16x16xf32>
  pto.tload ins(%w : !pto.partition_tensor_view<16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>) {dispatch = "scalar"}
  return
}

// -----

// The window has the shape of the valid region, not of the tile.

// CHECK-LABEL: func.func @valid_region
// CHECK: pto.tload
func.func @valid_region(%w: !pto.partition_tensor_view<3x5xf32>, %t: !pto.tile_buf<vec, 16x16xf32, valid=3x5>) {
  pto.tload ins(%w : !pto.partition_tensor_view<3x5xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32, valid=3x5>)
  return
}

// -----

// What is not known is compared at run time.

// CHECK-LABEL: func.func @dynamic
// CHECK-COUNT-2: pto.tload
func.func @dynamic(%w: !pto.partition_tensor_view<?x5xf32>, %t: !pto.tile_buf<vec, 16x16xf32, valid=3x5>,
                   %v: !pto.partition_tensor_view<3x5xf32>, %u: !pto.tile_buf<vec, 16x16xf32, valid=?x?>) {
  pto.tload ins(%w : !pto.partition_tensor_view<?x5xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32, valid=3x5>)
  pto.tload ins(%v : !pto.partition_tensor_view<3x5xf32>) outs(%u : !pto.tile_buf<vec, 16x16xf32, valid=?x?>)
  return
}

// -----

// Dimensions of 1 do not count, wherever they stand; a window of rank 1 is one row.

// CHECK-LABEL: func.func @unit_dimensions
// CHECK-COUNT-4: pto.tload
func.func @unit_dimensions(%a: !pto.partition_tensor_view<16xf32>, %b: !pto.partition_tensor_view<1x4x1x16xf32>,
                           %c: !pto.partition_tensor_view<4x1x16xf32>, %d: !pto.partition_tensor_view<1x1x1x4x16xf32>) {
  %0 = pto.tload %a : !pto.partition_tensor_view<16xf32> -> !pto.tile<1x16xf32>
  %1 = pto.tload %b : !pto.partition_tensor_view<1x4x1x16xf32> -> !pto.tile<4x16xf32>
  %2 = pto.tload %c : !pto.partition_tensor_view<4x1x16xf32> -> !pto.tile<4x16xf32>
  %3 = pto.tload %d : !pto.partition_tensor_view<1x1x1x4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

// A profile restricts arithmetic, not data movement.

// CHECK-LABEL: module attributes {pto.profile = "a2a3"}
// CHECK: pto.tload
module attributes {pto.profile = "a2a3"} {
  func.func @any_element_type(%w: !pto.partition_tensor_view<4x16xui64>) {
    %0 = pto.tload %w : !pto.partition_tensor_view<4x16xui64> -> !pto.tile<4x16xui64>
    return
  }
}
