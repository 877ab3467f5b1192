// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// Variants that compute addresses from strides say so where there are none.

// CHECK: swizzle_invalid.mlir:[[@LINE+7]]:5: error: 'tirx.copy' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  vector: strided: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> has shards or a swizzle{{$}}
!tile = !tirx.buffer<8x64xf16, shared>
!swizzled = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @vector(%a: !tirx.buffer<8x64xf16, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %b = tirx.alloc : !swizzled
    tirx.copy cta %a -> %b {dispatch = "vector"} : !tirx.buffer<8x64xf16, global> -> !swizzled
    gpu.return
  }
}

// -----

// CHECK: swizzle_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.copy' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  unrolled: strided: !tirx.buffer<8x64xf16, shared, shards = [8 : 32, 2 : 256, 32 : 1]> has shards or a swizzle{{$}}
!sharded = !tirx.buffer<8x64xf16, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unrolled(%a: !tirx.buffer<8x64xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %b = tirx.alloc : !sharded
    tirx.copy thread %a -> %b {dispatch = "unrolled"} : !tirx.buffer<8x64xf16, global> -> !sharded
    gpu.return
  }
}

// -----

// Reductions have no variant for them.

// CHECK: swizzle_invalid.mlir:[[@LINE+10]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK: {{^}}  local: exec_scope(thread): it is cta; strided: !tirx.buffer<8x64xf32, shared, swizzle = [3, 2, 3]> has shards or a swizzle{{$}}
// CHECK: {{^}}  shared: strided: !tirx.buffer<8x64xf32, shared, swizzle = [3, 2, 3]> has shards or a swizzle{{$}}
// CHECK: {{^}}  fold: strided: !tirx.buffer<8x64xf32, shared, swizzle = [3, 2, 3]> has shards or a swizzle{{$}}
!swizzled = !tirx.buffer<8x64xf32, shared, swizzle = [3, 2, 3]>
!out = !tirx.buffer<8x1xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sum() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !swizzled
    %b = tirx.alloc : !out
    tirx.sum cta %a -> %b axes [1] : !swizzled -> !out
    gpu.return
  }
}
