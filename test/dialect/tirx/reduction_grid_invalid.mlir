// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @threads(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op needs threads = [R, K], two powers of two}}
  tirx.sum grid %x -> %y axes [1] {threads = array<i64: 3, 32>} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @vector(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op reads vectors of 16 'f16'; they are powers of two up to 8, 16 bytes}}
  tirx.sum grid %x -> %y axes [1] {vector = 16} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @unroll(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op needs a positive unroll}}
  tirx.sum grid %x -> %y axes [1] {unroll = 0} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @waiting(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op needs a positive waiting}}
  tirx.sum grid %x -> %y axes [1] workspace(%w) {waiting = 0} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @order(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op needs memory_order = "relaxed" or "acq_rel"}}
  tirx.sum grid %x -> %y axes [1] {accum, memory_order = "release"} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @scope(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op needs memory_scope = "gpu" or "sys"}}
  tirx.sum grid %x -> %y axes [1] {accum, memory_scope = "cta"} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @schedule_of_a_cta(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op has split, which is for 'grid' and 'cluster'}}
  tirx.sum cta %x -> %y axes [1] {split = 2} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @workspace_of_a_cta(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op has a workspace, which is for 'grid'}}
  tirx.sum cta %x -> %y axes [1] workspace(%w) : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @positions_by_a_cta(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xi64, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.argmax' op is for 'grid' and 'cluster'}}
  tirx.argmax cta %x -> %y axes [1] : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xi64, global, strides = [?]>
  return
}

// -----

func.func @positions_of_another_type(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xi32, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.argmax' op writes positions, whose type is i64, not 'i32'}}
  tirx.argmax grid %x -> %y axes [1] : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xi32, global, strides = [?]>
  return
}

// -----

func.func @old_position(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xi64, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.argmax' op finds positions, and has no use for the old value}}
  tirx.argmax grid %x -> %y axes [1] {accum} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xi64, global, strides = [?]>
  return
}

// -----

func.func @extreme_of_another_type(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf32, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.max' op element types differ: source 'f16', destination 'f32'}}
  tirx.max grid %x -> %y axes [1] : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [?]>
  return
}

// -----

func.func @floats_to_integers(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xi32, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op element types differ: source 'f16', destination 'i32'}}
  tirx.sum grid %x -> %y axes [1] : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xi32, global, strides = [?]>
  return
}

// -----

func.func @narrow_partial_results(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op cannot accumulate 'f16' in 'bf16'; it is the element type, or a wider one without a sign}}
  tirx.sum grid %x -> %y axes [1] {accumulate = bf16} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @partial_results_of_comparisons(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.max' op compares elements, and has no partial results of another type}}
  tirx.max grid %x -> %y axes [1] {accumulate = f32} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @shared_memory(%x: !tirx.buffer<4x16xf16, shared>, %y: !tirx.buffer<4xf16, shared>, %w: !tirx.buffer<i8, global>) {
  // expected-error @+1 {{'tirx.sum' op is executed by several CTAs, and '!tirx.buffer<4x16xf16, shared>' is not in global memory}}
  tirx.sum grid %x -> %y axes [1] : !tirx.buffer<4x16xf16, shared> -> !tirx.buffer<4xf16, shared>
  return
}

// -----

func.func @atomic_of_a_grid(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>) {
  // expected-error @+1 {{'tirx.sum' op has atomic, which is for scopes up to 'cta'}}
  tirx.sum grid %x -> %y axes [1] {accum, atomic} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @atomic_without_old_value(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>) {
  // expected-error @+1 {{'tirx.sum' op is atomic, which needs accum and a destination in global memory}}
  tirx.sum cta %x -> %y axes [1] {atomic} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}

// -----

func.func @order_without_atomic(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>, %y: !tirx.buffer<?xf16, global, strides = [?]>) {
  // expected-error @+1 {{'tirx.sum' op has memory_order, but no atomic}}
  tirx.sum cta %x -> %y axes [1] {accum, memory_order = "relaxed"} : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global, strides = [?]>
  return
}
