// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// A reduction over registers, lanes and warps is one of each, and the choices are all on record.

// CHECK-LABEL: gpu.func @three_levels
// CHECK-SAME: chosen = "levels"
// CHECK-SAME: chosen = "local"
// CHECK-SAME: chosen = "shuffle"
// CHECK-SAME: chosen = "warps"
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK: nvvm.shfl.sync
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
!src = !tirx.buffer<256xf32, local, shards = [2 : 1@warpid, 32 : 1@laneid, 4 : 1]>
!dst = !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [2 : 1@warpid, 32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @three_levels(%y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.sum cta %a -> %b axes [0] : !src -> !dst
    tirx.copy cta %b -> %y : !dst -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Registers only: what is kept stays in its lanes. The old value is an operand of the last level.

// CHECK-LABEL: gpu.func @registers
// CHECK-SAME: chosen = "levels"
// CHECK-SAME: chosen = "local"
// CHECK-NOT: chosen
// CHECK: %[[OLD:.*]] = memref.load %{{.*}}[] : memref<i64
// CHECK: arith.maxui %[[OLD]], %{{.*}} : i64
// CHECK-NOT: nvvm.shfl
!src = !tirx.buffer<32x4xui64, local, shards = [32 : 1@laneid, 4 : 1]>
!dst = !tirx.buffer<32x1xui64, local, shards = [32 : 1@laneid, 1 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers(%y: !tirx.buffer<32x1xui64, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.max warp %a -> %b axes [1] {accum} : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<32x1xui64, global>
    gpu.return
  }
}

// -----

// Every level dispatches for its chip: packed additions, then one instruction for the maximum.

// CHECK-LABEL: gpu.func @blackwell
// CHECK-SAME: chosen = "sm100_packed"
// CHECK-SAME: chosen = "redux"
// CHECK: nvvm.redux.sync fmax
!src = !tirx.buffer<32x16xf32, local, shards = [32 : 1@laneid, 16 : 1]>
!dst = !tirx.buffer<1x1xf32, local, shards = [1 : 1, 1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @blackwell(%y: !tirx.buffer<1x1xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.max warp %a -> %b axes [0, 1] : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<1x1xf32, global>
    gpu.return
  }
}

// -----

// Partial results of f16 sums are f32 between the levels.

// CHECK-LABEL: gpu.func @halves
// CHECK-COUNT-2: arith.extf {{.*}} : f16 to f32
// CHECK-NOT: arith.truncf
// CHECK: nvvm.shfl.sync bfly {{.*}} : f32 -> f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK-NOT: arith.truncf
!src = !tirx.buffer<32x2xf16, local, shards = [32 : 1@laneid, 2 : 1]>
!dst = !tirx.buffer<1x1xf16, local, shards = [1 : 1, 1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @halves(%y: !tirx.buffer<1x1xf16, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.sum warp %a -> %b axes [0, 1] : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<1x1xf16, global>
    gpu.return
  }
}
