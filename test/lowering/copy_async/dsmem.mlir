// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// One thread copies to another CTA of the cluster. Destination and mbarrier are mapped once, to the
// rank that is given; what is contiguous on both sides is one bulk copy; nothing waits.

// CHECK-LABEL: gpu.func @contiguous_2d
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 16384 bytes"
// CHECK-DAG: %[[SRC:.*]] = memref.view %{{.*}}[%c0][]
// CHECK-DAG: %[[DST:.*]] = memref.view %{{.*}}[%c16384][]
// CHECK-DAG: %[[BARS:.*]] = memref.view %{{.*}}[%c32768][]
// CHECK-DAG: %[[BAR:.*]] = memref.extract_aligned_pointer_as_index %[[BARS]]
// CHECK-DAG: %[[BAR64:.*]] = arith.index_cast %[[BAR]] : index to i64
// CHECK-DAG: %[[MBAR:.*]] = llvm.inttoptr %[[BAR64]] : i64 to !llvm.ptr<3>
// CHECK-DAG: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[SRC]]
// CHECK-DAG: %[[TO:.*]] = memref.extract_aligned_pointer_as_index %[[DST]]
// CHECK-DAG: %[[TO64:.*]] = arith.index_cast %[[TO]] : index to i64
// CHECK-DAG: %[[LOCAL:.*]] = llvm.inttoptr %[[TO64]] : i64 to !llvm.ptr<3>
// CHECK: %[[REMOTE:.*]] = nvvm.mapa %[[LOCAL]], %c1_i32 : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[SIGNAL:.*]] = nvvm.mapa %[[MBAR]], %c1_i32 : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-NOT: nvvm.mapa
// CHECK: %[[SIGNAL64:.*]] = llvm.ptrtoint %[[SIGNAL]]
// CHECK: %[[S:.*]] = llvm.inttoptr %[[SIGNAL64]]
// CHECK: %[[T:.*]] = llvm.inttoptr %[[REMOTE64]] : i64 to !llvm.ptr<7>
// CHECK: %[[FROM64:.*]] = arith.index_cast %[[FROM]]
// CHECK: %[[F:.*]] = llvm.inttoptr %[[FROM64]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %[[T]], %[[F]], %[[S]], %c16384_i32 : <7>, <3>
// CHECK-NOT: nvvm.cp.async.bulk
// CHECK-NOT: wait
// CHECK: nvvm.cluster.arrive
!tile = !tirx.buffer<128x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @contiguous_2d() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
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

// CHECK-LABEL: gpu.func @contiguous_1d
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 512 bytes"
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c512_i32
!tile = !tirx.buffer<256xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @contiguous_1d() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
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

// Where neither a gap nor another order interrupts the rows of both sides, but a gap follows each
// row, there is a chunk per row. The addresses are mapped in front of the loop.

