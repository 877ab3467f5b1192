// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @not_transposed(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.ttrans' op valid rows differ: source 32, destination 16}}
  %b = pto.ttrans %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @no_pad(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.tfillpad' op fills a destination that has a pad value: pad=1 (zero), 2 (largest) or 3 (smallest)}}
  %b = pto.tfillpad %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32>
  return
}

// -----

func.func @too_small(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.tfillpad' op source has 32 valid columns, more than the destination's 20}}
  %b = pto.tfillpad %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xf32, valid=16x20, pad=1>
  return
}

// -----

func.func @element_types_differ(%a: !pto.tile<16x32xf32>) {
  // expected-error @+1 {{'pto.tmov' op element types differ: source 'f32', destination 'f16'}}
  %b = pto.tmov %a : !pto.tile<16x32xf32> -> !pto.tile<16x32xf16>
  return
}
