// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @element_types_differ(%a: !pto.tile<16x16xf32>, %b: !pto.tile<16x16xf16>) {
  // expected-error @+1 {{'pto.tadd' op element types differ: source 'f16', destination 'f32'}}
  %d = pto.tadd %a, %b : !pto.tile<16x16xf32>, !pto.tile<16x16xf16> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @valid_rows_differ(%a: !pto.tile<16x16xf32>, %b: !pto.tile<16x16xf32, valid=8x16>) {
  // expected-error @+1 {{'pto.tadd' op valid rows differ: source 8, destination 16}}
  %d = pto.tadd %a, %b : !pto.tile<16x16xf32>, !pto.tile<16x16xf32, valid=8x16> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @valid_columns_differ(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tneg' op valid columns differ: source 16, destination 8}}
  %d = pto.tneg %a : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32, valid=16x8>
  return
}

// -----

func.func @space(%a: !pto.tile<acc, 16x16xf32>) {
  // expected-error @+1 {{'pto.tneg' op source must be a tile of space 'vec', not 'acc'}}
  %d = pto.tneg %a : !pto.tile<acc, 16x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @boxes(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tneg' op destination must be row-major without boxes (blayout=row_major, slayout=none_box)}}
  %d = pto.tneg %a : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32, slayout=row_major>
  return
}

// -----

func.func @bits_of_floats(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tnot' op does not take elements of type 'f32'; it takes i8, i16, i32, i64, ui8, ui16, ui32, ui64}}
  %d = pto.tnot %a : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

module attributes {pto.profile = "a2a3"} {
  func.func @profile(%a: !pto.tile<16x16xf64>) {
    // expected-error @+1 {{'pto.tmax' op does not take elements of type 'f64' in profile 'a2a3'; it takes f16, bf16, f32, i8, i16, i32, ui8, ui16, ui32}}
    %d = pto.tmax %a, %a : !pto.tile<16x16xf64>, !pto.tile<16x16xf64> -> !pto.tile<16x16xf64>
    return
  }
}

// -----

func.func @too_few_operands(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{custom op 'pto.tadd' takes 2 operands, not 1}}
  %d = pto.tadd %a : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @too_many_operands(%a: !pto.tile_buf<vec, 16x16xf32>) {
  // expected-error @+1 {{custom op 'pto.tneg' takes 1 operands, not 2}}
  pto.tneg ins(%a, %a : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
  return
}

// -----

func.func @value_and_buffer(%a: !pto.tile<16x16xf32>, %b: !pto.tile_buf<vec, 16x16xf32>) {
  // expected-error @+1 {{'pto.tadd' op takes tile values or tile buffers, not one of each}}
  %d = pto.tadd %a, %b : !pto.tile<16x16xf32>, !pto.tile_buf<vec, 16x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @no_destination(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tneg' op has either a result or a tile in 'outs'}}
  "pto.tneg"(%a) : (!pto.tile<16x16xf32>) -> ()
  return
}

// -----

func.func @no_relation(%a: !pto.tile<4x16xf32>) {
  // expected-error @+1 {{'pto.tcmp' op requires attribute 'cmp'}}
  %m = pto.tcmp %a, %a : !pto.tile<4x16xf32>, !pto.tile<4x16xf32> -> !pto.tile<4x2xui8>
  return
}

// -----

func.func @unknown_relation(%a: !pto.tile<4x16xf32>) {
  // expected-error @+1 {{unknown relation 'less'; it is one of EQ, NE, LT, GT, LE, GE}}
  %m = pto.tcmp %a, %a {cmp = #pto<cmp less>} : !pto.tile<4x16xf32>, !pto.tile<4x16xf32> -> !pto.tile<4x2xui8>
  return
}

// -----

func.func @mask_of_floats(%a: !pto.tile<4x16xf32>) {
  // expected-error @+1 {{'pto.tcmp' op takes a mask of i8 or ui8, not of 'f32'}}
  %m = pto.tcmp %a, %a {cmp = #pto<cmp LT>} : !pto.tile<4x16xf32>, !pto.tile<4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

func.func @too_few_bits(%a: !pto.tile<4x17xf32>) {
  // expected-error @+1 {{'pto.tcmp' op has 16 bits in a row of the mask for 17 columns}}
  %m = pto.tcmp %a, %a {cmp = #pto<cmp LT>} : !pto.tile<4x17xf32>, !pto.tile<4x17xf32> -> !pto.tile<4x2xui8>
  return
}

// -----

func.func @rows_of_the_mask(%m: !pto.tile<3x2xui8>, %a: !pto.tile<4x16xf32>) {
  // expected-error @+1 {{'pto.tsel' op valid rows differ: mask 3, tile 4}}
  %d = pto.tsel %m, %a, %a : !pto.tile<3x2xui8>, !pto.tile<4x16xf32>, !pto.tile<4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

func.func @logarithm_of_integers(%a: !pto.tile<4x16xi32>) {
  // expected-error @+1 {{'pto.tlog' op does not take elements of type 'i32'; it takes f16, bf16, f32, f64}}
  %d = pto.tlog %a : !pto.tile<4x16xi32> -> !pto.tile<4x16xi32>
  return
}
