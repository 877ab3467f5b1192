// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_function() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x16xi32, shared>
    // expected-error @+1 {{known_function: no 'plus'; there are add, sub,}}
    tirx.map cta "plus"(%a, %a) -> %a {dispatch = "shared"}
      : (!tirx.buffer<16x16xi32, shared>, !tirx.buffer<16x16xi32, shared>) -> !tirx.buffer<16x16xi32, shared>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @count() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x16xi32, shared>
    // expected-error @+1 {{known_function: 'add' takes 2 sources, not 1}}
    tirx.map cta "add"(%a) -> %a : (!tirx.buffer<16x16xi32, shared>) -> !tirx.buffer<16x16xi32, shared>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @layouts() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]>
    %b = tirx.alloc : !tirx.buffer<32x8xf32, local, shards = [32 : 1, 4 : 1@laneid, 2 : 32], replicas = [8 : 4@laneid]>
    // expected-error @+1 {{same_layout: !tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]> beside}}
    tirx.map warp "neg"(%a) -> %b
      : (!tirx.buffer<32x8xf32, local, shards = [32 : 1@laneid, 8 : 1]>) -> !tirx.buffer<32x8xf32, local, shards = [32 : 1, 4 : 1@laneid, 2 : 32], replicas = [8 : 4@laneid]>
    gpu.return
  }
}
