// RUN: pto-opt --split-input-file --verify-diagnostics %s

// A scope that the buffers' layouts contradict.

func.func @thread_of_a_distributed_buffer() {
  %s = tirx.alloc : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>
  %d = tirx.alloc : !tirx.buffer<32x1xf32, local, shards = [32 : 1@laneid, 1 : 1]>
  // expected-error @+1 {{'tirx.sum' op is executed by a thread, but '!tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>' lies in several; take the thread's part with tirx.own}}
  tirx.sum thread %s -> %d axes [1] : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]> -> !tirx.buffer<32x1xf32, local, shards = [32 : 1@laneid, 1 : 1]>
  return
}

// -----

func.func @warp_of_a_thread_s_buffer() {
  %s = tirx.alloc : !tirx.buffer<32xf32, local>
  %d = tirx.alloc : !tirx.buffer<1xf32, local>
  // expected-error @+1 {{'tirx.max' op is executed by a warp, but '!tirx.buffer<32xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.max warp %s -> %d axes [0] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
  return
}

// -----

func.func @cta_into_a_thread_s_buffer(%s: !tirx.buffer<32xf32, shared>) {
  %d = tirx.alloc : !tirx.buffer<1xf32, local>
  // expected-error @+1 {{'tirx.prod' op is executed by a cta, but '!tirx.buffer<1xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.prod cta %s -> %d axes [0] : !tirx.buffer<32xf32, shared> -> !tirx.buffer<1xf32, local>
  return
}

// -----

func.func @warp_of_a_warpgroup_s_buffer() {
  %s = tirx.alloc : !tirx.buffer<128x4xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 4 : 1]>
  %d = tirx.alloc : !tirx.buffer<128x1xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 1 : 1]>
  // expected-error-re @+1 {{'tirx.min' op is executed by a warp, but {{.*}} lies in several; use 'warpgroup' or 'cta'}}
  tirx.min warp %s -> %d axes [1] : !tirx.buffer<128x4xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 4 : 1]> -> !tirx.buffer<128x1xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 1 : 1]>
  return
}

// -----

// Axes of buffers in local memory.

func.func @axis_beyond_rank() {
  %s = tirx.alloc : !tirx.buffer<32xf32, local>
  %d = tirx.alloc : !tirx.buffer<1xf32, local>
  // expected-error @+1 {{'tirx.sum' op axis 5 is outside 0 to 0}}
  tirx.sum thread %s -> %d axes [5] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
  return
}

// -----

func.func @axis_repeated() {
  %s = tirx.alloc : !tirx.buffer<4x8xf32, local>
  %d = tirx.alloc : !tirx.buffer<1xf32, local>
  // expected-error @+1 {{'tirx.max' op axis 1 is repeated}}
  tirx.max thread %s -> %d axes [1, 0, 1] : !tirx.buffer<4x8xf32, local> -> !tirx.buffer<1xf32, local>
  return
}

// -----

// Fewer results in the destination than the source has would be written out of bounds.

func.func @destination_too_short() {
  %s = tirx.alloc : !tirx.buffer<4x8xf32, local>
  %d = tirx.alloc : !tirx.buffer<3xf32, local>
  // expected-error @+1 {{'tirx.sum' op reduces '!tirx.buffer<4x8xf32, local>' over axes 1; the destination '!tirx.buffer<3xf32, local>' does not fit}}
  tirx.sum thread %s -> %d axes [1] : !tirx.buffer<4x8xf32, local> -> !tirx.buffer<3xf32, local>
  return
}

// -----

func.func @one_dimension_of_two_kept() {
  %s = tirx.alloc : !tirx.buffer<2x4x8xf32, local>
  %d = tirx.alloc : !tirx.buffer<4x1xf32, local>
  // expected-error-re @+1 {{'tirx.sum' op reduces {{.*}} over axes 0, 2; the destination {{.*}} does not fit}}
  tirx.sum thread %s -> %d axes [0, 2] : !tirx.buffer<2x4x8xf32, local> -> !tirx.buffer<4x1xf32, local>
  return
}

// -----

func.func @f64_into_f32() {
  %s = tirx.alloc : !tirx.buffer<8xf64, local>
  %d = tirx.alloc : !tirx.buffer<1xf32, local>
  // expected-error @+1 {{'tirx.sum' op element types differ: source 'f64', destination 'f32'}}
  tirx.sum thread %s -> %d axes [0] : !tirx.buffer<8xf64, local> -> !tirx.buffer<1xf32, local>
  return
}

// -----

func.func @sign_differs() {
  %s = tirx.alloc : !tirx.buffer<8xui32, local>
  %d = tirx.alloc : !tirx.buffer<1xi32, local>
  // expected-error @+1 {{'tirx.max' op element types differ: source 'ui32', destination 'i32'}}
  tirx.max thread %s -> %d axes [0] : !tirx.buffer<8xui32, local> -> !tirx.buffer<1xi32, local>
  return
}

// -----

// Regions outside of their buffers.

func.func @region_ends_outside(%b: !tirx.buffer<16xf32, shared>) {
  %c9 = arith.constant 9 : index
  // expected-error @+1 {{'tirx.subview' op takes elements 9 to 17 of dimension 0, which has 16}}
  %s = tirx.subview %b[%c9] : !tirx.buffer<16xf32, shared> -> !tirx.buffer<8xf32, shared>
  return
}

// -----

func.func @region_begins_before_the_buffer(%b: !tirx.buffer<4x16xf32, shared>) {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  // expected-error @+1 {{'tirx.subview' op begins at -1 in dimension 1}}
  %s = tirx.subview %b[%c0, %m1] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x8xf32, shared, strides = [16, 1]>
  return
}

// -----

func.func @region_of_a_distributed_buffer() {
  %c0 = arith.constant 0 : index
  %b = tirx.alloc : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>
  // expected-error @+1 {{'tirx.subview' op takes a region of a buffer in memory; of a distributed one, take a region of its source}}
  %s = tirx.subview %b[%c0, %c0] : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]> -> !tirx.buffer<32x2xf32, local, strides = [4, 1]>
  return
}

// -----

func.func @part_of_another_shape() {
  %b = tirx.alloc : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>
  // expected-error-re @+1 {{'tirx.own' op makes '!tirx.buffer<32xf32, local>' of {{.*}}; it keeps the shards over the thread's storage}}
  %o = tirx.own %b : !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]> -> !tirx.buffer<32xf32, local>
  return
}

// -----

func.func @part_of_a_buffer_in_memory(%b: !tirx.buffer<32x4xf32, shared>) {
  // expected-error @+1 {{'tirx.own' op takes a local buffer with shards}}
  %o = tirx.own %b : !tirx.buffer<32x4xf32, shared> -> !tirx.buffer<4xf32, local>
  return
}
