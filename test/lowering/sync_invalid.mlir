// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

// What sm_80 does not have is refused before any code is generated. mbarriers and the groups of
// `cp.async` it has.

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @sm_80_has(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %bars = tirx.alloc : !tirx.buffer<1x!tirx.mbarrier, shared>
    %m = tirx.mbarrier_at %bars[%i] : !tirx.buffer<1x!tirx.mbarrier, shared>
    tirx.mbarrier_init %m count 1
    tirx.mbarrier_arrive %m
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @cluster_sync() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error-re @+1 {{'tirx.cluster_sync' op {{.*}}sm_90}}
    tirx.cluster_sync
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @fence() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error-re @+1 {{'tirx.fence' op {{.*}}sm_90}}
    tirx.fence proxy_async_shared
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @remote_arrival(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %bars = tirx.alloc : !tirx.buffer<1x!tirx.mbarrier, shared>
    %m = tirx.mbarrier_at %bars[%i] : !tirx.buffer<1x!tirx.mbarrier, shared>
    // expected-error-re @+1 {{'tirx.mbarrier_arrive' op {{.*}}sm_90}}
    tirx.mbarrier_arrive %m remote_cta(%i)
    tirx.cluster_sync
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @expected_bytes(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %bars = tirx.alloc : !tirx.buffer<1x!tirx.mbarrier, shared>
    %m = tirx.mbarrier_at %bars[%i] : !tirx.buffer<1x!tirx.mbarrier, shared>
    // expected-error-re @+1 {{'tirx.mbarrier_arrive_expect_tx' op {{.*}}sm_90}}
    tirx.mbarrier_arrive_expect_tx %m, %i
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @wait(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %bars = tirx.alloc : !tirx.buffer<1x!tirx.mbarrier, shared>
    %m = tirx.mbarrier_at %bars[%i] : !tirx.buffer<1x!tirx.mbarrier, shared>
    // expected-error-re @+1 {{'tirx.mbarrier_wait' op {{.*}}sm_90}}
    tirx.mbarrier_wait %m parity %i
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @bulk_group() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error-re @+1 {{'tirx.commit_group' op {{.*}}sm_90}}
    tirx.commit_group bulk
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @wait_for_bulk_groups() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error-re @+1 {{'tirx.wait_group' op {{.*}}sm_90}}
    tirx.wait_group bulk 0
    gpu.return
  }
}

// -----

// A launch passes no mbarriers.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error-re @+1 {{'gpu.func' op takes buffers in global memory, not {{.*}}!tirx.mbarrier}}
  gpu.func @mbarrier_as_argument(%m: !tirx.mbarrier) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
