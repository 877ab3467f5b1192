// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

// What is known to differ needs no run.

pto.kernel @valid_columns_differ() {
  %c8 = arith.constant 8 : index
  %s = alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %d = alloc_tile valid_col = %c8 : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
  // expected-error @+1 {{'pto.tcolprod' op valid columns of source and destination differ}}
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
}

// -----

pto.kernel @window_differs(%v: !pto.tensor_view<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c64]
     : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %t = alloc_tile valid_row = %c8 : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  // expected-error @+1 {{'pto.tload' op window and valid region differ in rows}}
  tload ins(%w : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32, valid=?x64>)
}
