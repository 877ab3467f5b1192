// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Copies between buffers of the same swizzle. [3, 3, 3] of f16 moves units of 16 bytes within
// blocks of 128, by the number of the block.

// A whole tile keeps its swizzle: it is one chunk, as if there were none.

// CHECK-LABEL: gpu.func @whole
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 1024 bytes"
// CHECK-NOT: arith.xori
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c1024_i32
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @whole() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Rows from 1 on are whole blocks: they begin at element 64, byte 128, which the chunk keeps.

// CHECK-LABEL: gpu.func @rows
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 896 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index {{.*}}f16
// CHECK: %[[REMOTE:.*]] = nvvm.mapa
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[TO:.*]] = arith.index_cast %[[REMOTE64]] : i64 to index
// CHECK-NOT: arith.xori
// CHECK-DAG: arith.addi %[[TO]], %c128
// CHECK-DAG: arith.addi %[[FROM]], %c128
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c896_i32
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<7x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%c1, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c1, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Columns are less than a block: the units of a row lie in another order in every row, and each is
// a chunk, where the swizzle puts it.

// CHECK-LABEL: gpu.func @columns
// CHECK-SAME: chosen = "dsmem", detail = "32 chunks of 16 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index {{.*}}f16
// CHECK: %[[REMOTE:.*]] = nvvm.mapa
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[TO:.*]] = arith.index_cast %[[REMOTE64]] : i64 to index
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1 {
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c64
// CHECK: scf.for %[[J:.*]] = %c0 to %c4 step %c1 {
// CHECK: %[[UNIT:.*]] = arith.muli %[[J]], %c8
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[UNIT]]
// CHECK: %[[HIGH:.*]] = arith.shrui %[[AT]], %c3
// CHECK: %[[BITS:.*]] = arith.andi %[[HIGH]], %c56
// CHECK: %[[MOVED:.*]] = arith.xori %[[AT]], %[[BITS]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[MOVED]], %c2
// CHECK-DAG: arith.addi %[[TO]], %[[BYTES]]
// CHECK-DAG: arith.addi %[[FROM]], %[[BYTES]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c16_i32
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<8x32xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%c0, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Row 1 goes to row 2, in whose block the units lie in another order: each goes by itself.

// CHECK-LABEL: gpu.func @other_rows
// CHECK-SAME: chosen = "dsmem", detail = "8 chunks of 16 bytes"
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK-DAG: %[[AT:.*]] = arith.addi %{{.*}}, %c64
// CHECK-DAG: arith.xori %[[AT]], %{{.*}}
// CHECK-DAG: %[[BEYOND:.*]] = arith.addi %{{.*}}, %c128
// CHECK-DAG: arith.xori %[[BEYOND]], %{{.*}}
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c16_i32
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<1x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_rows() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%c1, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c2, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Eight rows later the pattern repeats: the same order, one chunk.

// CHECK-LABEL: gpu.func @a_period_apart
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 128 bytes"
// CHECK-NOT: arith.xori
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c128_i32
!tile = !tirx.buffer<16x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<1x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @a_period_apart() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%c1, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c9, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A row that is known at run time only: which order its units have is not known, so each goes by
// itself.

// CHECK-LABEL: gpu.func @run_time_row
// CHECK-SAME: chosen = "dsmem", detail = "8 chunks of 16 bytes"
// CHECK: arith.xori
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c16_i32
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<1x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time_row(%row: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%row, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}
