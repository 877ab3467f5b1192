// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// A forced variant of warps whose rules do not hold: one error at the
// operation, with every reason.

// redux has f32 on sm_100a only.

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.min' op has no variant for sm_120a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_100a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.prod' op has no variant for sm_100a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.max' op has no variant for sm_100a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
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

// CHECK: forced_warps_invalid.mlir:[[@LINE+6]]:5: error: 'tirx.sum' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  levels: several: only ['laneid']{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @levels_one() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %d = tirx.alloc : !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    tirx.sum warp %s -> %d axes [0] {dispatch = "levels"} : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>
    gpu.return
  }
}
