// RUN: pto-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{unknown layout parameter 'swizzles'; it is strides, shards, replicas or swizzle}}
func.func private @unknown_parameter(!tirx.buffer<8x64xf16, shared, swizzles = [3, 3, 3]>)

// -----

// expected-error @+1 {{unknown axis '@ctaid'; it is one of @laneid, @warpid, @m}}
func.func private @unknown_axis(!tirx.buffer<8x64xf16, shared, shards = [8 : 1@ctaid, 64 : 1]>)

// -----

// expected-error @+1 {{swizzles are for shared memory}}
func.func private @swizzled_global_memory(!tirx.buffer<8x64xf16, global, swizzle = [3, 3, 3]>)

// -----

// expected-error @+1 {{swizzles are for shared memory}}
func.func private @swizzled_local_memory(!tirx.buffer<8x64xf16, local, swizzle = [3, 3, 3]>)

// -----

// expected-error @+1 {{a swizzle is [B, M, S] with B at least 1, S at least B, and B + M + S below 32}}
func.func private @swizzle_of_two(!tirx.buffer<8x64xf16, shared, swizzle = [3, 3]>)

// -----

// expected-error @+1 {{a swizzle is [B, M, S] with B at least 1, S at least B, and B + M + S below 32}}
func.func private @swizzle_of_no_bits(!tirx.buffer<8x64xf16, shared, swizzle = [0, 3, 3]>)

// -----

// Bits that move themselves would put two elements in one place.

// expected-error @+1 {{a swizzle is [B, M, S] with B at least 1, S at least B, and B + M + S below 32}}
func.func private @swizzle_by_less_than_its_bits(!tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 2]>)

// -----

// expected-error @+1 {{a swizzle is [B, M, S] with B at least 1, S at least B, and B + M + S below 32}}
func.func private @swizzle_at_negative_bit(!tirx.buffer<8x64xf16, shared, swizzle = [3, -1, 3]>)

// -----

// expected-error @+1 {{a swizzle is [B, M, S] with B at least 1, S at least B, and B + M + S below 32}}
func.func private @swizzle_beyond_all_memory(!tirx.buffer<8x64xf16, shared, swizzle = [8, 16, 8]>)

// -----

// expected-error @+1 {{shards are for local and shared buffers; global memory has strides}}
func.func private @sharded_global_memory(!tirx.buffer<8x64xf16, global, shards = [8 : 64, 64 : 1]>)

// -----

// expected-error @+1 {{shared memory lies in one CTA; its shards are over memory, not @laneid}}
func.func private @lanes(!tirx.buffer<32x64xf16, shared, shards = [32 : 1@laneid, 64 : 1]>)

// -----

// expected-error @+1 {{shared memory lies in one CTA; its shards are over memory, not @warpid}}
func.func private @warps(!tirx.buffer<4x64xf16, shared, shards = [4 : 1@warpid, 64 : 1]>)

// -----

// expected-error @+1 {{shared memory has no replicas}}
func.func private @replicas(!tirx.buffer<64xf16, shared, shards = [64 : 1], replicas = [32 : 1@laneid]>)

// -----

// expected-error @+1 {{the extents of the shards do not multiply to the shape}}
func.func private @shards_of_another_shape(!tirx.buffer<8x64xf16, shared, shards = [8 : 64, 2 : 512, 64 : 1]>)

// -----

// expected-error @+1 {{the extents of the shards do not multiply to the shape}}
func.func private @shards_across_dimensions(!tirx.buffer<8x64xf16, shared, shards = [16 : 32, 32 : 1]>)

// -----

// expected-error @+1 {{a shard has a positive extent and a stride}}
func.func private @empty_shard(!tirx.buffer<8x64xf16, shared, shards = [8 : 64, 0 : 1]>)

// -----

// expected-error @+1 {{a shard has a positive extent and a stride}}
func.func private @negative_stride(!tirx.buffer<8x64xf16, shared, shards = [8 : -64, 64 : 1]>)

// -----

// Each element has a place of its own.

