// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @rows_differ(%w: !pto.partition_tensor_view<8x16xf32>) {
  // expected-error @+1 {{'pto.tload' op the window has 8 rows, the tile's valid region 16}}
  %t = pto.tload %w : !pto.partition_tensor_view<8x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @columns_differ(%w: !pto.partition_tensor_view<16x16xf32>, %t: !pto.tile_buf<vec, 16x16xf32, valid=16x8>) {
  // expected-error @+1 {{'pto.tstore' op the window has 16 columns, the tile's valid region 8}}
  pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32, valid=16x8>) outs(%w : !pto.partition_tensor_view<16x16xf32>)
  return
}

// -----

func.func @element_types_differ(%w: !pto.partition_tensor_view<16x16xf32>) {
  // expected-error @+1 {{'pto.tload' op moves between a tile of 'f16' and a window of 'f32'}}
  %t = pto.tload %w : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf16>
  return
}

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func @element_type_unknown(%w: !pto.partition_tensor_view<16x16xi4>) {
  %t = pto.tload %w : !pto.partition_tensor_view<16x16xi4> -> !pto.tile<16x16xi4>
  return
}

// -----

func.func @other_space(%w: !pto.partition_tensor_view<16x16xf32>, %t: !pto.tile_buf<acc, 16x16xf32>) {
  // expected-error @+1 {{'pto.tstore' op moves tiles of space 'vec', not 'acc'}}
  pto.tstore ins(%t : !pto.tile_buf<acc, 16x16xf32>) outs(%w : !pto.partition_tensor_view<16x16xf32>)
  return
}

// -----

func.func @column_major(%w: !pto.partition_tensor_view<16x16xf32>, %t: !pto.tile_buf<vec, 16x16xf32, blayout=col_major>) {
  // expected-error @+1 {{'pto.tload' op moves row-major tiles without boxes (blayout=row_major, slayout=none_box)}}
  pto.tload ins(%w : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32, blayout=col_major>)
  return
}

// -----

func.func @boxes(%w: !pto.partition_tensor_view<16x16xf32>, %t: !pto.tile_buf<vec, 16x16xf32, slayout=row_major>) {
  // expected-error @+1 {{'pto.tload' op moves row-major tiles without boxes (blayout=row_major, slayout=none_box)}}
  pto.tload ins(%w : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32, slayout=row_major>)
  return
}

// -----

func.func @three_dimensions_that_may_be_more_than_1(%v: !pto.tensor_view<?x?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %w = pto.partition_view %v, offsets = [%c0, %c0, %c0], sizes = [%n, %n, %n] : !pto.tensor_view<?x?x?xf32> -> !pto.partition_tensor_view<?x?x?xf32>
  // expected-error @+1 {{'pto.tload' op takes a window with at most 2 dimensions other than 1; of this one dimension 0 is ?, dimension 1 is ?, dimension 2 is ?}}
  %t = pto.tload %w : !pto.partition_tensor_view<?x?x?xf32> -> !pto.tile<4x16xf32, valid=?x?>
  return
}

// -----

func.func @three_dimensions(%w: !pto.partition_tensor_view<2x4x16xf32>) {
  // expected-error @+1 {{'pto.tload' op takes a window with at most 2 dimensions other than 1; of this one dimension 0 is 2, dimension 1 is 4, dimension 2 is 16}}
  %t = pto.tload %w : !pto.partition_tensor_view<2x4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

func.func @unknown_dimension(%w: !pto.partition_tensor_view<1x?x1x4x16xf32>) {
  // expected-error @+1 {{of this one dimension 1 is ?, dimension 3 is 4, dimension 4 is 16}}
  %t = pto.tload %w : !pto.partition_tensor_view<1x?x1x4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

func.func @load_value_of_buffer_type(%w: !pto.partition_tensor_view<16x16xf32>) {
  // expected-error @+1 {{'pto.tload' op result #0 must be a tile value, but got '!pto.tile_buf<vec, 16x16xf32>'}}
  %t = pto.tload %w : !pto.partition_tensor_view<16x16xf32> -> !pto.tile_buf<vec, 16x16xf32>
  return
}

// -----

func.func @neither_form(%w: !pto.partition_tensor_view<16x16xf32>) {
  // expected-error @+1 {{'pto.tload' op has either a result or a tile in 'outs'}}
  "pto.tload"(%w) : (!pto.partition_tensor_view<16x16xf32>) -> ()
  return
}

// -----

func.func @load_from_a_view(%v: !pto.tensor_view<16x16xf32>) {
  // expected-error @+1 {{'pto.tload' op operand #0 must be a window of a tensor view, but got '!pto.tensor_view<16x16xf32>'}}
  %t = pto.tload %v : !pto.tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
  return
}
