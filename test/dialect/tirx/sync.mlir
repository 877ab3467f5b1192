// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @cluster
// CHECK: tirx.cluster_sync
func.func @cluster() {
  tirx.cluster_sync
  return
}

// -----

// CHECK-LABEL: func.func @fences
// CHECK: tirx.fence mbarrier_init
// CHECK: tirx.fence proxy_async
// CHECK: tirx.fence proxy_async_shared
func.func @fences() {
  tirx.fence mbarrier_init
  tirx.fence proxy_async
  tirx.fence proxy_async_shared
  return
}

// -----

// One mbarrier of a buffer of them is a value; operations name it without a type.

// CHECK-LABEL: func.func @mbarriers
// CHECK-SAME: %[[STAGE:[^:]*]]: index, %[[RANK:[^:]*]]: index, %[[BYTES:[^:]*]]: index
// CHECK: %[[BARS:.*]] = tirx.alloc at 1024 : !tirx.buffer<2x!tirx.mbarrier, shared>
// CHECK: %[[M:.*]] = tirx.mbarrier_at %[[BARS]][%[[STAGE]]] : !tirx.buffer<2x!tirx.mbarrier, shared>
// CHECK: tirx.mbarrier_init %[[M]] count 128
// CHECK: tirx.mbarrier_arrive %[[M]]{{$}}
// CHECK: tirx.mbarrier_arrive %[[M]] remote_cta(%[[RANK]])
// CHECK: tirx.mbarrier_arrive_expect_tx %[[M]], %[[BYTES]]
// CHECK: tirx.mbarrier_wait %[[M]] parity %[[STAGE]]
func.func @mbarriers(%stage: index, %rank: index, %bytes: index) {
  %bars = tirx.alloc at 1024 : !tirx.buffer<2x!tirx.mbarrier, shared>
  %m = tirx.mbarrier_at %bars[%stage] : !tirx.buffer<2x!tirx.mbarrier, shared>
  tirx.mbarrier_init %m count 128
  tirx.mbarrier_arrive %m
  tirx.mbarrier_arrive %m remote_cta(%rank)
  tirx.mbarrier_arrive_expect_tx %m, %bytes
  tirx.mbarrier_wait %m parity %stage
  return
}

// -----

// The bounds of a count: what the barrier's state can hold.

// CHECK-LABEL: func.func @counts
// CHECK: tirx.mbarrier_init %{{.*}} count 1{{$}}
// CHECK: tirx.mbarrier_init %{{.*}} count 1048575
func.func @counts(%m: !tirx.mbarrier) {
  tirx.mbarrier_init %m count 1
  tirx.mbarrier_init %m count 1048575
  return
}

// -----

// CHECK-LABEL: func.func @groups
// CHECK: tirx.commit_group ldgsts
// CHECK: tirx.commit_group bulk
// CHECK: tirx.wait_group ldgsts 2
// CHECK: tirx.wait_group bulk 0{{$}}
// CHECK: tirx.wait_group bulk 1 read
func.func @groups() {
  tirx.commit_group ldgsts
  tirx.commit_group bulk
  tirx.wait_group ldgsts 2
  tirx.wait_group bulk 0
  tirx.wait_group bulk 1 read
  return
}

// -----

// A copy names the mbarrier that it signals, and the CTA to which it goes: both, one or none.

// CHECK-LABEL: func.func @copies
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<16xf32, shared>, %[[M:[^:]*]]: !tirx.mbarrier, %[[R:[^:]*]]: index
// CHECK: tirx.copy_async cta %[[S]] -> %[[S]] : !tirx.buffer<16xf32, shared> -> !tirx.buffer<16xf32, shared>
// CHECK: tirx.copy_async thread %[[S]] -> %[[S]] mbar(%[[M]]) :
// CHECK: tirx.copy_async thread %[[S]] -> %[[S]] remote_cta(%[[R]]) :
// CHECK: tirx.copy_async thread %[[S]] -> %[[S]] mbar(%[[M]]) remote_cta(%[[R]]) {dispatch = "dsmem"} :
!tile = !tirx.buffer<16xf32, shared>
func.func @copies(%s: !tile, %m: !tirx.mbarrier, %r: index) {
  tirx.copy_async cta %s -> %s : !tile -> !tile
  tirx.copy_async thread %s -> %s mbar(%m) : !tile -> !tile
  tirx.copy_async thread %s -> %s remote_cta(%r) : !tile -> !tile
  tirx.copy_async thread %s -> %s mbar(%m) remote_cta(%r) {dispatch = "dsmem"} : !tile -> !tile
  return
}
