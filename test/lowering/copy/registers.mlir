// RUN: pto-opt --split-input-file --tirx-dispatch --cse %s | FileCheck %s

// Lane l loads row l into its registers.
// CHECK-LABEL: gpu.func @load(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<32x2xf32, #gpu.address_space<global>>
// CHECK-SAME: chosen = "registers"
// CHECK: %[[A:.*]] = memref.alloca() : memref<2xf32, #gpu.address_space<private>>
// CHECK: %[[LANE:.*]] = arith.remui %thread_id_x, %c32
// CHECK: %[[ROW:.*]] = arith.remui %[[LANE]], %c32
// CHECK: %[[V0:.*]] = memref.load %[[X]][%[[ROW]], %c0]
// CHECK: memref.store %[[V0]], %{{.*}}[%c0]
// CHECK: %[[V1:.*]] = memref.load %[[X]][%[[ROW]], %c1]
// CHECK: memref.store %[[V1]], %{{.*}}[%c1]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @load(%x: !tirx.buffer<32x2xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<32x2xf32, local, shards = [32 : 1@laneid, 2 : 1]>
    tirx.copy warp %x -> %a : !tirx.buffer<32x2xf32, global> -> !tirx.buffer<32x2xf32, local, shards = [32 : 1@laneid, 2 : 1]>
    gpu.return
  }
}

// -----

// Of four lanes that hold copies the first stores.
// CHECK-LABEL: gpu.func @store_first_replica(
// CHECK: %[[LANE:.*]] = arith.remui %thread_id_x, %c32
// CHECK: %[[COPY:.*]] = arith.remui %[[LANE]], %c4
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[COPY]], %c0
// CHECK: scf.if %[[IS_FIRST]] {
// CHECK: %[[ROW:.*]] = arith.divui %[[LANE]], %c4
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}]
// CHECK: }
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store_first_replica(%y: !tirx.buffer<8xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local, shards = [8 : 4@laneid], replicas = [4 : 1@laneid]>
    tirx.copy warp %a -> %y : !tirx.buffer<8xf32, local, shards = [8 : 4@laneid], replicas = [4 : 1@laneid]> -> !tirx.buffer<8xf32, global>
    gpu.return
  }
}
