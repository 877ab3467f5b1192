// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// The threads of a CTA copy 16 bytes each at a time, without registers between, on sm_80 too.

// CHECK-LABEL: gpu.func @sixteen_bytes
// CHECK-SAME: chosen = "ldgsts"
// CHECK-NOT: scf.if
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %[[I:.*]] = %[[TID]] to %c1024 step %c128 {
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[I]], %c16
// CHECK-DAG: %[[CHUNK:.*]] = arith.remui %[[I]], %c16
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[CHUNK]], %c4
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c64
// CHECK-DAG: %[[AT:.*]] = arith.addi %[[BEFORE]], %[[COLUMN]]
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[AT]], %c4
// CHECK-DAG: arith.addi %{{.*}}, %[[BYTES]]
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: memref.load
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
!global = !tirx.buffer<64x64xf32, global>
!tile = !tirx.buffer<64x64xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @sixteen_bytes(%src: !global) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !tile
    tirx.copy_async cta %src -> %dst : !global -> !tile
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    gpu.return
  }
}

// -----

// Where rows allow no more, 8 bytes or 4, which go through the L1 cache: rows of 24 bytes, of 12.

// CHECK-LABEL: gpu.func @eight_and_four_bytes
// CHECK-SAME: chosen = "ldgsts"
// CHECK-SAME: chosen = "ldgsts"
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache =  ca
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca
!global8 = !tirx.buffer<16x6xf32, global>
!tile8 = !tirx.buffer<16x6xf32, shared>
!global4 = !tirx.buffer<16x6xf16, global>
!tile4 = !tirx.buffer<16x6xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @eight_and_four_bytes(%a: !global8, %b: !global4) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tirx.alloc : !tile8
    %d = tirx.alloc : !tile4
    tirx.copy_async cta %a -> %c : !global8 -> !tile8
    tirx.copy_async cta %b -> %d : !global4 -> !tile4
    gpu.return
  }
}

// -----

// One element is enough if it has 4 or 8 bytes.

// CHECK-LABEL: gpu.func @single_elements
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache =  ca
!global4 = !tirx.buffer<16x3xi32, global>
!tile4 = !tirx.buffer<16x3xi32, shared>
!global8 = !tirx.buffer<16x3xf64, global>
!tile8 = !tirx.buffer<16x3xf64, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @single_elements(%a: !global4, %b: !global8) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tirx.alloc : !tile4
    %d = tirx.alloc : !tile8
    tirx.copy_async cta %a -> %c : !global4 -> !tile4
    tirx.copy_async cta %b -> %d : !global8 -> !tile8
    gpu.return
  }
}

// -----

// The address of global memory and its strides are asked at run time; where the answer is no,
// elements are copied one by one, at once.

// CHECK-LABEL: gpu.func @run_time_alignment
// CHECK-SAME: chosen = "ldgsts"
// CHECK-DAG: arith.remui %{{.*}}, %c4
// CHECK-DAG: arith.remui %{{.*}}, %c16
// CHECK: scf.if
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg
// CHECK: } else {
// CHECK-NOT: nvvm.cp.async
// CHECK: memref.load
// CHECK: memref.store
// CHECK: nvvm.cp.async.commit.group
!global = !tirx.buffer<16x16xf32, global, strides = [?, ?]>
!tile = !tirx.buffer<16x16xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time_alignment(%src: !global) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !tile
    tirx.copy_async cta %src -> %dst : !global -> !tile
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    gpu.return
  }
}

// -----

// Columns that do not fill 16 bytes are copied one by one.

// CHECK-LABEL: gpu.func @ragged
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK-SAME: chosen = "ldgsts"
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: scf.if %[[ANY]]
// CHECK: memref.load
!global = !tirx.buffer<16x16xf32, global>
!tile = !tirx.buffer<16x16xf32, shared>
!from = !tirx.buffer<16x?xf32, global, strides = [16, 1]>
!to = !tirx.buffer<16x?xf32, shared, strides = [16, 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ragged(%array: !global, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tile = tirx.alloc : !tile
    %src = tirx.subview %array[%c0, %c0] sizes [%n] : !global -> !from
    %dst = tirx.subview %tile[%c0, %c0] sizes [%n] : !tile -> !to
    tirx.copy_async cta %src -> %dst : !from -> !to
    gpu.return
  }
}

// -----

// The threads of a warp share its work; a thread alone does it all.

// CHECK-LABEL: gpu.func @scopes
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK: scf.for %{{.*}} = %[[LANE]] to %c64 step %c32
// CHECK: nvvm.cp.async.shared.global
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c1
// CHECK: nvvm.cp.async.shared.global
!global = !tirx.buffer<16x16xf32, global>
!tile = !tirx.buffer<16x16xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scopes(%src: !global) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !tile
    tirx.copy_async warp %src -> %dst : !global -> !tile
    tirx.copy_async thread %src -> %dst : !global -> !tile
    gpu.return
  }
}
