// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Each operation of synchronisation has one lowering.

// Arrival releases what was written, the wait acquires it.

// CHECK-LABEL: gpu.func @cluster_sync
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @cluster_sync() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @fences
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fences() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    tirx.fence mbarrier_init
    tirx.fence proxy_async
    tirx.fence proxy_async_shared
    gpu.return
  }
}

// -----

// mbarriers are eight bytes each, of shared memory, and no more than an address.

// CHECK-LABEL: gpu.func @mbarrier_at
// CHECK-SAME: %[[STAGE:[^:]*]]: index) kernel
// CHECK-SAME: pto.shared_bytes = 32 : i64
// CHECK: %[[BARS:.*]] = memref.view %{{.*}}[%c0][] : {{.*}} to memref<4xi64, #gpu.address_space<workgroup>>
// CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[BARS]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[STAGE]], %c8
// CHECK: %[[AT:.*]] = arith.addi %[[START]], %[[BYTES]]
// CHECK: %[[AT64:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK: %[[M:.*]] = llvm.inttoptr %[[AT64]] : i64 to !llvm.ptr<3>
// CHECK: nvvm.mbarrier.init %[[M]], %c1_i32 : !llvm.ptr<3>, i32
!bars = !tirx.buffer<4x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbarrier_at(%stage: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%stage] : !bars
    tirx.mbarrier_init %m count 1
    gpu.return
  }
}

// -----

// An mbarrier of a region of the buffer lies where the region begins.

// CHECK-LABEL: gpu.func @mbarrier_of_a_region
// CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[AT:.*]] = arith.addi %[[START]], %c24
// CHECK: %[[AT64:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK: %[[M:.*]] = llvm.inttoptr %[[AT64]]
// CHECK: nvvm.mbarrier.init %[[M]], %c128_i32
!bars = !tirx.buffer<4x!tirx.mbarrier, shared>
!two = !tirx.buffer<2x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbarrier_of_a_region() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bars = tirx.alloc : !bars
    %empty = tirx.subview %bars[%c2] : !bars -> !two
    %m = tirx.mbarrier_at %empty[%c1] : !two
    tirx.mbarrier_init %m count 128
    gpu.return
  }
}

// -----

// At the own mbarrier, and at that of another CTA, which is mapped; the whole cluster learns of it.

// CHECK-LABEL: gpu.func @arrivals
// CHECK-SAME: %[[RANK:[^:]*]]: index, %[[BYTES:[^:]*]]: index) kernel
// CHECK: nvvm.mbarrier.arrive %[[M:.*]] : !llvm.ptr<3> -> i64
// CHECK: %[[RANK32:.*]] = arith.index_cast %[[RANK]] : index to i32
// CHECK: %[[REMOTE:.*]] = nvvm.mapa %[[M]], %[[RANK32]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: nvvm.mbarrier.arrive %[[REMOTE]] {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK: %[[BYTES32:.*]] = arith.index_cast %[[BYTES]] : index to i32
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[M]], %[[BYTES32]] : !llvm.ptr<3>, i32 -> i64
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @arrivals(%rank: index, %bytes: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.mbarrier_arrive %m
    tirx.mbarrier_arrive %m remote_cta(%rank)
    tirx.mbarrier_arrive_expect_tx %m, %bytes
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Every question may sleep; it is asked until the phase of that parity is complete.

// CHECK-LABEL: gpu.func @wait
// CHECK-SAME: %[[PARITY:[^:]*]]: index) kernel
// CHECK: %[[P:.*]] = arith.index_cast %[[PARITY]] : index to i32
// CHECK: scf.while : () -> () {
// CHECK: %[[DONE:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %[[P]] {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
// CHECK: %[[AGAIN:.*]] = arith.xori %[[DONE]], %true
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: } do {
// CHECK-NEXT: scf.yield
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wait(%parity: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.mbarrier_wait %m parity %parity
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @groups
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @groups() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 2
    tirx.commit_group bulk
    tirx.wait_group bulk 1 read
    tirx.wait_group bulk 0
    gpu.return
  }
}
