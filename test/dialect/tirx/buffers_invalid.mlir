// RUN: pto-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{unknown memory scope 'shmem'; it is one of global, shared, local}}
func.func private @unknown_scope(!tirx.buffer<4xf32, shmem>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'index'}}
func.func private @index_elements(!tirx.buffer<4xindex, shared>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @elements_of_i4(!tirx.buffer<4xi4, shared>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i128'}}
func.func private @elements_of_i128(!tirx.buffer<4xi128, shared>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'f8E4M3FN'}}
func.func private @elements_of_f8E4M3FN(!tirx.buffer<4xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'tf32'}}
func.func private @elements_of_tf32(!tirx.buffer<4xtf32, shared>)

// -----

// expected-error @+1 {{the layout has 1 strides for 2 dimensions}}
func.func private @layout_of_other_rank(!tirx.buffer<4x4xf32, shared, strides = [1]>)

// -----

func.func @alloc_global() {
  // expected-error @+1 {{'tirx.alloc' op allocates shared or local memory; global memory comes from the kernel's arguments}}
  %a = tirx.alloc : !tirx.buffer<4xf32, global>
  return
}

// -----

func.func @alloc_dynamic() {
  // expected-error @+1 {{'tirx.alloc' op needs a static shape and layout}}
  %a = tirx.alloc : !tirx.buffer<?xf32, shared>
  return
}

// -----

func.func @alloc_strided() {
  // expected-error @+1 {{'tirx.alloc' op of local memory is row-major, or has shards}}
  %a = tirx.alloc : !tirx.buffer<4x4xf32, local, strides = [1, 4]>
  return
}

// -----

func.func @alloc_local_at_address() {
  // expected-error @+1 {{'tirx.alloc' op has an address, which only shared buffers have}}
  %a = tirx.alloc at 16 : !tirx.buffer<4xf32, local>
  return
}

// -----

func.func @alloc_at_negative_address() {
  // expected-error-re @+1 {{'tirx.alloc' op {{.*}}address -16}}
  %a = tirx.alloc at -16 : !tirx.buffer<4xf32, shared>
  return
}

// -----

func.func @alloc_at_misaligned_address() {
  // expected-error-re @+1 {{'tirx.alloc' op {{.*}}address 3}}
  %a = tirx.alloc at 3 : !tirx.buffer<4xf32, shared>
  return
}

// -----

func.func @view_changes_elements(%p: !tirx.buffer<f32, global>, %o: index) {
  // expected-error @+1 {{'tirx.view' op keeps the element type and the memory scope}}
  %0 = tirx.view %p offset %o : !tirx.buffer<f32, global> -> !tirx.buffer<4xf16, global>
  return
}

// -----

func.func @view_changes_scope(%p: !tirx.buffer<f32, global>, %o: index) {
  // expected-error @+1 {{'tirx.view' op keeps the element type and the memory scope}}
  %0 = tirx.view %p offset %o : !tirx.buffer<f32, global> -> !tirx.buffer<4xf32, shared>
  return
}

// -----

func.func @view_lacks_sizes(%p: !tirx.buffer<f32, global>, %o: index) {
  // expected-error @+1 {{'tirx.view' op has 1 sizes for 2 ? in the result type}}
  %0 = tirx.view %p offset %o sizes [%o] strides [%o]
     : !tirx.buffer<f32, global> -> !tirx.buffer<?x?xf32, global, strides = [?, 1]>
  return
}

// -----

func.func @view_lacks_strides(%p: !tirx.buffer<f32, global>, %o: index) {
  // expected-error @+1 {{'tirx.view' op has 0 strides for 1 ? in the result type}}
  %0 = tirx.view %p offset %o : !tirx.buffer<f32, global> -> !tirx.buffer<4x4xf32, global, strides = [?, 1]>
  return
}

// -----

func.func @subview_changes_strides(%b: !tirx.buffer<16x16xf32, shared>, %i: index) {
  // expected-error @+1 {{'tirx.subview' op keeps the element type, the memory scope, the strides and the swizzle}}
  %s = tirx.subview %b[%i, %i] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<8x8xf32, shared>
  return
}

// -----

func.func @subview_lacks_offsets(%b: !tirx.buffer<16x16xf32, shared>, %i: index) {
  // expected-error @+1 {{'tirx.subview' op has 1 offsets for 2 dimensions}}
  %s = tirx.subview %b[%i] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<8x16xf32, shared>
  return
}

// -----

func.func @subview_too_large(%b: !tirx.buffer<16x16xf32, shared>, %i: index) {
  // expected-error @+1 {{'tirx.subview' op takes elements 0 to 17 of dimension 0, which has 16}}
  %s = tirx.subview %b[%i, %i] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<17x16xf32, shared>
  return
}

// -----

func.func @dim_beyond_rank(%b: !tirx.buffer<16x16xf32, shared>) {
  // expected-error @+1 {{'tirx.dim' op dimension 2 of a buffer of rank 2}}
  %d = tirx.dim %b, 2 : !tirx.buffer<16x16xf32, shared>
  return
}

// -----

func.func @negative_dim(%b: !tirx.buffer<16x16xf32, shared>) {
  // expected-error @+1 {{'tirx.stride' op dimension -1 of a buffer of rank 2}}
  %d = tirx.stride %b, -1 : !tirx.buffer<16x16xf32, shared>
  return
}

// -----

func.func @reshape_to_other_lanes(%b: !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>) {
  // expected-error @+1 {{'tirx.reshape' op keeps the element type, the shards and the replicas of a distributed buffer}}
  %r = tirx.reshape %b : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    -> !tirx.buffer<4x8xf32, local, shards = [4 : 1@laneid, 8 : 4@laneid]>
  return
}
