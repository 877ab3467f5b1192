// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// A butterfly over all lanes of a warp.

// CHECK-LABEL: gpu.func @all_lanes
// CHECK-SAME: chosen = "shuffle"
// CHECK-DAG: %[[FULL:.*]] = arith.constant -1 : i32
// CHECK-DAG: %[[CLAMP:.*]] = arith.constant 31 : i32
// CHECK: %[[X:.*]] = memref.load {{.*}} : memref<f32
// CHECK: %[[Y1:.*]] = nvvm.shfl.sync bfly %[[FULL]], %[[X]], %c1_i32, %[[CLAMP]] : f32 -> f32
// CHECK: %[[S1:.*]] = arith.addf %[[X]], %[[Y1]] : f32
// CHECK: %[[Y2:.*]] = nvvm.shfl.sync bfly %[[FULL]], %[[S1]], %c2_i32
// CHECK: arith.addf %[[S1]], %[[Y2]] : f32
// CHECK: nvvm.shfl.sync bfly {{.*}}, %c4_i32
// CHECK: nvvm.shfl.sync bfly {{.*}}, %c8_i32
// CHECK: nvvm.shfl.sync bfly {{.*}}, %c16_i32
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
// PTX-LABEL: .entry all_lanes(
// PTX: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
// PTX: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
!src = !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
!dst = !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @all_lanes(%x: !tirx.buffer<32xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src
    %b = tirx.alloc : !dst
    tirx.copy warp %x -> %a : !tirx.buffer<32xf32, global> -> !src
    tirx.sum warp %a -> %b axes [0] : !src -> !dst
    tirx.copy warp %b -> %y : !dst -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Rows in every fourth lane: the steps are those of the layout's strides, once per row of a thread.

// CHECK-LABEL: gpu.func @rows_of_the_layout
// CHECK-COUNT-2: nvvm.shfl.sync bfly {{.*}}, %c{{4|8|16}}_i32
// CHECK: nvvm.shfl.sync bfly {{.*}}, %c16_i32
// CHECK-COUNT-3: nvvm.shfl.sync bfly {{.*}}, %c{{4|8|16}}_i32
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
!rows = !tirx.buffer<8x4x2xf32, local, shards = [8 : 4@laneid, 4 : 1@laneid, 2 : 1]>
!columns = !tirx.buffer<1x4x2xf32, local, shards = [1 : 1, 4 : 1@laneid, 2 : 1], replicas = [8 : 4@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows_of_the_layout(%y: !tirx.buffer<1x4x2xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !rows
    %b = tirx.alloc : !columns
    tirx.max warp %a -> %b axes [0] : !rows -> !columns
    tirx.copy warp %b -> %y : !columns -> !tirx.buffer<1x4x2xf32, global>
    gpu.return
  }
}

// -----

// f64 travels as two words, f16 as one; f16 sums are f32 all the way and are rounded at the end.

// CHECK-LABEL: gpu.func @other_sizes
// CHECK-COUNT-10: nvvm.shfl.sync bfly {{.*}} : i32 -> i32
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK-COUNT-5: nvvm.shfl.sync bfly {{.*}} : f32 -> f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK-COUNT-5: nvvm.shfl.sync bfly {{.*}} : i32 -> i32
!src64 = !tirx.buffer<32xf64, local, shards = [32 : 1@laneid]>
!dst64 = !tirx.buffer<1xf64, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
!src16 = !tirx.buffer<32xf16, local, shards = [32 : 1@laneid]>
!dst16 = !tirx.buffer<1xf16, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_sizes(%y: !tirx.buffer<1xf64, global>, %z: !tirx.buffer<1xf16, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !src64
    %b = tirx.alloc : !dst64
    %c = tirx.alloc : !src16
    %d = tirx.alloc : !dst16
    tirx.sum warp %a -> %b axes [0] : !src64 -> !dst64
    tirx.copy warp %b -> %y : !dst64 -> !tirx.buffer<1xf64, global>
    tirx.sum warp %c -> %d axes [0] : !src16 -> !dst16
    tirx.copy warp %d -> %z : !dst16 -> !tirx.buffer<1xf16, global>
    tirx.max warp %c -> %d axes [0] : !src16 -> !dst16
    tirx.copy warp %d -> %z : !dst16 -> !tirx.buffer<1xf16, global>
    gpu.return
  }
}
