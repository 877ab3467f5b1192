// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// Inside pto.kernel the operations of the dialect need no prefix.

// CHECK-LABEL: pto.kernel @plain_form
// CHECK-SAME: (%[[P:[^:]*]]: !pto.ptr<f32>)
// CHECK: %[[V:.*]] = make_tensor_view %[[P]], shape
// CHECK: %[[W:.*]] = partition_view %[[V]], offsets
// CHECK: %[[S:.*]] = tload %[[W]]
// CHECK: tassign %[[S]], @tile(0x1000)
// CHECK: %[[D:.*]] = tcolprod %[[S]] : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
// CHECK: alloc_tile valid_row
// CHECK: set_validshape
// CHECK: tcolprod ins(
// CHECK: get_block_idx
// CHECK: get_block_num
// CHECK: return
pto.kernel @plain_form(%p: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = make_tensor_view %p, shape = [%c16, %c16] strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  %s = tload %w : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  tassign %s, @tile(0x1000)
  %d = tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  %t = alloc_tile valid_row = %c16 : !pto.tile_buf<vec, 16x16xf32, valid=?x16>
  %r = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  set_validshape %t, %c1, %c16
  tcolprod ins(%t : !pto.tile_buf<vec, 16x16xf32, valid=?x16>) outs(%r : !pto.tile_buf<vec, 1x16xf32>)
  %i = get_block_idx
  %n = get_block_num
}

// -----

// The prefix is always allowed.

// CHECK-LABEL: pto.kernel @prefixed
// CHECK: get_block_idx
pto.kernel @prefixed(%p: !pto.ptr<f32>) {
  %i = pto.get_block_idx
  pto.return
}

// -----

// CHECK-LABEL: pto.kernel @arguments
// CHECK-SAME: !pto.ptr<f32>, %{{[^:]*}}: !pto.tensor_view<?x?xf32>, %{{[^:]*}}: i32, %{{[^:]*}}: f32, %{{[^:]*}}: index
pto.kernel @arguments(%a: !pto.ptr<f32>, %b: !pto.tensor_view<?x?xf32>, %c: i32, %d: f32, %e: index) {
}

// -----

// CHECK-LABEL: pto.kernel @no_arguments()
pto.kernel @no_arguments() {
  %i = get_block_idx
}

// -----

// CHECK-LABEL: pto.kernel @empty_body()
pto.kernel @empty_body() {
}

// -----

// CHECK: module attributes {pto.profile = "a5", pto.target = "sm_90a"}
// CHECK: pto.kernel @attributes() attributes {pto.block = 128 : i64, pto.grid = 4 : i64}
module attributes {pto.profile = "a5", pto.target = "sm_90a"} {
  pto.kernel @attributes() attributes {pto.block = 128, pto.grid = 4} {
    %i = get_block_idx
  }
}

// -----

// CHECK-LABEL: func.func @grid_of_a_function
// CHECK-SAME: attributes {pto.grid = 4 : i64}
func.func @grid_of_a_function(%p: !pto.ptr<f32>) attributes {pto.grid = 4} {
  return
}

// -----

// CHECK-LABEL: func.func @block_coordinates
// CHECK: %[[I:.*]] = pto.get_block_idx
// CHECK: %[[N:.*]] = pto.get_block_num
// CHECK: arith.addi %[[I]], %[[N]] : i64
func.func @block_coordinates() -> i64 {
  %i = pto.get_block_idx
  %n = pto.get_block_num
  %s = arith.addi %i, %n : i64
  return %s : i64
}
