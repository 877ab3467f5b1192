// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced variant of one thread whose rules do not hold: one error at the
// operation, with every reason.

// sm100_packed is for one thread; what a CTA shares is not local.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: exec_scope(thread): it is cta; local_scope: !tirx.buffer<32xf32, shared>{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_exec_scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, shared>
    tirx.sum cta %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<32xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

// Source and destination are local.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: local_scope: !tirx.buffer<32xf32, shared>{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_local_scope() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<32xf32, shared> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// There is one result.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: dst_len(1): !tirx.buffer<2xf32, local>; src_ndim(1): the source has 2 dimensions{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_dst_len() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<8x2xf32, local>
    %d = tirx.alloc : !tirx.buffer<2xf32, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<8x2xf32, local> -> !tirx.buffer<2xf32, local>
    gpu.return
  }
}

// -----

// The source is a vector: a dimension of 1 counts.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: src_ndim(1): the source has 2 dimensions{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_src_ndim() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<1x32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1x1xf32, local>
    tirx.sum thread %s -> %d axes [1] {dispatch = "sm100_packed"} : !tirx.buffer<1x32xf32, local> -> !tirx.buffer<1x1xf32, local>
    gpu.return
  }
}

// -----

// The elements are f32.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: dtype(f32): f16{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_dtype() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf16, local>
    %d = tirx.alloc : !tirx.buffer<1xf16, local>
    tirx.max thread %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<32xf16, local> -> !tirx.buffer<1xf16, local>
    gpu.return
  }
}

// -----

// Blackwell and newer have packed instructions.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: needs_sm(100): sm_90a < 100{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @packed_sm_version() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// A chunk is eight elements.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: reduction_len(8): 7 elements{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_reduction_len() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<7xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "sm100_packed"} : !tirx.buffer<7xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// A strict sum has one order.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  sm100_packed: order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order){{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @packed_strict() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.sum thread %s -> %d axes [0] {strict, dispatch = "sm100_packed"} : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// f16x2 is for partial results in the element type.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  f16x2: half: partial results are f32, elements f16{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pairs_half() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf16, local>
    %d = tirx.alloc : !tirx.buffer<1xf16, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "f16x2"} : !tirx.buffer<32xf16, local> -> !tirx.buffer<1xf16, local>
    gpu.return
  }
}

// -----

// Instructions on two bf16 need sm_90.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_80 that applies:
// CHECK-NEXT:{{^}}  f16x2: half: bf16 pairs need sm_90, not sm_80{{$}}
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @pairs_bf16() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xbf16, local>
    %d = tirx.alloc : !tirx.buffer<1xbf16, local>
    tirx.max thread %s -> %d axes [0] {dispatch = "f16x2"} : !tirx.buffer<32xbf16, local> -> !tirx.buffer<1xbf16, local>
    gpu.return
  }
}

// -----

// The elements are halves.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  f16x2: half: f32{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pairs_f32() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.max thread %s -> %d axes [0] {dispatch = "f16x2"} : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// One pair is not enough.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  f16x2: at_least_four: 3 elements{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pairs_too_few() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<3xf16, local>
    %d = tirx.alloc : !tirx.buffer<1xf16, local>
    tirx.max thread %s -> %d axes [0] {dispatch = "f16x2"} : !tirx.buffer<3xf16, local> -> !tirx.buffer<1xf16, local>
    gpu.return
  }
}

// -----

// local is for one thread.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  local: exec_scope(thread): it is warp{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @local_scope() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, shared>
    tirx.sum warp %s -> %d axes [0] {dispatch = "local"} : !tirx.buffer<32xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

// It is unrolled, up to 4096 elements.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  local: is_short(4096): 4097 elements{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @local_too_long() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4097xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.sum thread %s -> %d axes [0] {dispatch = "local"} : !tirx.buffer<4097xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// It reorders.

// CHECK: forced_thread_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.prod' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  local: order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order){{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @local_strict() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.prod thread %s -> %d axes [0] {strict, dispatch = "local"} : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}
