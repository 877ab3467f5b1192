// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_variant(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error-re @+1 {{'tirx.copy' op has no variant 'tma'; its variants are {{.*}}vector, {{.*}}scalar}}
    tirx.copy cta %s -> %s {dispatch = "tma"} : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

// Clusters and grids have no variant.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_scope(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy cluster %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

// A warp has 32 threads, a warpgroup 128: a CTA consists of whole ones.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @part_of_a_warp(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy warp %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @part_of_a_warpgroup(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy warpgroup %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unbounded_fill(%x: f32, %d: !tirx.buffer<?x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.fill' op has no variant for sm_90a that applies}}
    tirx.fill cta %x -> %d : f32 -> !tirx.buffer<?x16xf32, global>
    gpu.return
  }
}

// -----

// expected-error @+1 {{unknown target 'sm_42'; it is one of sm_80, sm_90, sm_90a, sm_100a, sm_120a}}
gpu.module @m [#nvvm.target<chip = "sm_42">] {
  gpu.func @unknown_target() kernel {
    gpu.return
  }
}

// -----

// expected-error @+1 {{has no '#nvvm.target<chip = ...>'}}
gpu.module @m {
  gpu.func @no_target() kernel {
    gpu.return
  }
}

// -----

// The loops of a primitive step by the number of threads.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error-re @+1 {{'gpu.func' op {{.*}}known_block_size}}
  gpu.func @no_block_size(%s: !tirx.buffer<16x16xf32, global>) kernel {
    tirx.copy cta %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

// A primitive outside of a kernel would be left as it is.

func.func @outside_of_a_kernel(%s: !tirx.buffer<16x16xf32, global>) {
  // expected-error-re @+1 {{'tirx.copy' op {{.+}}}}
  tirx.copy cta %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
  return
}

// -----

// Lowerings number the threads of a CTA in one dimension.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_block_size = array<i32: THREADS, 1, 1>, 1 to 1024 threads in one dimension}}
  gpu.func @two_dimensions() kernel attributes {known_block_size = array<i32: 32, 4, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // expected-error @+1 {{'gpu.func' op needs known_block_size = array<i32: THREADS, 1, 1>, 1 to 1024 threads in one dimension}}
  gpu.func @too_many_threads() kernel attributes {known_block_size = array<i32: 2048, 1, 1>} {
    gpu.return
  }
}
