// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced `ldgsts` whose rules do not hold: one error at the operation, with every reason.

// The threads of a CTA share the work, not those of a cluster.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: exec_scope(thread, warp, warpgroup, cta): it is cluster{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scope(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cluster %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// A CTA consists of whole warps.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: whole_scopes: a CTA of 48 threads does not consist of warps{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @part_of_a_warp(%src: !from) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async warp %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// One stride per dimension, and no swizzle.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: strided: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> has shards or a swizzle{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swizzled(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: strided: !tirx.buffer<8x64xf16, shared, shards = [8 : 32, 2 : 256, 32 : 1]> has shards or a swizzle{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sharded(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// An array without dimensions has no rows.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: has_dimensions: !tirx.buffer<f32, global> has none{{$}}
!from = !tirx.buffer<f32, global>
!to = !tirx.buffer<f32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_dimensions(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// From global to shared memory, and not back.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: global_to_shared: shared to global{{$}}
!from = !tirx.buffer<8x64xf16, shared>
!to = !tirx.buffer<8x64xf16, global>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @to_global(%dst: !to) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %src = tirx.alloc : !from
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// No mbarrier is signalled.

// CHECK: ldgsts_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: absent(mbar): there is one{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbar(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %dst = tirx.alloc : !to
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.copy_async cta %src -> %dst mbar(%mbar) {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// The destination is in this CTA.

// CHECK: ldgsts_invalid.mlir:[[@LINE+8]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: absent(remote_cta): there is one{{$}}
!from = !tirx.buffer<8x64xf16, global>
!to = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @remote_cta(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c1 = arith.constant 1 : index
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst remote_cta(%c1) {dispatch = "ldgsts"} : !from -> !to
    tirx.cluster_sync
    gpu.return
  }
}

// -----

// The box over which the loop runs is known.

// CHECK: ldgsts_invalid.mlir:[[@LINE+11]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: is_bounded: dimension 0 has no known bound{{$}}
!from = !tirx.buffer<?x64xf16, global>
!tile = !tirx.buffer<8x64xf16, shared>
!to = !tirx.buffer<?x64xf16, shared, strides = [64, 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_bound(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %n = tirx.dim %src, 0 : !from
    %tile = tirx.alloc : !tile
    %dst = tirx.view %tile offset %c0 sizes [%n] : !tile -> !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// Columns lie side by side.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: unit_stride: the columns of !tirx.buffer<8x64xf16, global, strides = [128, 2]> lie 2 apart{{$}}
!from = !tirx.buffer<8x64xf16, global, strides = [128, 2]>
!to = !tirx.buffer<8x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns_apart(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}

// -----

// The instruction copies at least 4 bytes; three halves are 2 and 2 and 2.

// CHECK: ldgsts_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy_async' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  ldgsts: at_least_four_bytes: only 2 at a time{{$}}
!from = !tirx.buffer<8x3xf16, global>
!to = !tirx.buffer<8x3xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @odd_halves(%src: !from) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %dst = tirx.alloc : !to
    tirx.copy_async cta %src -> %dst {dispatch = "ldgsts"} : !from -> !to
    gpu.return
  }
}
