// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

pto.kernel @bound_window(%i: index) {
  %t = alloc_tile : !pto.tile_buf<vec, 32x64xf32>
  %w = subview %t[%i, %i] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  // expected-error @+1 {{'pto.tassign' op binds a window of a tile; bind the tile}}
  tassign %w, @tile(0x1000)
}

// -----

pto.kernel @bound_after_its_window(%i: index) {
  %t = alloc_tile : !pto.tile_buf<vec, 32x64xf32>
  %w = subview %t[%i, %i] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  // expected-error @+1 {{'pto.tassign' op comes after a use of the tile; bind a tile before it is used}}
  tassign %t, @tile(0x1000)
}