// CHECK-LABEL: gpu.func @stride_gap
// CHECK-SAME: chosen = "dsmem", detail = "8 chunks of 256 bytes"
// CHECK-COUNT-2: nvvm.mapa
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1 {
// CHECK: %[[STEP:.*]] = arith.muli %[[I]], %c512
// CHECK: arith.addi %{{.*}}, %[[STEP]]
// CHECK: arith.addi %{{.*}}, %[[STEP]]
// CHECK-NOT: nvvm.mapa
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c256_i32
!tile = !tirx.buffer<8x128xf16, shared, strides = [256, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @stride_gap() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
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

// Each side steps by its own stride.

// CHECK-LABEL: gpu.func @different_strides
// CHECK-SAME: chosen = "dsmem", detail = "8 chunks of 256 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index {{.*}}strided<[256, 1]
// CHECK: %[[REMOTE:.*]] = nvvm.mapa
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[TO:.*]] = arith.index_cast %[[REMOTE64]] : i64 to index
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c1 {
// CHECK-DAG: %[[BYTES_TO:.*]] = arith.muli %[[I]], %c1024
// CHECK-DAG: %[[T:.*]] = arith.addi %[[TO]], %[[BYTES_TO]]
// CHECK-DAG: %[[BYTES_FROM:.*]] = arith.muli %[[I]], %c512
// CHECK-DAG: %[[F:.*]] = arith.addi %[[FROM]], %[[BYTES_FROM]]
// CHECK-DAG: %[[T64:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK-DAG: %[[TP:.*]] = llvm.inttoptr %[[T64]] : i64 to !llvm.ptr<7>
// CHECK-DAG: %[[F64:.*]] = arith.index_cast %[[F]] : index to i64
// CHECK-DAG: %[[FP:.*]] = llvm.inttoptr %[[F64]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %[[TP]], %[[FP]], %{{.*}}, %c256_i32
!from = !tirx.buffer<8x128xf16, shared, strides = [256, 1]>
!to = !tirx.buffer<8x128xf16, shared, strides = [512, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @different_strides() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// The rank, and which mbarrier it is, may be known at run time only.

// CHECK-LABEL: gpu.func @run_time_rank
// CHECK-SAME: (%[[RANK:[^:]*]]: index, %[[STAGE:[^:]*]]: index) kernel
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 512 bytes"
// CHECK: %[[AT:.*]] = arith.muli %[[STAGE]], %c8
// CHECK: %[[BAR:.*]] = arith.addi %{{.*}}, %[[AT]]
// CHECK: %[[BAR64:.*]] = arith.index_cast %[[BAR]] : index to i64
// CHECK: %[[MBAR:.*]] = llvm.inttoptr %[[BAR64]] : i64 to !llvm.ptr<3>
// CHECK: %[[RANK32:.*]] = arith.index_cast %[[RANK]] : index to i32
// CHECK: nvvm.mapa %{{.*}}, %[[RANK32]]
// CHECK: nvvm.mapa %[[MBAR]], %[[RANK32]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta
!tile = !tirx.buffer<256xf16, shared>
!bars = !tirx.buffer<4x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time_rank(%rank: index, %stage: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%stage] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%rank) : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Column-major on both sides, the destination in two halves that lie 8192 elements apart: the split
// of the dimension is common to both, each side steps over it by its own stride.

// CHECK-LABEL: gpu.func @shard_lists_of_different_length
// CHECK-SAME: chosen = "dsmem", detail = "2 chunks of 8192 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index {{.*}}strided<[1, 64]
// CHECK: %[[REMOTE:.*]] = nvvm.mapa
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[TO:.*]] = arith.index_cast %[[REMOTE64]] : i64 to index
// CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1 {
// CHECK-DAG: %[[BYTES_TO:.*]] = arith.muli %[[I]], %c16384
// CHECK-DAG: arith.addi %[[TO]], %[[BYTES_TO]]
// CHECK-DAG: %[[BYTES_FROM:.*]] = arith.muli %[[I]], %c8192
// CHECK-DAG: arith.addi %[[FROM]], %[[BYTES_FROM]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c8192_i32
!from = !tirx.buffer<64x128xf16, shared, strides = [1, 64]>
!to = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shard_lists_of_different_length() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Regions begin where they are in each allocation: 16 rows of 128 bytes in the source, 40 rows in
// the destination.

// CHECK-LABEL: gpu.func @different_offsets
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 1024 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index {{.*}}f16
// CHECK: %[[REMOTE:.*]] = nvvm.mapa
// CHECK: %[[REMOTE64:.*]] = llvm.ptrtoint %[[REMOTE]]
// CHECK: %[[TO:.*]] = arith.index_cast %[[REMOTE64]] : i64 to index
// CHECK-DAG: arith.addi %[[TO]], %c5120
// CHECK-DAG: arith.addi %[[FROM]], %c2048
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c1024_i32
!tile = !tirx.buffer<128x64xf16, shared>
!part = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @different_offsets() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %src[%c16, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c40, %c0] : !tile -> !part
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A row that is known at run time only begins at a multiple of 128 bytes all the same, and a column
// of a loop over 8 elements at a multiple of 16.

// CHECK-LABEL: gpu.func @run_time_offsets
// CHECK-SAME: %[[ROW:[^:]*]]: index) kernel
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 16 bytes"
// CHECK: scf.for %[[COLUMN:.*]] = %c0 to %c64 step %c8
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c64
// CHECK-DAG: arith.addi %[[BEFORE]], %[[COLUMN]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c16_i32
!tile = !tirx.buffer<128x64xf16, shared>
!part = !tirx.buffer<1x8xf16, shared, strides = [64, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time_offsets(%row: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    scf.for %column = %c0 to %c64 step %c8 {
      %part = tirx.subview %tile[%row, %column] : !tile -> !part
      tirx.copy_async thread %part -> %part mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    }
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// One to four dimensions; dimensions of 1 change nothing.

// CHECK-LABEL: gpu.func @ranks
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 128 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "1 chunk of 256 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "8 chunks of 64 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "2 chunks of 512 bytes"
// CHECK-COUNT-4: nvvm.cp.async.bulk.shared.cluster.shared.cta
!one = !tirx.buffer<32xf32, shared>
!two = !tirx.buffer<1x64xf32, shared>
!three = !tirx.buffer<2x4x16xf32, shared, strides = [256, 32, 1]>
!four = !tirx.buffer<2x2x4x16xf32, shared, strides = [1024, 64, 16, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ranks() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = tirx.alloc : !one
    %two = tirx.alloc : !two
    %three = tirx.alloc : !three
    %four = tirx.alloc : !four
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %one -> %one mbar(%mbar) remote_cta(%c1) : !one -> !one
    tirx.copy_async thread %two -> %two mbar(%mbar) remote_cta(%c1) : !two -> !two
    tirx.copy_async thread %three -> %three mbar(%mbar) remote_cta(%c1) : !three -> !three
    tirx.copy_async thread %four -> %four mbar(%mbar) remote_cta(%c1) : !four -> !four
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Elements of 1, 2, 4 and 8 bytes.

// CHECK-LABEL: gpu.func @element_widths
// CHECK-SAME: chosen = "dsmem", detail = "4 chunks of 16 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "4 chunks of 32 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "4 chunks of 64 bytes"
// CHECK-SAME: chosen = "dsmem", detail = "4 chunks of 128 bytes"
// CHECK: scf.for %[[I:.*]] =
// CHECK: arith.muli %[[I]], %c32
// CHECK: scf.for %[[J:.*]] =
// CHECK: arith.muli %[[J]], %c64
// CHECK: scf.for %[[K:.*]] =
// CHECK: arith.muli %[[K]], %c128
// CHECK: scf.for %[[L:.*]] =
// CHECK: arith.muli %[[L]], %c256
!b8 = !tirx.buffer<4x16xui8, shared, strides = [32, 1]>
!b16 = !tirx.buffer<4x16xbf16, shared, strides = [32, 1]>
!b32 = !tirx.buffer<4x16xi32, shared, strides = [32, 1]>
!b64 = !tirx.buffer<4x16xf64, shared, strides = [32, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @element_widths() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tirx.alloc : !b8
    %b = tirx.alloc : !b16
    %c = tirx.alloc : !b32
    %d = tirx.alloc : !b64
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %a -> %a mbar(%mbar) remote_cta(%c1) : !b8 -> !b8
    tirx.copy_async thread %b -> %b mbar(%mbar) remote_cta(%c1) : !b16 -> !b16
    tirx.copy_async thread %c -> %c mbar(%mbar) remote_cta(%c1) : !b32 -> !b32
    tirx.copy_async thread %d -> %d mbar(%mbar) remote_cta(%c1) : !b64 -> !b64
    tirx.cluster_sync
    gpu.return
  }
}
