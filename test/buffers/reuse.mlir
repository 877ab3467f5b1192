// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// The second value takes the memory of the first, which nothing reads any more.

// CHECK-LABEL: gpu.func @in_turns
// CHECK-DAG: %[[T:.*]] = tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK-DAG: %[[S:.*]] = tirx.alloc : !tirx.buffer<1x16xf32, shared>
// CHECK-NOT: tirx.alloc
// CHECK: tirx.copy cta %{{.*}} -> %[[T]]
// CHECK: tirx.sum cta %[[T]] -> %[[S]]
// CHECK: tirx.copy cta %[[S]] -> %{{.*}}
// CHECK: tirx.copy cta %{{.*}} -> %[[T]]
// CHECK: tirx.sum cta %[[T]] -> %[[S]]
!view = !pto.tensor_view<8x16xf32>
!window = !pto.partition_tensor_view<4x16xf32>
!row = !pto.partition_tensor_view<1x16xf32>
pto.kernel @in_turns(%x: !view, %y: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %x0 = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16] : !view -> !window
  %x1 = partition_view %x, offsets = [%c4, %c0], sizes = [%c4, %c16] : !view -> !window
  %y0 = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16] : !view -> !row
  %y1 = partition_view %y, offsets = [%c1, %c0], sizes = [%c1, %c16] : !view -> !row
  %a = tload %x0 : !window -> !pto.tile<4x16xf32>
  %r = tcolsum %a : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %r, %y0 : !pto.tile<1x16xf32>, !row
  %b = tload %x1 : !window -> !pto.tile<4x16xf32>
  %s = tcolsum %b : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %s, %y1 : !pto.tile<1x16xf32>, !row
}

// -----

// What a loop reads from outside it needs in every iteration.

// CHECK-LABEL: gpu.func @read_in_a_loop
// CHECK-COUNT-2: tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK: tirx.copy cta %{{.*}} -> %[[A:.*]] :
// CHECK: scf.for
// CHECK:   tirx.sum cta %[[A]] -> %[[R:.*]] axes
// CHECK:   tirx.map cta "copy"(%{{.*}}) -> %[[B:.*]] :
// CHECK:   tirx.sum cta %[[B]] -> %{{.*}} axes
!view = !pto.tensor_view<8x16xf32>
!window = !pto.partition_tensor_view<4x16xf32>
pto.kernel @read_in_a_loop(%n: index, %x: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16] : !view -> !window
  %a = tload %w : !window -> !pto.tile<4x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %r = pto.tcolsum %a : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
    %b = pto.texpands %one : f32 -> !pto.tile<4x16xf32>
    %s = pto.tcolsum %b : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  }
}

// -----

// What a loop carries lives in all of it.

// CHECK-LABEL: gpu.func @carried
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %[[C:.*]] :
// CHECK: scf.for
// CHECK:   tirx.sum cta %[[C]] -> %{{.*}} axes
// CHECK:   tirx.map cta "copy"(%{{.*}}) -> %[[T:.*]] :
// CHECK:   tirx.sum cta %[[T]] -> %[[S:.*]] axes
// CHECK:   tirx.map cta "add"(%[[C]], %[[S]]) -> %[[C]] :
pto.kernel @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %start = texpands %one : f32 -> !pto.tile<4x16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%c = %start) -> (!pto.tile<4x16xf32>) {
    %r = pto.tcolsum %c : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
    %t = pto.texpands %one : f32 -> !pto.tile<4x16xf32>
    %s = pto.tcolsum %t : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
    %next = pto.tcolexpandadd %c, %s : !pto.tile<4x16xf32>, !pto.tile<1x16xf32> -> !pto.tile<4x16xf32>
    scf.yield %next : !pto.tile<4x16xf32>
  }
}

// -----

// Buffers of the program keep their memory, and so do values that it places.

// CHECK-LABEL: gpu.func @of_the_program
// CHECK-DAG: tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK-DAG: tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK-DAG: tirx.alloc at 4096 : !tirx.buffer<4x16xf32, shared>
pto.kernel @of_the_program() {
  %one = arith.constant 1.0 : f32
  %a = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 4x16xf32>)
  tcolsum ins(%a : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  %b = texpands %one : f32 -> !pto.tile<4x16xf32>
  %e = tcolsum %b : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  %c = texpands %one : f32 -> !pto.tile<4x16xf32>
  tassign %c, @tile(0x1000)
  %f = tcolsum %c : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
}
