// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// What no asynchronous instruction copies is copied at once, by the best variant of `tirx.copy`. The
// group that is committed afterwards is empty.

// CHECK-LABEL: gpu.func @shared_to_shared
// CHECK-SAME: chosen = "copy", location = "{{[^"]*}}", op = "tirx.copy_async"
// CHECK-SAME: reasons = ["global_to_shared: shared to shared"], variant = "ldgsts"
// CHECK-SAME: chosen = "vector", location = "{{[^"]*}}", op = "tirx.copy"
// CHECK: vector.load
// CHECK: vector.store
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: nvvm.cp.async.commit.group
!tile = !tirx.buffer<16x16xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shared_to_shared() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    tirx.copy_async cta %src -> %dst : !tile -> !tile
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    gpu.return
  }
}

// -----

// Out of a swizzled tile, where one thread's bulk copies cannot follow.

// CHECK-LABEL: gpu.func @swizzled_to_global
// CHECK-SAME: chosen = "copy", location = "{{[^"]*}}", op = "tirx.copy_async"
// CHECK-SAME: equal_swizzles: the source has [3, 3, 3], the destination none
// CHECK-SAME: chosen = "scalar", location = "{{[^"]*}}", op = "tirx.copy"
// CHECK: arith.xori
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!global = !tirx.buffer<8x64xf16, global>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swizzled_to_global(%dst: !global) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %src = tirx.alloc : !tile
    tirx.copy_async thread %src -> %dst : !tile -> !global
    gpu.return
  }
}

// -----

// Into the registers of a warp, on a chip of any age.

// CHECK-LABEL: gpu.func @to_registers
// CHECK-SAME: chosen = "copy", location = "{{[^"]*}}", op = "tirx.copy_async"
// CHECK-SAME: chosen = "registers", location = "{{[^"]*}}", op = "tirx.copy"
// CHECK: memref.load
!tile = !tirx.buffer<32x4xf32, shared>
!registers = !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @to_registers() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !registers
    tirx.copy_async warp %src -> %dst {dispatch = "copy"} : !tile -> !registers
    gpu.return
  }
}
