// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @element_types_differ(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<16xf16, shared>) {
  // expected-error @+1 {{'tirx.copy' op copies 'f32' to 'f16'; the element types must match}}
  tirx.copy cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf16, shared>
  return
}

// -----

func.func @shapes_differ(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<8xf32, shared>) {
  // expected-error @+1 {{'tirx.copy' op copies between different shapes: '!tirx.buffer<16xf32, global>' and '!tirx.buffer<8xf32, shared>'}}
  tirx.copy cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<8xf32, shared>
  return
}

// -----

func.func @ranks_differ(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<1x16xf32, shared>) {
  // expected-error @+1 {{'tirx.copy' op copies between different shapes}}
  tirx.copy cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

func.func @unknown_execution_scope(%s: !tirx.buffer<16xf32, global>) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'exec' [thread, warp, warpgroup, cta, cluster, grid]}}
  tirx.copy block %s -> %s : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  return
}

// -----

func.func @dispatch_not_a_string(%s: !tirx.buffer<16xf32, global>) {
  // expected-error @+1 {{attribute 'dispatch' failed to satisfy constraint: string attribute}}
  tirx.copy cta %s -> %s {dispatch = 5} : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  return
}

// -----

func.func @fill_with_other_type(%f: f32, %d: !tirx.buffer<16xf16, shared>) {
  // expected-error @+1 {{'tirx.fill' op fills '!tirx.buffer<16xf16, shared>' with a value of type 'f32'; it must be 'f16'}}
  tirx.fill cta %f -> %d : f32 -> !tirx.buffer<16xf16, shared>
  return
}

// -----

func.func @fill_with_signed_value(%i: ui8, %d: !tirx.buffer<16xui8, shared>) {
  // expected-error @+1 {{'tirx.fill' op fills '!tirx.buffer<16xui8, shared>' with a value of type 'ui8'; it must be 'i8'}}
  tirx.fill cta %i -> %d : ui8 -> !tirx.buffer<16xui8, shared>
  return
}

// -----

// Local memory is each thread's own: the threads of a CTA cannot share the work of filling it.

func.func @copy_by_a_cta_to_local_memory(%s: !tirx.buffer<16x16xf32, global>, %d: !tirx.buffer<16x16xf32, local>) {
  // expected-error @+1 {{'tirx.copy' op is executed by a cta, but '!tirx.buffer<16x16xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, local>
  return
}

// -----

func.func @copy_by_a_cta_from_local_memory(%s: !tirx.buffer<16x16xf32, local>, %d: !tirx.buffer<16x16xf32, global>) {
  // expected-error @+1 {{'tirx.copy' op is executed by a cta, but '!tirx.buffer<16x16xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, local> -> !tirx.buffer<16x16xf32, global>
  return
}

// -----

func.func @fill_by_a_warp_of_local_memory(%f: f32, %d: !tirx.buffer<16xf32, local>) {
  // expected-error @+1 {{'tirx.fill' op is executed by a warp, but '!tirx.buffer<16xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.fill warp %f -> %d : f32 -> !tirx.buffer<16xf32, local>
  return
}

// -----

gpu.module @m {
  gpu.func @count_in_floats(%a: !tirx.buffer<16xf32, global>, %x: f32) {
    // expected-error @+1 {{'tirx.iota' op counts along a dimension of integers, not '!tirx.buffer<16xf32, global>'}}
    tirx.iota cta %x -> %a : f32 -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}
