// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced `bulk` whose rules do not hold: one error at the operation, with every reason.

// Bulk copies are there from sm_90 on.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_80 that applies:
// CHECK-NEXT:{{^}}  bulk: needs_sm(90): sm_80 < 90{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @chip(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// One thread starts the copy.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: exec_scope(thread): it is cta{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scope(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async cta %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// One side is global, the other shared memory.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: between_global_and_shared: from shared to shared memory{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @both_shared() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !tile -> !tile
    gpu.return
  }
}

// -----

// Into shared memory an mbarrier is signalled.

// CHECK: bulk_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: given(mbar): there is none{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_mbar(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async thread %src -> %dst {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// Out of it there is none.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: absent(mbar): there is one{{$}}
!from = !tirx.buffer<8x64xf16, shared>
!to = !tirx.buffer<8x64xf16, global>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbar_for_global(%dst: !to) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.alloc : !from
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// The shared memory is that of this CTA.

// CHECK: bulk_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: absent(remote_cta): there is one{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @remote_cta(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "bulk"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Bulk copies have a size that is known at compile time.

// CHECK: bulk_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: static_shapes: !tirx.buffer<?x64xf16, global>{{$}}
!from = !tirx.buffer<?x64xf16, global>
!tile = !tirx.buffer<8x64xf16, shared>
!to = !tirx.buffer<?x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic_shape(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tile = tirx.alloc : !tile
    %n = tirx.dim %src, 0 : !from
    %dst = tirx.subview %tile[%c0, %c0] sizes [%n] : !tile -> !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// Global memory has no swizzle.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: equal_swizzles: the source has none, the destination [3, 3, 3]{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swizzled(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// Columns of a row-major array.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: contiguous: chunks of 2 bytes, not of a multiple of 16: dimension 1 has stride 1 in the source and 8 in the destination{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared, strides = [1, 8]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @column_major(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// An argument whose row stride is known at run time only.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: aligned: the chunks of the source lie ? bytes apart along dimension 0, which is not known to be a multiple of 16{{$}}
!from = !tirx.buffer<8x64xf16, global, strides = [?, 1]>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time_stride(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// A strided argument begins anywhere.

// CHECK: bulk_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!from = !tirx.buffer<8x64xf16, global, strides = [128, 1]>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @strided_argument(%src: !from) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// So does a view of a pointer.

// CHECK: bulk_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!pointer = !tirx.buffer<f16, global>
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @view(%pointer: !pointer) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %src = tirx.view %pointer offset %c0 : !pointer -> !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}

// -----

// A window that begins 8 bytes into a row.

// CHECK: bulk_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  bulk: aligned: the source begins 8 bytes after a multiple of 16{{$}}
!array = !tirx.buffer<8x64xf16, global>
!from = !tirx.buffer<8x8xf16, global, strides = [64, 1]>
!to = !tirx.buffer<8x8xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @start_of_8_bytes(%array: !array) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %src = tirx.subview %array[%c0, %c4] : !array -> !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) {dispatch = "bulk"} : !from -> !to
    gpu.return
  }
}
