// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @valid_row_missing() {
  // expected-error @+1 {{'pto.alloc_tile' op needs 'valid_row': the type says ?}}
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}

// -----

func.func @valid_col_missing(%r: index) {
  // expected-error @+1 {{'pto.alloc_tile' op needs 'valid_col': the type says ?}}
  %t = pto.alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  return
}

// -----

func.func @valid_row_twice(%r: index) {
  // expected-error @+1 {{'valid_row' is given twice}}
  %t = pto.alloc_tile valid_row = %r, valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}

// -----

func.func @comma_without_keyword(%r: index) {
  // expected-error @+1 {{expected addr, valid_row or valid_col}}
  %t = pto.alloc_tile valid_row = %r, : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}

// -----

func.func @valid_row_not_dynamic(%r: index) {
  // expected-error @+1 {{'pto.alloc_tile' op has 'valid_row', but the type fixes it to 16}}
  %t = pto.alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32>
  return
}

// -----

func.func @negative_valid_row() {
  %r = arith.constant -1 : index
  // expected-error @+1 {{'pto.alloc_tile' op 'valid_row' -1 is outside 0 to 16, the tile's size}}
  %t = pto.alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}

// -----

func.func @oversized_valid_col() {
  %c = arith.constant 65 : index
  // expected-error @+1 {{'pto.alloc_tile' op 'valid_col' 65 is outside 0 to 64, the tile's size}}
  %t = pto.alloc_tile valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=16x?>
  return
}

// -----

func.func @negative_address() {
  %a = arith.constant -16 : i64
  // expected-error @+1 {{'pto.alloc_tile' op address -16 is negative}}
  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>
  return
}

// -----

func.func @misaligned_address() {
  %a = arith.constant 6 : i64
  // expected-error @+1 {{'pto.alloc_tile' op address 6 is not a multiple of the element's 4 bytes}}
  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>
  return
}

// -----

func.func @alloc_tile_value() {
  // expected-error @+1 {{'pto.alloc_tile' op result #0 must be the storage of a tile, but got '!pto.tile<16x64xf32>'}}
  %t = pto.alloc_tile : !pto.tile<16x64xf32>
  return
}

// -----

func.func @tassign_negative_address(%t: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{'pto.tassign' op address -8 is negative}}
  pto.tassign %t, @tile(-8)
  return
}

// -----

func.func @tassign_misaligned_address(%t: !pto.tile<16x16xf64>) {
  // expected-error @+1 {{'pto.tassign' op address 4 is not a multiple of the element's 8 bytes}}
  pto.tassign %t, @tile(4)
  return
}

// -----

func.func @tassign_before_the_tile() {
  // expected-error @+1 {{use of undeclared value '%t'; a tile must be defined above}}
  pto.tassign %t, @tile(0x1000)
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  return
}

// -----

func.func @tassign_other_symbol(%t: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{an address is written @tile(ADDRESS), not @mem}}
  pto.tassign %t, @mem(0x1000)
  return
}

// -----

func.func @tassign_other_type(%t: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{the tile is of type '!pto.tile<16x16xf32>'}}
  pto.tassign %t, @tile(0x1000) : !pto.tile<16x16xf16>
  return
}

// -----

func.func @tassign_no_tile(%t: index) {
  // expected-error @+1 {{'pto.tassign' op operand #0 must be tile, but got 'index'}}
  pto.tassign %t, @tile(0x1000)
  return
}

// -----

func.func @tassign_address_too_large(%t: !pto.tile<16x16xf32>) {
  // expected-error @+1 {{integer value too large}}
  pto.tassign %t, @tile(0xFFFFFFFFFFFFFFFFFF)
  return
}

// -----

func.func @set_validshape_of_a_fixed_dimension(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x64>, %r: index) {
  // expected-error @+1 {{'pto.set_validshape' op the tile's type fixes its valid columns to 64; write ? there to change them}}
  pto.set_validshape %t, %r, %r
  return
}

// -----

func.func @set_validshape_oversized(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %c: index) {
  %r = arith.constant 17 : index
  // expected-error @+1 {{'pto.set_validshape' op valid rows 17 are outside 0 to 16, the tile's size}}
  pto.set_validshape %t, %r, %c
  return
}

// -----

func.func @set_validshape_negative(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %r: index) {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'pto.set_validshape' op valid columns -1 are outside 0 to 64, the tile's size}}
  pto.set_validshape %t, %r, %c
  return
}

// -----

func.func @set_validshape_of_a_value(%t: !pto.tile<16x64xf32, valid=?x?>, %r: index) {
  // expected-error @+1 {{'pto.set_validshape' op operand #0 must be the storage of a tile, but got '!pto.tile<16x64xf32, valid=?x?>'}}
  pto.set_validshape %t, %r, %r
  return
}

// -----

func.func @set_validshape_other_type(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %r: index) {
  // expected-error @+1 {{the tile is of type '!pto.tile_buf<vec, 16x64xf32, valid=?x?>'}}
  pto.set_validshape %t, %r, %r : !pto.tile_buf<vec, 16x64xf32>
  return
}
