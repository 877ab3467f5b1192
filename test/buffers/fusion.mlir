// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// Each thread reads what it wrote itself: one loop for all, and no barrier.

// CHECK-LABEL: gpu.func @chain
// CHECK: tirx.copy cta
// CHECK: gpu.barrier {pto.because = "texp at [[#@LINE+17]]:3 reads what tload at
// CHECK-NEXT: tirx.fused cta {
// CHECK-NEXT: tirx.map cta "exp"(%[[T:.*]]) -> %[[U:.*]] :
// CHECK-NEXT: tirx.map cta "add"(%[[U]], %[[T]]) -> %[[U]] :
// CHECK-NEXT: tirx.map cta "mul"(%[[U]], %{{.*}}) -> %[[T]] :
// CHECK-NEXT: }
// CHECK: gpu.barrier {pto.because = "tstore at [[#@LINE+14]]:3 reads what tmuls at
// CHECK: tirx.copy cta %[[T]]
!tile = !pto.tile_buf<vec, 4x16xf32, valid=4x?>
!window = !pto.partition_tensor_view<4x?xf32>
pto.kernel @chain(%v: !pto.tensor_view<4x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %n] : !pto.tensor_view<4x?xf32> -> !window
  %t = alloc_tile valid_col = %n : !tile
  %u = alloc_tile valid_col = %n : !tile
  tload ins(%w : !window) outs(%t : !tile)
  texp ins(%t : !tile) outs(%u : !tile)
  tadd ins(%u, %t : !tile, !tile) outs(%u : !tile)
  tmuls ins(%u, %x : !tile, f32) outs(%t : !tile)
  tstore ins(%t : !tile) outs(%w : !window)
}

// -----

// A column stands for its copies: all threads read what one wrote.

// CHECK-LABEL: gpu.func @column
// CHECK: tirx.map cta "exp"
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "sub"
!tile = !pto.tile_buf<vec, 4x16xf32>
!column = !pto.tile_buf<vec, 4x1xf32>
pto.kernel @column() {
  %t = alloc_tile : !tile
  %c = alloc_tile : !column
  texp ins(%c : !column) outs(%c : !column)
  trowexpandsub ins(%t, %c : !tile, !column) outs(%t : !tile)
}

// -----

// Two tiles at one address are not known to have their elements in the same places.

// CHECK-LABEL: gpu.func @overlap
// CHECK: tirx.map cta "exp"
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "neg"
!tile = !pto.tile_buf<vec, 4x16xf32>
pto.kernel @overlap() {
  %zero = arith.constant 0 : i64
  %some = arith.constant 32 : i64
  %a = alloc_tile addr = %zero : !tile
  %b = alloc_tile addr = %some : !tile
  %c = alloc_tile : !tile
  texp ins(%c : !tile) outs(%a : !tile)
  tneg ins(%c : !tile) outs(%b : !tile)
}

// -----

// Regions of different sizes are shared differently by the threads.

// CHECK-LABEL: gpu.func @sizes
// CHECK: tirx.map cta "exp"
// CHECK: tirx.map cta "exp"
// CHECK-NOT: tirx.fused
pto.kernel @sizes() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %b = alloc_tile : !pto.tile_buf<vec, 8x16xf32>
  texp ins(%a : !pto.tile_buf<vec, 4x16xf32>) outs(%a : !pto.tile_buf<vec, 4x16xf32>)
  texp ins(%b : !pto.tile_buf<vec, 8x16xf32>) outs(%b : !pto.tile_buf<vec, 8x16xf32>)
}

// -----

// A map for which the program asks for a variant stays alone, and so does one behind a loop.

// CHECK-LABEL: gpu.func @apart
// CHECK: tirx.map cta "exp"{{.*}}dispatch = "scalar"
// CHECK: gpu.barrier
// CHECK: tirx.map cta "exp"
// CHECK: scf.for
// CHECK: tirx.map cta "exp"
// CHECK-NOT: tirx.fused
!tile = !pto.tile_buf<vec, 4x16xf32>
pto.kernel @apart(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = alloc_tile : !tile
  texp ins(%a : !tile) outs(%a : !tile) {dispatch = "scalar"}
  texp ins(%a : !tile) outs(%a : !tile)
  scf.for %i = %c0 to %n step %c1 {
    pto.texp ins(%a : !tile) outs(%a : !tile)
  }
}
