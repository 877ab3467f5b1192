// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

// expected-error @+1 {{unknown target 'sm_42'; it is one of sm_80, sm_90, sm_90a, sm_100a, sm_120a}}
module attributes {pto.target = "sm_42"} {
  pto.kernel @unknown_target(%p: !pto.ptr<f32>) {
  }
}

// -----

// expected-error @+1 {{'func.func' op is no kernel, and the module has none: a kernel returns nothing and takes pointers, tensor views and scalars (index, i8, i16, i32, i64, f16, bf16, f32, f64)}}
func.func @tile_argument(%t: !pto.tile<1x16xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op is no kernel, and the module has none}}
func.func @result(%p: !pto.ptr<f32>) -> i32 {
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}

// -----

// expected-error @+1 {{'func.func' op is no kernel, and the module has none}}
func.func private @declaration(%p: !pto.ptr<f32>)

// -----

func.func private @declaration(%p: !pto.ptr<f32>)
pto.kernel @call_of_a_declaration(%p: !pto.ptr<f32>) {
  // expected-error @+1 {{'func.call' op has no lowering to tirx}}
  func.call @declaration(%p) : (!pto.ptr<f32>) -> ()
}

// -----

func.func @tile_through_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!pto.tile_buf<vec, 4x16xf32>) {
    // expected-error @+1 {{'pto.tcolprod' op takes a tile that this kernel makes, not one passed through another operation}}
    pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
    scf.yield %b : !pto.tile_buf<vec, 4x16xf32>
  }
  return
}

// -----

func.func @dispatch_not_a_string(%s: index) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  // expected-error @+1 {{'pto.tcolprod' op has a dispatch that is no string, such as "fold"}}
  pto.tcolprod ins(%a : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>) {dispatch = 5}
  return
}

// -----

// Operations on tiles belong into kernels.

// expected-error-re @+1 {{'pto.alloc_tile' op {{.+}}}}
%t = pto.alloc_tile : !pto.tile_buf<vec, 4x16xf32>
