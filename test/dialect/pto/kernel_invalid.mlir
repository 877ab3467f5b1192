// RUN: pto-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{'pto.kernel' op has no results; write them to its arguments}}
pto.kernel @results() -> f32 {
  %i = get_block_idx
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not '!pto.tile<1x16xf32>'}}
pto.kernel @tile_argument(%t: !pto.tile<1x16xf32>) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'memref<4xf32>'}}
pto.kernel @memref_argument(%m: memref<4xf32>) {
}

// -----

// expected-error @+1 {{expected '{' to begin a region}}
pto.kernel @declaration(%p: !pto.ptr<f32>)

// -----

// expected-error @+1 {{'pto.kernel' op expects region #0 to have 0 or 1 blocks}}
pto.kernel @several_blocks() {
  cf.br ^next
^next:
  pto.return
}

// -----

pto.kernel @unknown_operation(%p: !pto.ptr<f32>) {
  // expected-error @+1 {{custom op 'tcolmul' is unknown (tried 'pto.tcolmul' as well)}}
  tcolmul %p
}

// -----

// expected-note @+1 {{see existing symbol definition here}}
pto.kernel @twice(%p: !pto.ptr<f32>) {
}

// expected-error @+1 {{redefinition of symbol named 'twice'}}
pto.kernel @twice(%p: !pto.ptr<f32>) {
}

// -----

// expected-error @+1 {{'pto.grid' must be an integer from 1 to 2147483647}}
pto.kernel @grid_of_zero(%p: !pto.ptr<f32>) attributes {pto.grid = 0} {
}

// -----

// expected-error @+1 {{'pto.grid' must be an integer from 1 to 2147483647}}
pto.kernel @grid_text(%p: !pto.ptr<f32>) attributes {pto.grid = "4"} {
}

// -----

// expected-error @+1 {{'pto.block' must be an integer from 1 to 1024}}
pto.kernel @block_too_large(%p: !pto.ptr<f32>) attributes {pto.block = 1025} {
}

// -----

// expected-error @+1 {{unknown profile "a4"; 'pto.profile' is "a2a3" or "a5"}}
module attributes {pto.profile = "a4"} {
}

// -----

// expected-error @+1 {{'pto.target' must be a string such as "sm_90a"}}
module attributes {pto.target = 90} {
}

// -----

func.func @return_outside_a_kernel() {
  // expected-error @+1 {{'pto.return' op expects parent op 'pto.kernel'}}
  pto.return
}

// -----

// expected-error @+1 {{'pto.grid' must be an integer from 1 to 2147483647}}
pto.kernel @unsigned_grid(%p: !pto.ptr<f32>) attributes {pto.grid = 0 : ui32} {
}

// -----

// A launch can pass signless integers of whole bytes, index and floats.

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'i0'}}
pto.kernel @scalar_without_bits(%n: i0) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'i1'}}
pto.kernel @scalar_truth(%n: i1) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'i24'}}
pto.kernel @scalar_odd_width(%n: i24) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'ui8'}}
pto.kernel @scalar_unsigned(%n: ui8) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'tf32'}}
pto.kernel @scalar_tf32(%n: tf32) {
}

// -----

// expected-error @+1 {{'pto.kernel' op takes pointers, tensor views and scalars (index, i8 to i64, f16, bf16, f32, f64), not 'i128'}}
pto.kernel @scalar_wide(%n: i128) {
}
