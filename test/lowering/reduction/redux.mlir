// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// One instruction for 32-bit integers, whose sign is in the operation.

// CHECK-LABEL: gpu.func @integers
// CHECK-SAME: chosen = "redux"
// CHECK: %[[FULL:.*]] = arith.constant -1 : i32
// CHECK: nvvm.redux.sync add %{{.*}}, %[[FULL]] : i32 -> i32
// CHECK: nvvm.redux.sync max
// CHECK: nvvm.redux.sync umin
// CHECK-NOT: nvvm.shfl
// PTX-LABEL: .entry integers(
// PTX: redux.sync.add.s32
// PTX: redux.sync.max.s32
// PTX: redux.sync.min.u32
!src = !tirx.buffer<32xi32, local, shards = [32 : 1@laneid]>
!dst = !tirx.buffer<1xi32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
!usrc = !tirx.buffer<32xui32, local, shards = [32 : 1@laneid]>
!udst = !tirx.buffer<1xui32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @integers(%x: !tirx.buffer<32xi32, global>, %u: !tirx.buffer<32xui32, global>, %y: !tirx.buffer<1xi32, global>, %z: !tirx.buffer<1xi32, global>, %v: !tirx.buffer<1xui32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    %c = tirx.alloc : !usrc
    %d = tirx.alloc : !udst
    tirx.copy warp %x -> %a : !tirx.buffer<32xi32, global> -> !src
    tirx.copy warp %u -> %c : !tirx.buffer<32xui32, global> -> !usrc
    tirx.sum warp %a -> %b axes [0] : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<1xi32, global>
    tirx.max warp %a -> %b axes [0] : !src -> !dst
    tirx.copy warp %b -> %z : !dst -> !tirx.buffer<1xi32, global>
    tirx.min warp %c -> %d axes [0] : !usrc -> !udst
    tirx.copy warp %d -> %v : !udst -> !tirx.buffer<1xui32, global>
    gpu.return
  }
}

// -----

// Largest and smallest f32 on sm_100a, with and without NaN; the old value is combined after it.

// CHECK-LABEL: gpu.func @floats
// CHECK-SAME: chosen = "redux"
// CHECK: nvvm.redux.sync fmax
// CHECK: %[[M:.*]] = nvvm.redux.sync fmin {{.*}}nan = true
// CHECK: arith.minimumf %{{.*}}, %[[M]] : f32
// PTX-LABEL: .entry floats(
// PTX: redux.sync.max.f32
// PTX: redux.sync.min.NaN.f32
!src = !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
!dst = !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @floats(%x: !tirx.buffer<32xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.copy warp %x -> %a : !tirx.buffer<32xf32, global> -> !src
    tirx.max warp %a -> %b axes [0] : !src -> !dst
    tirx.min warp %a -> %b axes [0] {accum, propagate_nan} : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}
