// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Into shared memory a bulk copy signals an mbarrier of this CTA; nothing is mapped, nothing waits.

// CHECK-LABEL: gpu.func @to_shared
// CHECK-SAME: chosen = "bulk", detail = "1 chunk of 16384 bytes"
// CHECK-DAG: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<128x64xf16, #gpu.address_space<global>>
// CHECK-DAG: %[[TO:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<128x64xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[BAR:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<1xi64
// CHECK-DAG: %[[BAR64:.*]] = arith.index_cast %[[BAR]]
// CHECK-DAG: %[[MBAR:.*]] = llvm.inttoptr %[[BAR64]] : i64 to !llvm.ptr<3>
// CHECK-DAG: %[[TO64:.*]] = arith.index_cast %[[TO]]
// CHECK-DAG: %[[T:.*]] = llvm.inttoptr %[[TO64]] : i64 to !llvm.ptr<7>
// CHECK-DAG: %[[FROM64:.*]] = arith.index_cast %[[FROM]]
// CHECK-DAG: %[[F:.*]] = llvm.inttoptr %[[FROM64]] : i64 to !llvm.ptr<1>
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %[[T]], %[[F]], %[[MBAR]], %c16384_i32 : !llvm.ptr<7>, <1>
// CHECK-NOT: nvvm.mapa
// CHECK-NOT: wait
// CHECK: gpu.return
!global = !tirx.buffer<128x64xf16, global>
!tile = !tirx.buffer<128x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @to_shared(%src: !global) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) : !global -> !tile
    gpu.return
  }
}

// -----

// Out of shared memory it belongs to the thread's group of bulk copies.

// CHECK-LABEL: gpu.func @to_global
// CHECK-SAME: chosen = "bulk", detail = "1 chunk of 16384 bytes"
// CHECK-DAG: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<128x64xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TO:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<128x64xf16, #gpu.address_space<global>>
// CHECK-DAG: %[[TO64:.*]] = arith.index_cast %[[TO]]
// CHECK-DAG: %[[T:.*]] = llvm.inttoptr %[[TO64]] : i64 to !llvm.ptr<1>
// CHECK-DAG: %[[FROM64:.*]] = arith.index_cast %[[FROM]]
// CHECK-DAG: %[[F:.*]] = llvm.inttoptr %[[FROM64]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.cp.async.bulk.global.shared.cta %[[T]], %[[F]], %c16384_i32 : <1>, <3>
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0
!global = !tirx.buffer<128x64xf16, global>
!tile = !tirx.buffer<128x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @to_global(%dst: !global) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %src = tirx.alloc : !tile
    tirx.copy_async thread %src -> %dst {dispatch = "bulk"} : !tile -> !global
    tirx.commit_group bulk
    tirx.wait_group bulk 0
    gpu.return
  }
}

// -----

// A window of a larger array goes row by row: 256 bytes apart there, 64 bytes here.

// CHECK-LABEL: gpu.func @window
// CHECK-SAME: chosen = "bulk", detail = "16 chunks of 64 bytes"
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %{{.*}}<global>
// CHECK: %[[TO:.*]] = memref.extract_aligned_pointer_as_index %{{.*}}<workgroup>
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c1 {
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[I]], %c128
// CHECK-DAG: %[[AT:.*]] = arith.addi %{{.*}}, %[[ROW]]
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[AT]], %c2
// CHECK-DAG: arith.addi %[[FROM]], %[[BYTES]]
// CHECK-DAG: %[[TILE_ROW:.*]] = arith.muli %[[I]], %c64
// CHECK-DAG: arith.addi %[[TO]], %[[TILE_ROW]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %c64_i32
!global = !tirx.buffer<64x128xf16, global>
!window = !tirx.buffer<16x32xf16, global, strides = [128, 1]>
!tile = !tirx.buffer<16x32xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @window(%array: !global, %row: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %src = tirx.subview %array[%row, %c32] : !global -> !window
    tirx.copy_async thread %src -> %dst mbar(%mbar) : !window -> !tile
    gpu.return
  }
}

// -----

// Rows in two panels of 64 columns.

// CHECK-LABEL: gpu.func @panels
// CHECK-SAME: chosen = "bulk", detail = "256 chunks of 128 bytes"
// CHECK-COUNT-2: scf.for
// CHECK: nvvm.cp.async.bulk.global.shared.cta %{{.*}}, %{{.*}}, %c128_i32
!global = !tirx.buffer<128x128xf16, global>
!tile = !tirx.buffer<128x128xf16, shared, shards = [128 : 64, 2 : 8192, 64 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @panels(%dst: !global) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %src = tirx.alloc : !tile
    tirx.copy_async thread %src -> %dst {dispatch = "bulk"} : !tile -> !global
    gpu.return
  }
}
