// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Each thread computes what it stores, without a loop: `registers` hands on to `unrolled`.

// CHECK-LABEL: gpu.func @distributed
// CHECK-SAME: chosen = "registers"
// CHECK-SAME: chosen = "unrolled"
// CHECK-NOT: scf
// CHECK-COUNT-2: arith.mulf {{.*}} : vector<4xf32>
// CHECK-NOT: arith.mulf
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @distributed(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]>
    tirx.map warp "mul"(%a, %x) -> %a
      : (!tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]>, f32) -> !tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]>
    gpu.return
  }
}
