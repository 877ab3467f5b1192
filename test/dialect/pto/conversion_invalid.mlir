// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @unknown_rounding(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{unknown rounding mode 'NEAREST'; it is one of NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD}}
  %d = pto.tcvt %a {rmode = #pto<round_mode NEAREST>} : !pto.tile<16x32xf32> -> !pto.tile<16x32xf16>
  return
}

// -----

func.func @unknown_saturation(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{unknown saturation 'YES'; it is one of OFF, ON}}
  %d = pto.tcvt %a {sat = #pto<sat YES>} : !pto.tile<16x32xf32> -> !pto.tile<16x32xf16>
  return
}

// -----

func.func @valid_rows_differ(%a: !pto.tile<16x32xf32, valid=8x32>) {
  // expected-error @+1 {{'pto.tcvt' op valid rows differ: source 8, destination 16}}
  %d = pto.tcvt %a : !pto.tile<16x32xf32, valid=8x32> -> !pto.tile<16x32xf16>
  return
}

// -----

func.func @one_of_each(%a: !pto.tile<16x32xf32>, %d: !pto.tile_buf<vec, 16x32xf16>) {
  // expected-error @+1 {{'pto.tcvt' op takes tile values or tile buffers, not one of each}}
  pto.tcvt ins(%a : !pto.tile<16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x32xf16>)
  return
}

// -----

func.func @space(%a: !pto.tile<acc, 16x32xf32>) {
  // expected-error @+1 {{'pto.tcvt' op source must be a tile of space 'vec', not 'acc'}}
  %d = pto.tcvt %a : !pto.tile<acc, 16x32xf32> -> !pto.tile<16x32xf16>
  return
}
