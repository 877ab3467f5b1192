// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @no_axis(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op needs at least one axis}}
  tirx.sum cta %s -> %d axes [] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @axis_beyond_rank(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op axis 2 is outside 0 to 1}}
  tirx.sum cta %s -> %d axes [2] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @negative_axis(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op axis -1 is outside 0 to 1}}
  tirx.sum cta %s -> %d axes [-1] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @axis_repeated(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op axis 0 is repeated}}
  tirx.sum cta %s -> %d axes [0, 0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @axis_without_elements(%s: !tirx.buffer<0x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op dimension 0 has no elements}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<0x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @element_types_differ(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf16, shared>) {
  // expected-error @+1 {{'tirx.sum' op element types differ: source 'f32', destination 'f16'}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf16, shared>
  return
}

// -----

func.func @other_columns(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x8xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op reduces '!tirx.buffer<4x16xf32, shared>' over axes 0; the destination '!tirx.buffer<1x8xf32, shared>' does not fit}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x8xf32, shared>
  return
}

// -----

func.func @other_rank(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op reduces '!tirx.buffer<4x16xf32, shared>' over axes 0; the destination '!tirx.buffer<1x1x16xf32, shared>' does not fit}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x1x16xf32, shared>
  return
}

// -----

func.func @other_axis(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<4x1xf32, shared>) {
  // expected-error @+1 {{'tirx.sum' op reduces '!tirx.buffer<4x16xf32, shared>' over axes 0; the destination '!tirx.buffer<4x1xf32, shared>' does not fit}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x1xf32, shared>
  return
}

// -----

func.func @sum_by_a_cta_of_local_memory(%s: !tirx.buffer<4x16xf32, local>, %d: !tirx.buffer<1x16xf32, local>) {
  // expected-error @+1 {{'tirx.sum' op is executed by a cta, but '!tirx.buffer<4x16xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, local> -> !tirx.buffer<1x16xf32, local>
  return
}
