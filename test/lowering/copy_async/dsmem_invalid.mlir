// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced `dsmem` whose rules do not hold: one error at the operation, with every reason.

// Other CTAs are reached from sm_90 on.

// CHECK: dsmem_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_80 that applies:
// CHECK-NEXT:{{^}}  dsmem: needs_sm(90): sm_80 < 90; given(remote_cta): there is none{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @chip() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "dsmem"} : !tile -> !tile
    gpu.return
  }
}

// -----

// One thread starts the copy.

// CHECK: dsmem_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: exec_scope(thread): it is warp{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async warp %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Both sides lie in shared memory.

// CHECK: dsmem_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: memory(shared): !tirx.buffer<8x64xf16, global> is in global memory{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @global_source(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// An mbarrier is signalled.

// CHECK: dsmem_invalid.mlir:[[@LINE+9]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: given(mbar): there is none{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_mbar() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    tirx.copy_async thread %src -> %dst remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// The destination is in another CTA.

// CHECK: dsmem_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: given(remote_cta): there is none{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_remote_cta() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "dsmem"} : !tile -> !tile
    gpu.return
  }
}

// -----

// Bulk copies have a size that is known at compile time.

// CHECK: dsmem_invalid.mlir:[[@LINE+15]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: static_shapes: !tirx.buffer<?x64xf16, shared>{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!part = !tirx.buffer<?x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic_shape(%n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c0] sizes [%n] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] sizes [%n] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Every rule that does not hold is named.

// CHECK: dsmem_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_80 that applies:
// CHECK-NEXT:{{^}}  dsmem: needs_sm(90): sm_80 < 90; exec_scope(thread): it is cta; memory(shared): !tirx.buffer<8x64xf16, global> is in global memory; given(mbar): there is none; given(remote_cta): there is none; contiguous: chunks of 2 bytes, not of a multiple of 16: dimension 1 has stride 1 in the source and 8 in the destination{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared, strides = [1, 8]>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @all_reasons(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "dsmem"} : !from -> !to
    gpu.return
  }
}