// expected-error-re @+1 {{overlap: stride 32 lies within the 64 elements of the others}}
func.func private @overlapping_shards(!tirx.buffer<8x64xf16, shared, shards = [8 : 32, 64 : 1]>)

// -----

// expected-error @+1 {{the layout has 1 strides for 2 dimensions}}
func.func private @strides_of_another_rank(!tirx.buffer<8x64xf16, shared, strides = [64], swizzle = [3, 3, 3]>)

// -----

func.func @region_without_the_swizzle(%b: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>, %i: index) {
  // expected-error @+1 {{'tirx.subview' op keeps the element type, the memory scope, the strides and the swizzle}}
  %s = tirx.subview %b[%i, %i] : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> -> !tirx.buffer<4x64xf16, shared>
  return
}

// -----

func.func @region_with_another_swizzle(%b: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>, %i: index) {
  // expected-error @+1 {{'tirx.subview' op keeps the element type, the memory scope, the strides and the swizzle}}
  %s = tirx.subview %b[%i, %i] : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> -> !tirx.buffer<4x64xf16, shared, swizzle = [2, 3, 3]>
  return
}

// -----

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @half_of_a_dimension_with_shards(%b: !tile, %i: index) {
  // expected-error @+1 {{'tirx.subview' op takes 64 of the 128 elements of dimension 1; of a buffer with shards it takes all, or one}}
  %s = tirx.subview %b[%i, %i] : !tile -> !tirx.buffer<64x64xf16, shared, shards = [64 : 1, 64 : 64]>
  return
}

// -----

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @region_with_other_shards(%b: !tile, %i: index) {
  // expected-error @+1 {{'tirx.subview' op keeps the shards of the dimensions that it takes whole}}
  %s = tirx.subview %b[%i, %i] : !tile -> !tirx.buffer<1x128xf16, shared, shards = [2 : 64, 64 : 1]>
  return
}

// -----

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @region_beyond_shards(%b: !tile, %i: index) {
  %c64 = arith.constant 64 : index
  // expected-error @+1 {{'tirx.subview' op takes elements 64 to 65 of dimension 0, which has 64}}
  %s = tirx.subview %b[%c64, %i] : !tile -> !tirx.buffer<1x128xf16, shared, shards = [2 : 8192, 64 : 64]>
  return
}

// -----

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @view_of_shards(%b: !tile, %i: index) {
  // expected-error @+1 {{'tirx.view' op is of memory with strides, not of a buffer with shards}}
  %s = tirx.view %b offset %i : !tile -> !tirx.buffer<64xf16, shared>
  return
}

// -----

!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
func.func @view_of_a_swizzle(%b: !tile, %i: index) {
  // expected-error @+1 {{'tirx.view' op is of memory without a swizzle}}
  %s = tirx.view %b offset %i : !tile -> !tirx.buffer<64xf16, shared>
  return
}

// -----

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @stride_of_a_dimension_with_shards(%b: !tile) {
  // expected-error @+1 {{'tirx.stride' op asks for one stride of a dimension with shards}}
  %s = tirx.stride %b, 1 : !tile
  return
}

// -----

// A part of a thread's own is not a part of shared memory.

!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @own_part_of_shared_memory(%b: !tile) {
  // expected-error @+1 {{'tirx.own' op takes a local buffer with shards}}
  %s = tirx.own %b : !tile -> !tirx.buffer<64x2x64xf16, local>
  return
}

// -----

func.func @negative_strides() {
  // expected-error @+1 {{'tirx.alloc' op needs strides that are not negative}}
  %a = tirx.alloc : !tirx.buffer<4x64xf16, shared, strides = [-64, 1]>
  return
}

// -----

// expected-error @+1 {{'strides' is given twice}}
func.func private @twice(!tirx.buffer<128xf16, shared, strides = [128], strides = [1]>)

// -----

// expected-error @+1 {{a layout has strides or shards, not both}}
func.func private @both(!tirx.buffer<8xf16, shared, strides = [1], shards = [8 : 1]>)
