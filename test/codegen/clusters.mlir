// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s

// What ptxas has to know of a cluster, and the instructions for work between its CTAs.

// CHECK: .target sm_90a
// CHECK-LABEL: .visible .entry exchange(
// CHECK: .maxntid 32, 1, 1
// CHECK: .explicitcluster
// CHECK-NEXT: .reqnctapercluster 4, 1, 1
// CHECK: mbarrier.init.shared.b64 [{{.*}}], {{%r[0-9]+}};
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: barrier.cluster.wait.aligned;
// CHECK: mbarrier.arrive.expect_tx.shared.b64 {{%rd[0-9]+}}, [{{.*}}], {{%r[0-9]+}};
// CHECK: fence.proxy.async.shared::cta;
// CHECK: mapa.shared::cluster.u64 [[TO:%rd[0-9]+]], {{%rd[0-9]+}}, {{%r[0-9]+}};
// CHECK: mapa.shared::cluster.u64 [[SIGNAL:%rd[0-9]+]], {{%rd[0-9]+}}, {{%r[0-9]+}};
// CHECK: cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [[[TO]]], [{{.*}}], {{%r[0-9]+}}, [[[SIGNAL]]];
// CHECK: mbarrier.try_wait.parity.acquire.cluster.shared.b64
// CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{{.*}}], {{%r[0-9]+}};
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: barrier.cluster.wait.aligned;
!tile = !tirx.buffer<16x64xf16, shared>
!bars = !tirx.buffer<2x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @exchange(%peer: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 2048 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %full = tirx.mbarrier_at %bars[%c0] : !bars
    %empty = tirx.mbarrier_at %bars[%c1] : !bars
    tirx.mbarrier_init %full count 1
    tirx.fence mbarrier_init
    tirx.cluster_sync
    tirx.mbarrier_arrive_expect_tx %full, %bytes
    tirx.fence proxy_async_shared
    tirx.copy_async thread %src -> %dst mbar(%full) remote_cta(%peer) : !tile -> !tile
    tirx.mbarrier_wait %full parity %c0
    tirx.mbarrier_arrive %empty remote_cta(%peer)
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Without clusters nothing of it is written.

// CHECK-LABEL: .visible .entry alone(
// CHECK-NOT: cluster
// CHECK: ret;
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alone(%a: !tirx.buffer<16xf32, global>, %b: !tirx.buffer<16xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    tirx.copy cta %a -> %b : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

// The asynchronous copies of one CTA.

// CHECK-LABEL: .visible .entry copies(
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], {{%r[0-9]+}}, [{{.*}}];
// CHECK: cp.async.bulk.global.shared::cta.bulk_group [{{.*}}], [{{.*}}], {{%r[0-9]+}};
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group.read 0;
!global = !tirx.buffer<16x64xf16, global>
!tile = !tirx.buffer<16x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copies(%a: !global, %b: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async cta %a -> %tile : !global -> !tile
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    tirx.copy_async thread %a -> %tile mbar(%m) : !global -> !tile
    tirx.copy_async thread %tile -> %b {dispatch = "bulk"} : !tile -> !global
    tirx.commit_group bulk
    tirx.wait_group bulk 0 read
    gpu.return
  }
}
