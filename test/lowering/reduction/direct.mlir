// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Four loads before the arithmetic, two accumulators; what does not fill four reads where elements
// are, and counts as 1.

// CHECK-LABEL: gpu.func @columns
// CHECK-SAME: chosen = "direct"
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[CTAS:.*]] = gpu.grid_dim x
// CHECK: scf.for %{{.*}} = %[[CTA]] to %{{.*}} step %[[CTAS]] {
// CHECK: %[[LOOP:.*]]:4 = scf.for
// CHECK-COUNT-4: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK-NOT: vector.load
// CHECK-COUNT-4: arith.mulf {{.*}} : vector<4xf32>
// CHECK-NOT: arith.mulf
// CHECK: scf.yield
// CHECK: arith.cmpi slt, %[[LOOP]]#0,
// CHECK: scf.if
// CHECK: vector.load
// CHECK: arith.select {{.*}} : index
// CHECK: vector.load
// CHECK: arith.select {{.*}} : vector<4xf32>
// CHECK: gpu.barrier
// CHECK: memref.store {{.*}}strided<[1]>
// CHECK: gpu.barrier
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: !tirx.buffer<?x?xf32, global, strides = [1, ?]>,
      %y: !tirx.buffer<?xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] {split = 1, vector = 4, unroll = 4, threads = array<i64: 4, 32>}
      : !tirx.buffer<?x?xf32, global, strides = [1, ?]> -> !tirx.buffer<?xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// By rows, a warp for each: no shared memory. The elements that fill no vector come last.

// CHECK-LABEL: gpu.func @rows
// CHECK-SAME: pto.shared_bytes = 0
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: scf.if
// CHECK: memref.load
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: memref.store
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%x: !tirx.buffer<?x?xf32, global, strides = [?, 1]>,
      %y: !tirx.buffer<?xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [1] {split = 1, vector = 4, unroll = 1, threads = array<i64: 32, 4>}
      : !tirx.buffer<?x?xf32, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// Bytes are summed four at a time, vectors as 64 bits.

// CHECK-LABEL: gpu.func @bytes
// CHECK: %[[BYTES:.*]] = vector.load {{.*}} vector<16xi8>
// CHECK: llvm.bitcast %[[BYTES]] : vector<16xi8> to i128
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.idp4a.u.u"
// CHECK: arith.extui {{.*}} : i32 to i64
// CHECK: arith.addi {{.*}} : i64
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @bytes(%x: !tirx.buffer<?xui8, global, strides = [1]>, %y: !tirx.buffer<i64, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] {split = 1, vector = 16}
      : !tirx.buffer<?xui8, global, strides = [1]> -> !tirx.buffer<i64, global>
    gpu.return
  }
}

// -----

// Streamed: every vector of 16 bytes goes past the L1 cache.

// CHECK-LABEL: gpu.func @streaming
// CHECK-NOT: vector.load
// CHECK-COUNT-4: llvm.inline_asm{{.*}}"ld.global.L1::no_allocate.v4.b32
// CHECK-COUNT-4: arith.mulf {{.*}} : vector<4xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @streaming(%x: !tirx.buffer<?x?xf32, global, strides = [1, ?]>,
      %y: !tirx.buffer<?xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] {split = 1, vector = 4, unroll = 4, threads = array<i64: 4, 32>, streaming}
      : !tirx.buffer<?x?xf32, global, strides = [1, ?]> -> !tirx.buffer<?xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// Sizes and grid are known: each CTA has one strip, and all threads read nine vectors: four, four,
// and one that needs no test. Nobody has to wait for the next strip.

// CHECK-LABEL: gpu.func @known
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK-NOT: gpu.grid_dim
// CHECK: %[[COLUMN:.*]] = arith.muli %[[CTA]], %c128
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
// CHECK: scf.yield
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK-NOT: vector.load
// CHECK: gpu.barrier
// CHECK: %[[HOLDS:.*]] = arith.cmpi slt, %{{.*}}, %c128
// CHECK: scf.if %[[HOLDS]] {
// CHECK: memref.store
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @known(%x: !tirx.buffer<512x36xf32, global, strides = [1, 512]>,
      %y: !tirx.buffer<512xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] {split = 1, vector = 4, unroll = 4, threads = array<i64: 4, 32>}
      : !tirx.buffer<512x36xf32, global, strides = [1, 512]> -> !tirx.buffer<512xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// Some threads have one vector more: it alone is tested.

// CHECK-LABEL: gpu.func @one_more
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %{{.*}}, %c6
// CHECK: arith.select %[[THERE]], {{.*}} : index
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: arith.select %[[THERE]], {{.*}} : vector<4xf32>
// CHECK-NOT: vector.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_more(%x: !tirx.buffer<512x6xf32, global, strides = [1, 512]>,
      %y: !tirx.buffer<512xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] {split = 1, vector = 4, unroll = 4, threads = array<i64: 4, 32>}
      : !tirx.buffer<512x6xf32, global, strides = [1, 512]> -> !tirx.buffer<512xf32, global, strides = [1]>
    gpu.return
  }
}
