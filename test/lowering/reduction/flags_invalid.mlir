// RUN: pto-opt --split-input-file --verify-diagnostics %s

// Flags of a reduction that its element type does not have.

func.func @flush_f16(%s: !tirx.buffer<8xf16, shared>, %d: !tirx.buffer<1xf16, shared>) {
  // expected-error @+1 {{'tirx.sum' op flushes subnormals of f32, not of 'f16'}}
  tirx.sum cta %s -> %d axes [0] {ftz} : !tirx.buffer<8xf16, shared> -> !tirx.buffer<1xf16, shared>
  return
}

// -----

func.func @flush_integers(%s: !tirx.buffer<8xi32, shared>, %d: !tirx.buffer<1xi32, shared>) {
  // expected-error @+1 {{'tirx.max' op flushes subnormals of f32, not of 'i32'}}
  tirx.max cta %s -> %d axes [0] {ftz} : !tirx.buffer<8xi32, shared> -> !tirx.buffer<1xi32, shared>
  return
}

// -----

func.func @nan_of_integers(%s: !tirx.buffer<8xui8, shared>, %d: !tirx.buffer<1xui8, shared>) {
  // expected-error @+1 {{'tirx.min' op propagates NaN, which 'ui8' does not have}}
  tirx.min cta %s -> %d axes [0] {propagate_nan} : !tirx.buffer<8xui8, shared> -> !tirx.buffer<1xui8, shared>
  return
}

// -----

func.func @accumulate_f32_in_f16(%s: !tirx.buffer<8xf32, shared>, %d: !tirx.buffer<1xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op cannot accumulate 'f32' in 'f16'; it is the element type, or f32 for f16 and bf16}}
  tirx.sum cta %s -> %d axes [0] {accumulate = f16} : !tirx.buffer<8xf32, shared> -> !tirx.buffer<1xf32, shared>
  return
}

// -----

func.func @accumulate_f16_in_bf16(%s: !tirx.buffer<8xf16, shared>, %d: !tirx.buffer<1xf16, shared>) {
  // expected-error @+1 {{'tirx.prod' op cannot accumulate 'f16' in 'bf16'; it is the element type, or f32 for f16 and bf16}}
  tirx.prod cta %s -> %d axes [0] {accumulate = bf16} : !tirx.buffer<8xf16, shared> -> !tirx.buffer<1xf16, shared>
  return
}

// -----

func.func @accumulate_integers_in_i64(%s: !tirx.buffer<8xi32, shared>, %d: !tirx.buffer<1xi32, shared>) {
  // expected-error @+1 {{'tirx.sum' op cannot accumulate 'i32' in 'i64'; it is the element type, or f32 for f16 and bf16}}
  tirx.sum cta %s -> %d axes [0] {accumulate = i64} : !tirx.buffer<8xi32, shared> -> !tirx.buffer<1xi32, shared>
  return
}

// -----

func.func @accumulate_is_a_type(%s: !tirx.buffer<8xf16, shared>, %d: !tirx.buffer<1xf16, shared>) {
  // expected-error @+1 {{attribute 'accumulate' failed to satisfy constraint: any type attribute}}
  tirx.sum cta %s -> %d axes [0] {accumulate = "f32"} : !tirx.buffer<8xf16, shared> -> !tirx.buffer<1xf16, shared>
  return
}

// -----

func.func @accum_is_a_flag(%s: !tirx.buffer<8xf32, shared>, %d: !tirx.buffer<1xf32, shared>) {
  // expected-error @+1 {{attribute 'accum' failed to satisfy constraint: unit attribute}}
  tirx.sum cta %s -> %d axes [0] {accum = true} : !tirx.buffer<8xf32, shared> -> !tirx.buffer<1xf32, shared>
  return
}
