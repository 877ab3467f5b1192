// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

pto.kernel @buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  // expected-error @+1 {{'scf.for' op carries !pto.tile_buf<vec, 4x16xf32>; what may be carried are tile values (!pto.tile), by scf.for, scf.if, scf.while}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (!pto.tile_buf<vec, 4x16xf32>) {
    scf.yield %t : !pto.tile_buf<vec, 4x16xf32>
  }
}

// -----

pto.kernel @view(%n: index, %x: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  // expected-error @+1 {{'scf.for' op carries !pto.partition_tensor_view<4x16xf32>; what may be carried are tile values}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %w) -> (!pto.partition_tensor_view<4x16xf32>) {
    scf.yield %v : !pto.partition_tensor_view<4x16xf32>
  }
}

// -----

pto.kernel @other_operation(%n: index) {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{'scf.index_switch' op carries !pto.tile<1x16xf32>; what may be carried are tile values (!pto.tile), by scf.for, scf.if, scf.while}}
  %t = scf.index_switch %n -> !pto.tile<1x16xf32>
  case 3 {
    %a = pto.texpands %one : f32 -> !pto.tile<1x16xf32>
    scf.yield %a : !pto.tile<1x16xf32>
  }
  default {
    %b = pto.texpands %one : f32 -> !pto.tile<1x16xf32>
    scf.yield %b : !pto.tile<1x16xf32>
  }
}

// -----

// A value that is placed keeps its address; what is carried is another value in each iteration.

pto.kernel @placed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %a = texpands %one : f32 -> !pto.tile<1x16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (!pto.tile<1x16xf32>) {
    // expected-error @+1 {{'pto.tassign' op binds a tile that a loop or a branch carries; bind what it is made from}}
    pto.tassign %t, @tile(0x1000)
    scf.yield %t : !pto.tile<1x16xf32>
  }
}
