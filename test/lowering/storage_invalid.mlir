// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @address_outside_the_space() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{lies at bytes 232384 to 232640, outside the 232448 bytes of shared memory that a CTA has on sm_90a}}
    %s = tirx.alloc at 232384 : !tirx.buffer<4x16xf32, shared>
    gpu.return
  }
}

// -----

// What is needed and what there is; how much that is depends on the chip.

gpu.module @m [#nvvm.target<chip = "sm_120a">] {
  gpu.func @too_large() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{need 131072 bytes of shared memory; a CTA on sm_120a has 101376:}}
    %s = tirx.alloc : !tirx.buffer<256x128xf32, shared>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @too_many() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tirx.alloc : !tirx.buffer<128x128xf32, shared>
    // expected-error @+1 {{'tirx.alloc' op is the largest of the kernel's tiles, which need 196608 bytes of shared memory; a CTA on sm_80 has 166912:}}
    %s = tirx.alloc : !tirx.buffer<256x128xf32, shared>
    gpu.return
  }
}

// -----

// Larger than any integer type.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @huge() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{need 85070591730234615865843651857942052864 bytes of shared memory}}
    %s = tirx.alloc : !tirx.buffer<4611686018427387904x4611686018427387904xf32, shared>
    gpu.return
  }
}

// -----

// A buffer has its place at compile time: it cannot be chosen at run time.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @selected_buffer(%a: !tirx.buffer<4x16xf32, global>, %b: !tirx.buffer<4x16xf32, global>, %c: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error-re @+1 {{'arith.select' op {{.+}}}}
    %s = arith.select %c, %a, %b : !tirx.buffer<4x16xf32, global>
    tirx.copy cta %s -> %s : !tirx.buffer<4x16xf32, global> -> !tirx.buffer<4x16xf32, global>
    gpu.return
  }
}
