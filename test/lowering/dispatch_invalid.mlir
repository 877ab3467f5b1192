// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_variant(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error-re @+1 {{'tirx.copy' op has no variant 'tma'; its variants are {{.*}}vector, {{.*}}scalar}}
    tirx.copy cta %s -> %s {dispatch = "tma"} : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_scope(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy warp %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy_of_one_dimension(%s: !tirx.buffer<16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy cta %s -> %s : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy_of_no_dimension(%s: !tirx.buffer<f32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy cta %s -> %s : !tirx.buffer<f32, global> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reduction_of_one_dimension() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, shared>
    // expected-error @+1 {{'tirx.sum' op has no variant for sm_90a that applies}}
    tirx.sum cta %s -> %d axes [0] : !tirx.buffer<16xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic_fill(%x: f32, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %d = tirx.subview %a[%c0, %c0] sizes [%n] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x16xf32, shared>
    // expected-error @+1 {{'tirx.fill' op has no variant for sm_90a that applies}}
    tirx.fill cta %x -> %d : f32 -> !tirx.buffer<?x16xf32, shared>
    gpu.return
  }
}

// -----

// Local memory is each thread's own: the threads of a CTA cannot share the work of filling it.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @local_memory(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tirx.alloc : !tirx.buffer<16x16xf32, local>
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, local>
    gpu.return
  }
}

// -----

// Elements that are no whole bytes cannot be addressed.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elements_of_four_bits(%s: !tirx.buffer<16x16xi4, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no variant for sm_90a that applies}}
    tirx.copy cta %s -> %s : !tirx.buffer<16x16xi4, global> -> !tirx.buffer<16x16xi4, global>
    gpu.return
  }
}

// -----

// Reductions compute in types that have arithmetic.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f8_arithmetic() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4x16xf8E4M3FN, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf8E4M3FN, shared>
    // expected-error @+1 {{'tirx.sum' op has no variant for sm_90a that applies}}
    tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf8E4M3FN, shared> -> !tirx.buffer<1x16xf8E4M3FN, shared>
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
