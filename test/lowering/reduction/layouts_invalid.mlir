// RUN: pto-opt --split-input-file --verify-diagnostics %s

// Shards and replicas number all lanes of a warp, each once.

// expected-error @+1 {{shards and replicas cover 16 lanes; a warp has 32 (replicas hold copies)}}
func.func private @half_a_warp(!tirx.buffer<16xf32, local, shards = [16 : 1@laneid]>)

// -----

// expected-error @+1 {{shards and replicas cover 64 lanes; a warp has 32 (replicas hold copies)}}
func.func private @two_warps(!tirx.buffer<64xf32, local, shards = [64 : 1@laneid]>)

// -----

// expected-error @+1 {{shards and replicas over @laneid leave gaps or overlap: no stride is 1}}
func.func private @every_second_lane(!tirx.buffer<16xf32, local, shards = [16 : 2@laneid]>)

// -----

// expected-error @+1 {{shards and replicas over @laneid leave gaps or overlap: no stride is 8}}
func.func private @lanes_twice(!tirx.buffer<8x4xf32, local, shards = [8 : 1@laneid, 4 : 4@laneid]>)

// -----

// expected-error @+1 {{shards and replicas over @laneid leave gaps or overlap: no stride is 8}}
func.func private @copies_in_the_same_lanes(!tirx.buffer<8xf32, local, shards = [8 : 1@laneid], replicas = [4 : 1@laneid]>)

// -----

// expected-error @+1 {{shards and replicas over @warpid leave gaps or overlap: no stride is 1}}
func.func private @every_second_warp(!tirx.buffer<2x32xf32, local, shards = [2 : 2@warpid, 32 : 1@laneid]>)

// -----

// expected-error @+1 {{the extents of the shards do not multiply to the shape}}
func.func private @other_shape(!tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 8 : 1]>)

// -----

// expected-error @+1 {{the extents of the shards do not multiply to the shape}}
func.func private @shard_across_dimensions(!tirx.buffer<8x8xf32, local, shards = [2 : 32, 32 : 1@laneid]>)

// -----

// expected-error @+1 {{shared memory lies in one CTA; its shards are over memory, not @laneid}}
func.func private @shards_of_shared_memory(!tirx.buffer<32xf32, shared, shards = [32 : 1@laneid]>)

// -----

// expected-error @+1 {{replicas are over @laneid or @warpid}}
func.func private @copies_in_a_thread(!tirx.buffer<32xf32, local, shards = [32 : 1@laneid], replicas = [2 : 1]>)

// -----

// expected-error @+1 {{a shard has a positive extent and a stride}}
func.func private @shard_of_nothing(!tirx.buffer<0xf32, local, shards = [0 : 1@laneid]>)

// -----

// expected-error @+1 {{unknown axis '@thread'; it is one of @laneid, @warpid, @m}}
func.func private @unknown_axis(!tirx.buffer<32xf32, local, shards = [32 : 1@thread]>)

// -----

// expected-error @+1 {{unknown layout parameter 'copies'; it is strides, shards, replicas or swizzle}}
func.func private @unknown_parameter(!tirx.buffer<32xf32, local, copies = [32 : 1@laneid]>)

// -----

// No two elements of a thread lie in one place of its storage.

// expected-error-re @+1 {{{{.*overlap.*}}}}
func.func private @storage_overlaps(!tirx.buffer<32x2x2xf32, local, shards = [32 : 1@laneid, 2 : 1, 2 : 1]>)
