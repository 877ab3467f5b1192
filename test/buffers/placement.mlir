// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// Auto mode: a tile is a buffer in shared memory without an address, allocated once per kernel.

// CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_90a"
// CHECK-LABEL: gpu.func @auto
// CHECK-SAME: (%[[P:[^:]*]]: !tirx.buffer<f32, global>) kernel
// CHECK-DAG: %[[S:.*]] = tirx.alloc : !tirx.buffer<16x16xf32, shared>
// CHECK-DAG: %[[D:.*]] = tirx.alloc : !tirx.buffer<1x16xf32, shared>
// CHECK: %[[X:.*]] = tirx.view %[[P]] offset %{{.*}} : !tirx.buffer<f32, global> -> !tirx.buffer<16x16xf32, global>
// CHECK: tirx.copy cta %[[X]] -> %[[S]] : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.prod cta %[[S]] -> %[[D]] axes [0] {strict}
// CHECK: %[[Y:.*]] = tirx.view %[[P]] offset {{.*}} -> !tirx.buffer<1x16xf32, global>
// CHECK: tirx.copy cta %[[D]] -> %[[Y]]
// CHECK: gpu.return
pto.kernel @auto(%p: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = make_tensor_view %p, shape = [%c16, %c16] strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  %y = partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %x : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  %d = tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %y : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}

// -----

// Manual mode: the address of `alloc_tile` is the buffer's.

// CHECK-LABEL: gpu.func @alloc_tile_address
// CHECK-DAG: tirx.alloc at 4096 : !tirx.buffer<16x16xf32, shared>
// CHECK-DAG: tirx.alloc at 8192 : !tirx.buffer<1x16xf32, shared>
pto.kernel @alloc_tile_address() {
  %a = arith.constant 0x1000 : i64
  %b = arith.constant 0x2000 : i64
  %s = alloc_tile addr = %a : !pto.tile_buf<vec, 16x16xf32>
  %d = alloc_tile addr = %b : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// `tassign` binds a tile buffer before it is used, and a tile value after it is computed.

// CHECK-LABEL: gpu.func @tassign
// CHECK-DAG: %[[S:.*]] = tirx.alloc at 4096 : !tirx.buffer<16x16xf32, shared>
// CHECK-DAG: %[[D:.*]] = tirx.alloc at 8192 : !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.copy cta %{{.*}} -> %[[S]]
// CHECK: tirx.prod cta %[[S]] -> %[[D]]
// CHECK-NOT: tassign
pto.kernel @tassign(%v: !pto.tensor_view<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  %s = alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tassign %s, @tile(0x1000)
  tassign %d, @tile(0x2000)
  tload ins(%x : !pto.partition_tensor_view<16x16xf32>) outs(%s : !pto.tile_buf<vec, 16x16xf32>)
  tcolprod ins(%s : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// CHECK-LABEL: gpu.func @tassign_value
// CHECK: %[[S:.*]] = tirx.alloc at 4096 : !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.copy cta %{{.*}} -> %[[S]]
pto.kernel @tassign_value(%v: !pto.tensor_view<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  %s = tload %x : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  tassign %s, @tile(0x1000)
}

// -----

// Two handles on the same bytes are the same storage, whatever their types.

// CHECK-LABEL: gpu.func @shared_bytes
// CHECK-DAG: %[[F:.*]] = tirx.alloc at 0 : !tirx.buffer<4x16xf32, shared>
// CHECK-DAG: %[[I:.*]] = tirx.alloc at 0 : !tirx.buffer<4x16xi32, shared>
// CHECK: tirx.copy cta %{{.*}} -> %[[F]]
// CHECK: gpu.barrier
// CHECK: tirx.max cta %[[I]] -> %{{.*}} axes [0] {strict} : !tirx.buffer<4x16xi32, shared>
pto.kernel @shared_bytes(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = arith.constant 0 : i64
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %f = alloc_tile addr = %a : !pto.tile_buf<vec, 4x16xf32>
  %i = alloc_tile addr = %a : !pto.tile_buf<vec, 4x16xi32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xi32>
  tload ins(%x : !pto.partition_tensor_view<4x16xf32>) outs(%f : !pto.tile_buf<vec, 4x16xf32>)
  tcolmax ins(%i : !pto.tile_buf<vec, 4x16xi32>) outs(%d : !pto.tile_buf<vec, 1x16xi32>)
}
