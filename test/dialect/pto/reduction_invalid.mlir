// RUN: pto-opt --split-input-file --verify-diagnostics %s

// The general constraints of TCOLPROD.

func.func @source_space(%s: !pto.tile_buf<mat, 16x16xf32>, %d: !pto.tile_buf<vec, 1x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op source must be a tile of space 'vec', not 'mat'}}
  pto.tcolprod ins(%s : !pto.tile_buf<mat, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

func.func @destination_space(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op destination must be a tile of space 'vec', not 'acc'}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<acc, 1x16xf32>
  return
}

// -----

func.func @source_column_major(%s: !pto.tile<16x16xf32, blayout=col_major>) {
  // expected-error @+1 {{'pto.tcolprod' op source must be row-major without boxes (blayout=row_major, slayout=none_box)}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32, blayout=col_major> -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @source_boxes(%s: !pto.tile<16x16xf32, slayout=row_major>) {
  // expected-error @+1 {{'pto.tcolprod' op source must be row-major without boxes (blayout=row_major, slayout=none_box)}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32, slayout=row_major> -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @destination_column_major(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op destination must be row-major without boxes (blayout=row_major, slayout=none_box)}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32, blayout=col_major>
  return
}

// -----

func.func @destination_boxes(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op destination must be row-major without boxes (blayout=row_major, slayout=none_box)}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32, slayout=col_major>
  return
}

// -----

func.func @element_types_differ(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op element types differ: source 'f32', destination 'f16'}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf16>
  return
}

// -----

func.func @signedness_differs(%s: !pto.tile<16x16xi32>) {
  // expected-error @+1 {{'pto.tcolprod' op element types differ: source 'i32', destination 'ui32'}}
  %d = pto.tcolprod %s : !pto.tile<16x16xi32> -> !pto.tile<1x16xui32>
  return
}

// -----

func.func @valid_columns_differ(%s: !pto.tile<16x16xf32, valid=16x8>) {
  // expected-error @+1 {{'pto.tcolprod' op valid columns differ: source 8, destination 16}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32, valid=16x8> -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @valid_columns_differ_in_buffers(%s: !pto.tile_buf<vec, 16x16xf32>, %d: !pto.tile_buf<vec, 1x32xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op valid columns differ: source 16, destination 32}}
  pto.tcolprod ins(%s : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x32xf32>)
  return
}

// -----

func.func @destination_rows(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op destination must have 1 valid row, not 2}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<2x16xf32>
  return
}

// -----

func.func @destination_empty(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op destination must have 1 valid row, not 0}}
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32, valid=0x16>
  return
}

// -----

func.func @value_to_buffer(%s: !pto.tile<16x16xf32>, %d: !pto.tile_buf<vec, 1x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op takes tile values or tile buffers, not one of each}}
  pto.tcolprod ins(%s : !pto.tile<16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

func.func @buffer_to_value(%s: !pto.tile_buf<vec, 16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op takes tile values or tile buffers, not one of each}}
  %d = pto.tcolprod %s : !pto.tile_buf<vec, 16x16xf32> -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @no_destination(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op has either a result or a tile in 'outs'}}
  "pto.tcolprod"(%s) : (!pto.tile<16x16xf32>) -> ()
  return
}

// -----

func.func @two_destinations(%s: !pto.tile_buf<vec, 16x16xf32>, %b: !pto.tile_buf<vec, 1x16xf32>) {
  // expected-error @+1 {{'pto.tcolprod' op has either a result or a tile in 'outs'}}
  %d = "pto.tcolprod"(%s, %b) : (!pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 1x16xf32>) -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @fastmath_as_attribute(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{custom op 'pto.tcolprod' fast-math flags are written fastmath<...>}}
  %d = pto.tcolprod %s {fastmath = 5 : i32} : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  return
}

// -----

func.func @unknown_fastmath(%s: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags}}
  %d = "pto.tcolprod"(%s) {fastmath = 5 : i32} : (!pto.tile<16x16xf32>) -> !pto.tile<1x16xf32>
  return
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_tcolsum(%s: !pto.tile<4x16xf64>) {
    // expected-error @+1 {{'pto.tcolsum' op does not take elements of type 'f64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolsum %s : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_tcolmax(%s: !pto.tile<4x16xf64>) {
    // expected-error @+1 {{'pto.tcolmax' op does not take elements of type 'f64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolmax %s : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_tcolmin(%s: !pto.tile<4x16xf64>) {
    // expected-error @+1 {{'pto.tcolmin' op does not take elements of type 'f64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolmin %s : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_bf16(%s: !pto.tile<4x16xbf16>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'bf16' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_f64(%s: !pto.tile<4x16xf64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'f64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_i8(%s: !pto.tile<4x16xi8>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'i8' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xi8> -> !pto.tile<1x16xi8>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_i64(%s: !pto.tile<4x16xi64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'i64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xi64> -> !pto.tile<1x16xi64>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_ui8(%s: !pto.tile<4x16xui8>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui8' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui8> -> !pto.tile<1x16xui8>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_ui16(%s: !pto.tile<4x16xui16>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui16' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui16> -> !pto.tile<1x16xui16>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_ui32(%s: !pto.tile<4x16xui32>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui32' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui32> -> !pto.tile<1x16xui32>
    return
  }
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @a2a3_ui64(%s: !pto.tile<4x16xui64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui64' in profile 'a2a3'; it takes f16, f32, i16, i32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui64> -> !pto.tile<1x16xui64>
    return
  }
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @a5_f64(%s: !pto.tile<4x16xf64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'f64' in profile 'a5'; it takes f16, f32, bf16, i16, ui16, i32, ui32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
    return
  }
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @a5_i8(%s: !pto.tile<4x16xi8>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'i8' in profile 'a5'; it takes f16, f32, bf16, i16, ui16, i32, ui32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xi8> -> !pto.tile<1x16xi8>
    return
  }
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @a5_i64(%s: !pto.tile<4x16xi64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'i64' in profile 'a5'; it takes f16, f32, bf16, i16, ui16, i32, ui32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xi64> -> !pto.tile<1x16xi64>
    return
  }
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @a5_ui8(%s: !pto.tile<4x16xui8>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui8' in profile 'a5'; it takes f16, f32, bf16, i16, ui16, i32, ui32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui8> -> !pto.tile<1x16xui8>
    return
  }
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @a5_ui64(%s: !pto.tile<4x16xui64>) {
    // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'ui64' in profile 'a5'; it takes f16, f32, bf16, i16, ui16, i32, ui32}}
    %d = pto.tcolprod %s : !pto.tile<4x16xui64> -> !pto.tile<1x16xui64>
    return
  }
}

// -----

// The nearest profile decides.

module attributes {pto.profile = "a5"} {
  module attributes {pto.profile = "a2a3"} {
    func.func @nested_profile(%s: !pto.tile<4x16xbf16>) {
      // expected-error @+1 {{'pto.tcolprod' op does not take elements of type 'bf16' in profile 'a2a3'; it takes f16, f32, i16, i32}}
      %d = pto.tcolprod %s : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
      return
    }
  }
}
