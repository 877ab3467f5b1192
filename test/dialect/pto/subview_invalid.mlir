// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @leaves_the_rows(%t: !pto.tile_buf<vec, 32x64xf32>, %j: index) {
  %c30 = arith.constant 30 : index
  // expected-error @+1 {{'pto.subview' op window of rows 30 to 38 leaves the tile, which has 32}}
  %w = pto.subview %t[%c30, %j] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  return
}

// -----

func.func @negative_column(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index) {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'pto.subview' op window of columns -1 to 15 leaves the tile, which has 64}}
  %w = pto.subview %t[%i, %c] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  return
}

// -----

func.func @larger_than_the_tile(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index) {
  // expected-error @+1 {{'pto.subview' op window of columns 0 to 128 leaves the tile, which has 64}}
  %w = pto.subview %t[%i, %i] sizes [8, 128]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x128xf32>
  return
}

// -----

func.func @sizes_differ_from_type(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index) {
  // expected-error @+1 {{'pto.subview' op has sizes [8, 8], but the type says 8x16}}
  %w = pto.subview %t[%i, %i] sizes [8, 8]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  return
}

// -----

func.func @other_elements(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index) {
  // expected-error @+1 {{'pto.subview' op makes a window of 'f16' of a tile of 'f32'}}
  %w = pto.subview %t[%i, %i] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf16>
  return
}

// -----

func.func @boxes(%t: !pto.tile_buf<vec, 32x64xf32, slayout=row_major>, %i: index) {
  // expected-error @+1 {{'pto.subview' op source must be row-major without boxes}}
  %w = pto.subview %t[%i, %i] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32, slayout=row_major> -> !pto.tile_buf<vec, 8x16xf32>
  return
}

// -----

func.func @missing_valid_rows(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index) {
  // expected-error @+1 {{'pto.subview' op needs 'valid_row': the type says ?}}
  %w = pto.subview %t[%i, %i] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32, valid=?x16>
  return
}
