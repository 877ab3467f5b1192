// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

// What the CTAs of a cluster have to keep to.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_cluster_size = array<i32: CTAS, 1, 1>, 1 to 16 CTAs in one dimension}}
  gpu.func @no_ctas() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 0, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_cluster_size = array<i32: CTAS, 1, 1>, 1 to 16 CTAs in one dimension}}
  gpu.func @seventeen_ctas() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 17, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_cluster_size = array<i32: CTAS, 1, 1>, 1 to 16 CTAs in one dimension}}
  gpu.func @two_dimensions() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 2, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  // expected-error @+1 {{'gpu.func' op has clusters of 2 CTAs; sm_80 has none, sm_90 does}}
  gpu.func @chip_without_clusters() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

// Clusters of 1 are there on every chip, and 16 is the largest size.

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @one_cta() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 1, 1, 1>, pto.grid = 3} {
    gpu.return
  }
}
gpu.module @n [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sixteen_ctas() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 16, 1, 1>, pto.grid = 32} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op has a grid of 6 CTAs, which clusters of 4 do not divide}}
  gpu.func @part_of_a_cluster() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>, pto.grid = 6} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op has a grid of 6 CTAs, which clusters of 4 do not divide}}
  gpu.func @part_of_a_cluster_is_known() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_grid_size = array<i32: CTAS, 1, 1>, in one dimension}}
  gpu.func @grid_of_two_dimensions() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 6, 2, 1>} {
    gpu.return
  }
}

// -----

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy_to_rank_outside() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    // expected-error @+1 {{'tirx.copy_async' op names rank 2; the ranks in a cluster of 2 are 0 to 1}}
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%c2) : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @arrival_at_negative_rank() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %before = arith.constant -1 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    // expected-error @+1 {{'tirx.mbarrier_arrive' op names rank -1; the ranks in a cluster of 2 are 0 to 1}}
    tirx.mbarrier_arrive %m remote_cta(%before)
    tirx.cluster_sync
    gpu.return
  }
}

// -----

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rank_without_clusters() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    // expected-error @+1 {{'tirx.copy_async' op names rank 1; the kernel has no clusters (known_cluster_size = array<i32: CTAS, 1, 1>)}}
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%c1) : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// An mbarrier that expects other bytes than arrive never completes its phase.

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @armed_with_elements() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %elements = arith.constant 512 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    // expected-error @+1 {{'tirx.mbarrier_arrive_expect_tx' op expects 512 bytes; the copies that signal this mbarrier have 1024}}
    tirx.mbarrier_arrive_expect_tx %m, %elements
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%c1) : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// The bytes of gaps are not copied. Two copies signal: their sizes, or sums of them, are right.

!tile = !tirx.buffer<8x64xf16, shared, strides = [128, 1]>
!row = !tirx.buffer<1x64xf16, shared, strides = [128, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @armed_with_gaps() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %both = arith.constant 1152 : index
    %odd = arith.constant 1984 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c0] : !tile -> !row
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !row
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.mbarrier_arrive_expect_tx %m, %both
    // expected-error @+1 {{'tirx.mbarrier_arrive_expect_tx' op expects 1984 bytes; the copies that signal this mbarrier have 128 and 1024}}
    tirx.mbarrier_arrive_expect_tx %m, %odd
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%c1) : !tile -> !tile
    tirx.copy_async thread %from -> %to mbar(%m) remote_cta(%c1) : !row -> !row
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Another mbarrier of the same buffer is not armed for this copy; one that is chosen at run time may
// be.

!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<2x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_mbarriers(%stage: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 48 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    %other = tirx.mbarrier_at %bars[%c1] : !bars
    %unknown = tirx.mbarrier_at %bars[%stage] : !bars
    tirx.mbarrier_arrive_expect_tx %other, %bytes
    tirx.mbarrier_arrive_expect_tx %unknown, %bytes
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%c1) : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Shared memory is that of one CTA, with gaps, whole swizzled blocks and mbarriers: 8 x 4160 - 4096
// elements of 2 bytes do not fit beside 200 KiB.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gaps_beyond_the_chip() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    // expected-error @+1 {{'tirx.alloc' op is the largest of the kernel's tiles, which need 263168 bytes of shared memory; a CTA on sm_90a has 232448}}
    %a = tirx.alloc : !tirx.buffer<102400xf16, shared>
    %b = tirx.alloc : !tirx.buffer<8x64xf16, shared, strides = [4160, 1]>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_120a">] {
  gpu.func @swizzled_blocks_beyond_the_chip() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error @+1 {{'tirx.alloc' op is the largest of the kernel's tiles, which need 102400 bytes of shared memory; a CTA on sm_120a has 101376}}
    %a = tirx.alloc : !tirx.buffer<792x64xf16, shared, swizzle = [3, 3, 5]>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbarriers_beyond_the_chip() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error @+1 {{'tirx.alloc' op lies at bytes 232440 to 232456, outside the 232448 bytes of shared memory that a CTA has on sm_90a}}
    %a = tirx.alloc at 232440 : !tirx.buffer<2x!tirx.mbarrier, shared>
    gpu.return
  }
}

// -----

// Arguments lie in global memory, where mbarriers do not.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op takes buffers in global memory, not !tirx.buffer<1x!tirx.mbarrier, shared>}}
  gpu.func @mbarriers_as_argument(%bars: !tirx.buffer<1x!tirx.mbarrier, shared>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}

// -----

// Which mbarrier is meant is known where it is used.

!bars = !tirx.buffer<2x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @selected_mbarrier(%c: i1) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bars = tirx.alloc : !bars
    %a = tirx.mbarrier_at %bars[%c0] : !bars
    %b = tirx.mbarrier_at %bars[%c1] : !bars
    // expected-error @+1 {{'arith.select' op takes a buffer or an mbarrier; they do not pass through other operations}}
    %m = arith.select %c, %a, %b : !tirx.mbarrier
    tirx.mbarrier_init %m count 1
    gpu.return
  }
}
