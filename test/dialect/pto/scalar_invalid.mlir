// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @type_of_the_scalar(%a: !pto.tile<16x16xf32>, %x: f16) {
  // expected-error @+1 {{'pto.tadds' op takes a scalar of type 'f32' beside a tile of 'f32', not 'f16'}}
  %d = pto.tadds %a, %x : !pto.tile<16x16xf32>, f16 -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @sign_of_the_scalar(%a: !pto.tile<16x16xui8>, %x: ui8) {
  // expected-error @+1 {{'pto.tadds' op takes a scalar of type 'i8' beside a tile of 'ui8', not 'ui8'}}
  %d = pto.tadds %a, %x : !pto.tile<16x16xui8>, ui8 -> !pto.tile<16x16xui8>
  return
}

// -----

func.func @two_tiles(%a: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tadds' op takes one tile and one scalar, in either order}}
  %d = pto.tadds %a, %a : !pto.tile<16x16xf32>, !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>
  return
}

// -----

func.func @two_scalars(%x: f32) {
  // expected-error @+1 {{'pto.tcmps' op compares at least one tile}}
  %d = pto.tcmps %x, %x {cmp = #pto<cmp LT>} : f32, f32 -> !pto.tile<16x2xui8>
  return
}
