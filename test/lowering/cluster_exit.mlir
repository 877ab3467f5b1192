// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

// A CTA must not exit while another reads or writes its shared memory: a cluster barrier follows
// every access to another CTA.

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.cluster_sync
    // expected-warning @+1 {{'tirx.copy_async' op is followed by no tirx.cluster_sync: a CTA may exit while its shared memory is in use}}
    tirx.copy_async thread %tile -> %tile mbar(%m) remote_cta(%c1) : !tile -> !tile
    gpu.return
  }
}

// -----

!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @arrival(%rank: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    // expected-warning @+1 {{'tirx.mbarrier_arrive' op is followed by no tirx.cluster_sync: a CTA may exit while its shared memory is in use}}
    tirx.mbarrier_arrive %m remote_cta(%rank)
    gpu.return
  }
}

// -----

// The barrier at the head of a loop follows no copy of the last iteration; one that some threads
// skip follows none.

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @barrier_elsewhere(%n: index, %condition: i1) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    scf.for %i = %c0 to %n step %c1 {
      tirx.cluster_sync
      // expected-warning @+1 {{'tirx.copy_async' op is followed by no tirx.cluster_sync}}
      tirx.copy_async thread %tile -> %tile mbar(%m) remote_cta(%c1) : !tile -> !tile
    }
    scf.if %condition {
      tirx.cluster_sync
    }
    gpu.return
  }
}

// -----

// It follows in the same block, or in one around it. Copies within a CTA ask for none.

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @followed(%n: index, %condition: i1) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %tile -> %tile mbar(%m) remote_cta(%c1) : !tile -> !tile
    scf.for %i = %c0 to %n step %c1 {
      scf.if %condition {
        tirx.copy_async thread %tile -> %tile mbar(%m) remote_cta(%c1) : !tile -> !tile
        tirx.mbarrier_arrive %m remote_cta(%c1)
      }
    }
    tirx.cluster_sync
    tirx.copy_async thread %tile -> %tile : !tile -> !tile
    tirx.mbarrier_arrive %m
    gpu.return
  }
}
