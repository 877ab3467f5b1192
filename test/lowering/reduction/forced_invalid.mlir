// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced variant whose rules do not hold: one error at the operation, with every reason.

// sm100_packed is for one thread; what a CTA shares is not local.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_80 that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.prod' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  local: order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order){{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @local_strict() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local>
    %d = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.prod thread %s -> %d axes [0] {strict, dispatch = "local"} : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    gpu.return
  }
}

// -----

// redux has f32 on sm_100a only.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync of f32 needs sm_100a, not sm_90a{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @redux_f32() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.max warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// sm_120a does not have it.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.min' op has no variant for sm_120a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync of f32 needs sm_100a, not sm_120a{{$}}
gpu.module @m [#nvvm.target<chip = "sm_120a">] {
  gpu.func @redux_f32_on_120() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.min warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// There are no sums of f32.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync has no tirx.sum of f32{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @redux_f32_sum() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// There are no products.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.prod' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync has no tirx.prod of i32{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @redux_product() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xi32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xi32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.prod warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<32xi32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xi32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// Integers have 32 bits.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync has no tirx.sum of i64{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @redux_i64() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xi64, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xi64, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<32xi64, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xi64, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// It does not flush subnormals.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_100a that applies:
// CHECK-NEXT:{{^}}  redux: has_instruction: redux.sync has no tirx.max of f32 with ftz{{$}}
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @redux_ftz() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.max warp %s -> %d axes [0] {ftz, dispatch = "redux"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// It is over all lanes.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  redux: all_lanes: it is over 8{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @redux_some_lanes() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<8x4xi32, local, shards = [8 : 4@laneid, 4 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1x4xi32, local, shards = [1 : 1, 4 : 1@laneid], replicas = [8 : 4@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "redux"} : !tirx.buffer<8x4xi32, local, shards = [8 : 4@laneid, 4 : 1@laneid]> -> !tirx.buffer<1x4xi32, local, shards = [1 : 1, 4 : 1@laneid], replicas = [8 : 4@laneid]>
    gpu.return
  }
}

// -----

// shuffle is over lanes alone.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shuffle: only(laneid): it reduces over ['m', 'laneid']{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffle_registers() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32x2xf32, local, shards = [32 : 1@laneid, 2 : 1]>
    %d = tirx.alloc : !tirx.buffer<1x1xf32, local, shards = [1 : 1, 1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0, 1] {dispatch = "shuffle"} : !tirx.buffer<32x2xf32, local, shards = [32 : 1@laneid, 2 : 1]> -> !tirx.buffer<1x1xf32, local, shards = [1 : 1, 1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// It is for buffers that are distributed over them.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shuffle: distributed: !tirx.buffer<32xf32, shared> is not; only(laneid): it reduces over none{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffle_memory() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, shared>
    tirx.sum warp %s -> %d axes [0] {dispatch = "shuffle"} : !tirx.buffer<32xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

// The results stay in their lanes.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shuffle: layouts_agree: the results lie in [4 : 1@laneid] by !tirx.buffer<8x4xf32, local, shards = [8 : 4@laneid, 4 : 1@laneid]>, not [4 : 8@laneid]{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffle_layout() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<8x4xf32, local, shards = [8 : 4@laneid, 4 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1x4xf32, local, shards = [1 : 1, 4 : 8@laneid], replicas = [8 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "shuffle"} : !tirx.buffer<8x4xf32, local, shards = [8 : 4@laneid, 4 : 1@laneid]> -> !tirx.buffer<1x4xf32, local, shards = [1 : 1, 4 : 8@laneid], replicas = [8 : 1@laneid]>
    gpu.return
  }
}

// -----

// The CTA consists of whole warps.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shuffle: whole_scopes: a CTA of 48 threads does not consist of warps{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffle_part_of_a_warp() kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "shuffle"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// It reorders.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shuffle: order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order){{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffle_strict() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {strict, dispatch = "shuffle"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}

// -----

// warps needs a layout that numbers all warps of the scope.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  warps: covers_scope: the layout covers 2 warps, the scope has 4{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warps_cover() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<2xf32, local, shards = [2 : 1@warpid], replicas = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [2 : 1@warpid, 32 : 1@laneid]>
    tirx.sum cta %s -> %d axes [0] {dispatch = "warps"} : !tirx.buffer<2xf32, local, shards = [2 : 1@warpid], replicas = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [2 : 1@warpid, 32 : 1@laneid]>
    gpu.return
  }
}

// -----

// It is over warps alone.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  warps: only(warpid): it reduces over ['laneid']{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warps_lanes() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid], replicas = [2 : 1@warpid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid, 2 : 1@warpid]>
    tirx.sum cta %s -> %d axes [0] {dispatch = "warps"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid], replicas = [2 : 1@warpid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid, 2 : 1@warpid]>
    gpu.return
  }
}

// -----

// levels is for registers, or for more than one level.

// CHECK: forced_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  levels: several: only ['laneid']{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @levels_one() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "levels"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}
