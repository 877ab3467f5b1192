// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// Every thread writes its part, and after a barrier reads those of its lane in the other warps.

// CHECK-LABEL: gpu.func @cta
// CHECK-SAME: chosen = "warps"
// CHECK-DAG: %[[TID:.*]] = gpu.thread_id x
// CHECK-DAG: %[[WARP:.*]] = arith.divui %[[TID]], %c32
// CHECK-DAG: %[[LANE:.*]] = arith.remui %[[TID]], %c32
// CHECK: memref.store %{{.*}}, %[[P:.*]][%c0, %c0, %[[WARP]], %[[LANE]]] : memref<1x1x2x32xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: %[[X0:.*]] = memref.load %[[P]][%c0, %c0, %{{.*}}, %[[LANE]]]
// CHECK: %[[X1:.*]] = memref.load %[[P]][%c0, %c0, %{{.*}}, %[[LANE]]]
// CHECK: arith.addf %[[X0]], %[[X1]] : f32
// CHECK: gpu.barrier
// PTX-LABEL: .entry cta(
// PTX-COUNT-2: bar.sync 0;
// PTX-NOT: bar.
// PTX: ret;
!src = !tirx.buffer<2xf32, local, shards = [2 : 1@warpid], replicas = [32 : 1@laneid]>
!dst = !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [2 : 1@warpid, 32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @cta(%x: !tirx.buffer<2xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.copy cta %x -> %a : !tirx.buffer<2xf32, global> -> !src
    tirx.sum cta %a -> %b axes [0] : !src -> !dst
    tirx.copy cta %b -> %y : !dst -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Each warpgroup has its own memory and its own barrier, so that two do not wait for each other.

// CHECK-LABEL: gpu.func @warpgroups
// CHECK: memref<2x1x4x32xf32, #gpu.address_space<workgroup>>
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
// CHECK-NOT: gpu.barrier
// PTX-LABEL: .entry warpgroups(
// PTX-COUNT-2: {{bar(rier)?(.cta)?}}.sync {{.*}}, 128;
!src = !tirx.buffer<4xf32, local, shards = [4 : 1@warpid], replicas = [32 : 1@laneid]>
!dst = !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [4 : 1@warpid, 32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warpgroups(%x: !tirx.buffer<4xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.copy warpgroup %x -> %a : !tirx.buffer<4xf32, global> -> !src
    tirx.sum warpgroup %a -> %b axes [0] : !src -> !dst
    tirx.copy warpgroup %b -> %y : !dst -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}
