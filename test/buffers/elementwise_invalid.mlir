// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

pto.kernel @known_regions_differ() {
  %c3 = arith.constant 3 : index
  %a = alloc_tile valid_row = %c3 : !pto.tile_buf<vec, 4x32xf32, valid=?x32>
  %d = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  // expected-error @+1 {{'pto.tneg' op valid rows of its tiles differ}}
  tneg ins(%a : !pto.tile_buf<vec, 4x32xf32, valid=?x32>) outs(%d : !pto.tile_buf<vec, 4x32xf32>)
}

// -----

pto.kernel @known_mask_is_short() {
  %c1 = arith.constant 1 : index
  %a = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %m = alloc_tile valid_col = %c1 : !pto.tile_buf<vec, 4x2xui8, valid=4x?>
  // expected-error @+1 {{'pto.tsel' op a row of the mask has too few bits}}
  tsel ins(%m, %a, %a : !pto.tile_buf<vec, 4x2xui8, valid=4x?>, !pto.tile_buf<vec, 4x16xf32>, !pto.tile_buf<vec, 4x16xf32>)
       outs(%a : !pto.tile_buf<vec, 4x16xf32>)
}

// -----

pto.kernel @dispatch_is_no_string() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  // expected-error @+1 {{'pto.tneg' op has a dispatch that is no string, such as "fold"}}
  tneg ins(%a : !pto.tile_buf<vec, 4x16xf32>) outs(%a : !pto.tile_buf<vec, 4x16xf32>) {dispatch = 3}
}
