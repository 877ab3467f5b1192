// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

pto.kernel @address_not_constant(%a: i64) {
  // expected-error @+1 {{'pto.alloc_tile' op needs a constant address}}
  %t = alloc_tile addr = %a : !pto.tile_buf<vec, 16x16xf32>
}

// -----

pto.kernel @tassign_after_use(%v: !pto.tensor_view<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  %t = alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  tload ins(%x : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
  // expected-error @+1 {{'pto.tassign' op comes after a use of the tile; bind a tile before it is used}}
  tassign %t, @tile(0x1000)
}

// -----

pto.kernel @tassign_twice() {
  %t = alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  tassign %t, @tile(0x1000)
  // expected-error @+1 {{'pto.tassign' op moves a tile that is bound to 0x1000 already}}
  tassign %t, @tile(0x2000)
}
