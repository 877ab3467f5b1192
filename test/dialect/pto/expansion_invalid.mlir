// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @more_than_a_column(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.trowexpandadd' op expands 1 valid column, not 32}}
  %d = pto.trowexpandadd %a, %a : !pto.tile<16x32xf32>, !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @rows_of_the_column(%a: !pto.tile<16x32xf32>, %c: !pto.tile<8x1xf32>) {
  // expected-error @+1 {{'pto.trowexpandadd' op valid rows differ: column 8, destination 16}}
  %d = pto.trowexpandadd %a, %c : !pto.tile<16x32xf32>, !pto.tile<8x1xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @more_than_a_row(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.tcolexpand' op expands 1 valid row, not 16}}
  %d = pto.tcolexpand %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @columns_of_the_row(%r: !pto.tile<1x8xf32>) {
  // expected-error @+1 {{'pto.tcolexpand' op valid columns differ: row 8, destination 32}}
  %d = pto.tcolexpand %r : !pto.tile<1x8xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @reduction_to_two_columns(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.trowsum' op destination must have 1 valid column, not 2}}
  %d = pto.trowsum %a : !pto.tile<16x32xf32> -> !pto.tile<16x2xf32>
  return
}

// -----

func.func @reduction_to_fewer_rows(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.trowsum' op valid rows differ: source 16, destination 8}}
  %d = pto.trowsum %a : !pto.tile<16x32xf32> -> !pto.tile<8x1xf32>
  return
}

// -----

func.func @two_scratch_tiles(%a: !pto.tile_buf<vec, 16x32xf32>, %d: !pto.tile_buf<vec, 16x1xf32>) {
  // expected-error @+1 {{custom op 'pto.trowsum' takes 1 operands, not 3}}
  pto.trowsum ins(%a, %a, %a : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x1xf32>)
  return
}

// -----

func.func @a_sum_of_another_type(%a: !pto.tile<16x32xf16>, %c: !pto.tile<16x1xf16>) {
  // expected-error @+1 {{'pto.trowexpandadd' op element types differ: source 'f16', destination 'f32'}}
  %d = pto.trowexpandadd %a, %c : !pto.tile<16x32xf16>, !pto.tile<16x1xf16> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @powers_of_two_types(%a: !pto.tile<16x32xf32>, %c: !pto.tile<16x1xf16>) {
  // expected-error @+1 {{'pto.trowexpandexpdif' op element types differ: source 'f16', destination 'f32'}}
  %d = pto.trowexpandexpdif %a, %c : !pto.tile<16x32xf32>, !pto.tile<16x1xf16> -> !pto.tile<16x32xf32>
  return
}
