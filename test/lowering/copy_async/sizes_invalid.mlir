// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// Sizes at the border of what bulk copies can be: none, and unknown.

// CHECK: sizes_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: {{.+}}{{$}}
!tile = !tirx.buffer<0x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_elements() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.mbarrier_arrive_expect_tx %mbar, %c1
    tirx.copy_async thread %tile -> %tile mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A window of known size of an array of unknown size: an argument of which neither address nor
// size is fixed.

// CHECK: sizes_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!array = !tirx.buffer<?x64xf16, global>
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @window(%array: !array) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %src = tirx.subview %array[%c8, %c0] : !array -> !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}
