// RUN: pto-opt --split-input-file --pass-pipeline='builtin.module(inline,pto-to-tirx,canonicalize,cse)' %s | FileCheck %s

// Helper functions are inlined before the pass sees their callers.

// CHECK-LABEL: gpu.func @kernel
// CHECK: tirx.copy cta
// CHECK: gpu.barrier
// CHECK: tirx.prod cta
// CHECK-NOT: call
// CHECK-NOT: @product
func.func private @product(%s: !pto.tile_buf<vec, 4x16xf32>, %d: !pto.tile_buf<vec, 1x16xf32>) {
  pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  return
}
pto.kernel @kernel(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tload ins(%w : !pto.partition_tensor_view<4x16xf32>) outs(%s : !pto.tile_buf<vec, 4x16xf32>)
  func.call @product(%s, %d) : (!pto.tile_buf<vec, 4x16xf32>, !pto.tile_buf<vec, 1x16xf32>) -> ()
}

// -----

// A helper may return a tile value.

// CHECK-LABEL: gpu.func @tile_result
// CHECK: tirx.copy cta
// CHECK: tirx.prod cta
func.func private @load(%v: !pto.tensor_view<4x16xf32>) -> !pto.tile<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %t = pto.tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  return %t : !pto.tile<4x16xf32>
}
func.func @tile_result(%v: !pto.tensor_view<4x16xf32>) {
  %s = func.call @load(%v) : (!pto.tensor_view<4x16xf32>) -> !pto.tile<4x16xf32>
  %d = pto.tcolprod %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  pto.tassign %d, @tile(0x1000)
  return
}

// -----

// A private helper is no kernel even if its arguments would do for one.

// CHECK-LABEL: gpu.func @calls_scalar_helper
// CHECK-NOT: gpu.func @scalar_helper
func.func private @scalar_helper(%i: index) {
  gpu.printf "%d", %i : index
  return
}
func.func @calls_scalar_helper(%i: index) {
  func.call @scalar_helper(%i) : (index) -> ()
  return
}
