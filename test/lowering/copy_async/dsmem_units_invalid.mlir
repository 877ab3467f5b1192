// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A swizzle keeps units of 2^M elements together: a chunk is whole units, and begins with one. Here
// units have 16 elements, 32 bytes.

// A column that begins with the second half of a unit, at a multiple of 16 bytes.

// CHECK: dsmem_units_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the source begins 16 bytes after a multiple of 32{{$}}
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [2, 4, 3]>
!part = !tirx.buffer<8x16xf16, shared, strides = [64, 1], swizzle = [2, 4, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @start() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %tile = tirx.alloc : !tile
    %part = tirx.subview %tile[%c0, %c8] : !tile -> !part
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %part -> %part mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !part -> !part
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// Rows that lie four units and a half apart.

// CHECK: dsmem_units_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the chunks of the source lie 144 bytes apart along dimension 0, which is not known to be a multiple of 32{{$}}
!tile = !tirx.buffer<8x16xf16, shared, strides = [72, 1], swizzle = [2, 4, 3]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row_stride() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %tile -> %tile mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// A whole block keeps its swizzle, but 8 bytes are too few.

// CHECK: dsmem_units_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: contiguous: {{.+}}{{$}}
!tile = !tirx.buffer<4xf16, shared, swizzle = [1, 1, 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @block_of_8_bytes() kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %tile -> %tile mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// An element of a dimension in shards: 64 elements further on lie 4100 elements.

// CHECK: dsmem_units_invalid.mlir:[[@LINE+14]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  dsmem: aligned: the source is not known to begin at a multiple of 16 bytes{{$}}
!tile = !tirx.buffer<128x64xf16, shared, shards = [2 : 4100, 64 : 64, 64 : 1]>
!row = !tirx.buffer<1x64xf16, shared, shards = [64 : 1]>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shards(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %tile = tirx.alloc : !tile
    %at = arith.muli %i, %c64 : index
    %row = tirx.subview %tile[%at, %c0] : !tile -> !row
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async thread %row -> %row mbar(%mbar) remote_cta(%i) {dispatch = "dsmem"} : !row -> !row
    tirx.cluster_sync
    gpu.return
  }
}
