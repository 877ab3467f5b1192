// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// Layouts that bulk copies cannot cut into chunks, or whose chunks begin beside multiples of 16 bytes.

// Bytes are copied as they lie: swizzles are the same on both sides, or on none.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: equal_swizzles: the source has [3, 3, 3], the destination none{{$}}
!from = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swizzled_source() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Another swizzle is another order.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: equal_swizzles: the source has [3, 3, 3], the destination [2, 3, 3]{{$}}
!from = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!to = !tirx.buffer<8x64xf16, shared, swizzle = [2, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @different_swizzles() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Rows on one side, columns on the other: single elements are contiguous on both. The message names
// the dimension that has another stride.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: chunks of 2 bytes, not of a multiple of 16: dimension 1 has stride 1 in the source and 4 in the destination{{$}}
!from = !tirx.buffer<4x64xf16, shared>
!to = !tirx.buffer<4x64xf16, shared, strides = [1, 4]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row_against_column() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Less than 16 bytes are contiguous.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: chunks of 8 bytes, not of a multiple of 16: dimension 0 continues at stride 8, not 4{{$}}
!tile = !tirx.buffer<8x4xf16, shared, strides = [8, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @short_rows() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// 16 bytes and a half.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: chunks of 24 bytes, not of a multiple of 16: dimension 0 continues at stride 16, not 12{{$}}
!tile = !tirx.buffer<8x12xf16, shared, strides = [16, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @odd_rows() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// The shards of a dimension have to divide one another.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: dimension 1 is split into 2 x 6 in the source and 3 x 4 in the destination, which have no common split{{$}}
!from = !tirx.buffer<8x12xf64, shared, shards = [8 : 32, 2 : 16, 6 : 1]>
!to = !tirx.buffer<8x12xf64, shared, shards = [8 : 32, 3 : 8, 4 : 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_common_split() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Swizzled units of 8 bytes are too small.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+15]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: units of 4 elements under the swizzle, not of a multiple of 16 bytes{{$}}
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 2, 3]>
!part = !tirx.buffer<8x8xf16, shared, strides = [64, 1], swizzle = [3, 2, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @small_units() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Half a unit under the swizzle.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+15]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: chunks of 4 elements, not of whole units of 8: dimension 0 continues at stride 64, not 4{{$}}
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<8x4xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @half_a_unit() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Chunks begin at multiples of 16 bytes: rows that lie 130 bytes apart do not.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the chunks of the destination lie 130 bytes apart along dimension 0, which is not known to be a multiple of 16{{$}}
!from = !tirx.buffer<8x64xf16, shared>
!to = !tirx.buffer<8x64xf16, shared, strides = [65, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row_stride_of_130_bytes() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !from
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A slice that begins 8 bytes into a row.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+16]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the source begins 8 bytes after a multiple of 16{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!part = !tirx.buffer<1x8xf16, shared, strides = [64, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @start_of_8_bytes() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c4] : !tile -> !part
    %to = tirx.subview %dst[%c0, %c0] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A column that is known at run time only.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+15]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the destination is not known to begin at a multiple of 16 bytes{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!part = !tirx.buffer<1x8xf16, shared, strides = [64, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_start(%column: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %from = tirx.subview %src[%c0, %c0] : !tile -> !part
    %to = tirx.subview %dst[%c0, %column] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %from -> %to mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A buffer at an address that is not a multiple of 16.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+12]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @address_of_8_bytes() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %src = tirx.alloc at 8 : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A view begins at an element that is known at run time.

// CHECK: dsmem_layouts_invalid.mlir:[[@LINE+13]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @view() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %memory = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %src = tirx.view %memory offset %c0 : !tile -> !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}
