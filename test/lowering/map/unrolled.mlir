// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// One thread: vectors of four elements, no loop.

// CHECK-LABEL: gpu.func @vectors
// CHECK-SAME: chosen = "unrolled"
// CHECK-NOT: scf
// CHECK-COUNT-2: arith.mulf {{.*}} : vector<4xf32>
// CHECK-NOT: arith.mulf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @vectors() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local>
    %b = tirx.alloc : !tirx.buffer<8xf32, local>
    tirx.map thread "mul"(%a, %b) -> %a
      : (!tirx.buffer<8xf32, local>, !tirx.buffer<8xf32, local>) -> !tirx.buffer<8xf32, local>
    gpu.return
  }
}

// -----

// More than 4096 elements are not unrolled: the report says so.

// CHECK-LABEL: gpu.func @long
// CHECK-SAME: is_short(4096): 8192 elements
// CHECK-SAME: variant = "unrolled"
// CHECK: scf.for
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @long() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8192xf32, local>
    tirx.map thread "neg"(%a) -> %a : (!tirx.buffer<8192xf32, local>) -> !tirx.buffer<8192xf32, local>
    gpu.return
  }
}
