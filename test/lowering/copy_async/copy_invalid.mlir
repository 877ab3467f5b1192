// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A copy that is done at once signals nothing, and reaches no other CTA.

// CHECK: copy_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  copy: absent(mbar): there is one; absent(remote_cta): there is one{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @forced() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c0) {dispatch = "copy"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Within a CTA no instruction copies from shared to shared memory and signals an mbarrier: each
// variant says what it asks for.

// CHECK: copy_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: global_to_shared: shared to shared; absent(mbar): there is one{{$}}
// CHECK-NEXT:{{^}}  bulk: between_global_and_shared: from shared to shared memory{{$}}
// CHECK-NEXT:{{^}}  dsmem: given(remote_cta): there is none{{$}}
// CHECK-NEXT:{{^}}  copy: absent(mbar): there is one{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @within_a_cta() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) : !tile -> !tile
    gpu.return
  }
}

// -----

// CHECK: copy_invalid.mlir:[[@LINE+5]]:5: error: 'tirx.copy_async' op has no variant 'tma'; its variants are ldgsts, {{.*}}copy{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_variant(%a: !tirx.buffer<8x64xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %dst = tirx.alloc : !tile
    tirx.copy_async thread %a -> %dst {dispatch = "tma"} : !tirx.buffer<8x64xf16, global> -> !tile
    gpu.return
  }
}
