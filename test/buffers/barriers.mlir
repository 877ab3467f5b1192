// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// One barrier between what writes a tile and what reads it. It says why it is there.

// CHECK-LABEL: gpu.func @write_read
// CHECK: tirx.copy cta
// CHECK-NEXT: gpu.barrier {pto.because = "tcolprod at [[#@LINE+11]]:8 reads what tload at [[#@LINE+10]]:8 wrote (bytes 0 to 256 of the memory of tload at [[#@LINE+10]]:8)"}
// CHECK-NEXT: tirx.prod cta
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
pto.kernel @write_read(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %d = tcolprod %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
}

// -----

// Loads from the same global memory, and reductions of one tile into different ones, do not depend
// on each other: one barrier for both.

// CHECK-LABEL: gpu.func @independent
// CHECK: tirx.copy cta
// CHECK-NOT: gpu.barrier
// CHECK: tirx.copy cta
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.prod cta
// CHECK-NEXT: tirx.sum cta
// CHECK-NEXT: tirx.max cta
// CHECK-NEXT: gpu.return
pto.kernel @independent(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %t = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %a = tcolprod %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  %b = tcolsum %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  %c = tcolmax %t : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
}

// -----

// A tile may be overwritten only when all have read it.

// CHECK-LABEL: gpu.func @read_write
// CHECK: tirx.prod cta
// CHECK: gpu.barrier {pto.because = "tload at {{.*}} overwrites what tcolprod at {{.*}} read (bytes
// CHECK: tirx.copy cta
pto.kernel @read_write(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tload ins(%w : !pto.partition_tensor_view<4x16xf32>) outs(%s : !pto.tile_buf<vec, 4x16xf32>)
}

// -----

// Arguments may overlap: a store to one and a load from another stay in order.

// CHECK-LABEL: gpu.func @global_memory
// CHECK: tirx.copy cta {{.*}} shared> -> !tirx.buffer<4x16xf32, global
// CHECK: gpu.barrier {{.*}} (arguments 'arg0' and 'arg1' may overlap)"}
// CHECK: tirx.copy cta {{.*}} -> !tirx.buffer<4x16xf32, shared>
pto.kernel @global_memory(%x: !pto.tensor_view<4x16xf32>, %y: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %b = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  tstore ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%a : !pto.partition_tensor_view<4x16xf32>)
  %t = tload %b : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
}

// -----

// Tiles at addresses depend on each other where their bytes overlap ...

// CHECK-LABEL: gpu.func @overlapping_addresses
// CHECK: tirx.prod cta
// CHECK-NEXT: gpu.barrier {{.*}} (bytes 960 to 1024)"}
// CHECK-NEXT: tirx.sum cta
pto.kernel @overlapping_addresses() {
  %a0 = arith.constant 0 : i64
  %a960 = arith.constant 960 : i64
  %a2048 = arith.constant 2048 : i64
  %a4096 = arith.constant 4096 : i64
  %s = alloc_tile addr = %a2048 : !pto.tile_buf<vec, 16x16xf32>
  %d = alloc_tile addr = %a960 : !pto.tile_buf<vec, 1x16xf32>
  %t = alloc_tile addr = %a0 : !pto.tile_buf<vec, 16x16xf32>
  %e = alloc_tile addr = %a4096 : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tcolsum ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%e : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// ... and not where they only touch.

// CHECK-LABEL: gpu.func @adjacent_addresses
// CHECK: tirx.prod cta
// CHECK-NEXT: tirx.sum cta
pto.kernel @adjacent_addresses() {
  %a0 = arith.constant 0 : i64
  %a1024 = arith.constant 1024 : i64
  %a2048 = arith.constant 2048 : i64
  %a4096 = arith.constant 4096 : i64
  %s = alloc_tile addr = %a2048 : !pto.tile_buf<vec, 16x16xf32>
  %d = alloc_tile addr = %a1024 : !pto.tile_buf<vec, 1x16xf32>
  %t = alloc_tile addr = %a0 : !pto.tile_buf<vec, 16x16xf32>
  %e = alloc_tile addr = %a4096 : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tcolsum ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%e : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// An iteration of a loop depends on the one before: the load of the next must wait for the
// reduction of this.

// CHECK-LABEL: gpu.func @loop
// CHECK: scf.for
// CHECK: gpu.barrier {{.*}} overwrites what tcolprod at {{.*}} read in an iteration before (
// CHECK-NEXT: tirx.copy cta
// CHECK-NEXT: gpu.barrier {{.*}} reads what tload
// CHECK-NEXT: tirx.prod cta
// CHECK-NEXT: {{^ +}}}
pto.kernel @loop(%v: !pto.tensor_view<4x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %s = pto.tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
    %d = pto.tcolprod %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  }
}

// -----

// What a branch may have left pending counts after it.

// CHECK-LABEL: gpu.func @branch
// CHECK: scf.if
// CHECK: tirx.copy cta
// CHECK: }
// CHECK: gpu.barrier
// CHECK: tirx.prod cta
pto.kernel @branch(%v: !pto.tensor_view<4x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %c = arith.cmpi sgt, %n, %c0 : index
  scf.if %c {
    pto.tload ins(%w : !pto.partition_tensor_view<4x16xf32>) outs(%s : !pto.tile_buf<vec, 4x16xf32>)
  }
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// What is pending where control flow goes on counts there.

// CHECK-LABEL: gpu.func @blocks
// CHECK: ^bb1:
// CHECK-NEXT: gpu.barrier
// CHECK: tirx.prod
// CHECK: ^bb2:
// CHECK-NOT: gpu.barrier
func.func @blocks(%v: !pto.tensor_view<4x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %s = pto.tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %c = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %c, ^product, ^end
^product:
  %d = pto.tcolprod %s : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  cf.br ^end
^end:
  return
}

// -----

// Both ways of a condition wait for tcolprod: what comes after it need not.

// CHECK-LABEL: gpu.func @both_ways
// CHECK: tirx.prod cta
// CHECK: scf.if
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "abs"
// CHECK-NEXT: } else {
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "neg"
// CHECK-NEXT: }
// CHECK-NEXT: tirx.map cta "sqrt"
// CHECK-NEXT: gpu.return
pto.kernel @both_ways(%n: index) {
  %c0 = arith.constant 0 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %x = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %y = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %z = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %c = arith.cmpi sgt, %n, %c0 : index
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%x : !pto.tile_buf<vec, 1x16xf32>)
  scf.if %c {
    pto.tabs ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
  } else {
    pto.tneg ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
  }
  tsqrt ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%z : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// tcolsum must wait for tmul of the iteration before. That barrier also lies between tcolprod and tneg,
// which need no other.

// CHECK-LABEL: gpu.func @needless
// CHECK: scf.for
// CHECK-NEXT: tirx.prod cta
// CHECK-NEXT: gpu.barrier {pto.because = "tcolsum at {{.*}} overwrites what tmul at {{.*}} read in an iteration before
// CHECK-NEXT: tirx.sum cta
// CHECK-NEXT: tirx.map cta "neg"
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tirx.map cta "mul"
// CHECK-NEXT: {{^ +}}}
pto.kernel @needless(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %x = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %y = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %z = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %w = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%x : !pto.tile_buf<vec, 1x16xf32>)
    pto.tcolsum ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
    pto.tneg ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%z : !pto.tile_buf<vec, 1x16xf32>) {dispatch = "shared"}
    pto.tmul ins(%z, %y : !pto.tile_buf<vec, 1x16xf32>, !pto.tile_buf<vec, 1x16xf32>)
             outs(%w : !pto.tile_buf<vec, 1x16xf32>)
  }
}

// -----

// Independent operations of a loop wait once, for the iteration before.

// CHECK-LABEL: gpu.func @independent_in_a_loop
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier {pto.because = "tcolprod at {{.*}} overwrites what tcolprod at {{.*}} wrote in an iteration before
// CHECK-NEXT: tirx.prod cta
// CHECK-NEXT: tirx.sum cta
// CHECK-NEXT: {{^ +}}}
pto.kernel @independent_in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %x = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %y = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%x : !pto.tile_buf<vec, 1x16xf32>)
    pto.tcolsum ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
  }
}

// -----

// The condition of a while loop comes before its body and after it.

// CHECK-LABEL: gpu.func @while
// CHECK: scf.while
// CHECK-NEXT: gpu.barrier {pto.because = "tcolprod at {{.*}} overwrites what tneg at {{.*}} read in an iteration before
// CHECK-NEXT: tirx.prod cta
// CHECK: scf.condition
// CHECK: gpu.barrier {pto.because = "tneg at {{.*}} reads what tcolprod at {{.*}} wrote (
// CHECK-NEXT: tirx.map cta "neg"
// CHECK: {{^ +}}}
// CHECK-NEXT: gpu.barrier {pto.because = "tabs at {{.*}} reads what tcolprod at {{.*}} wrote (
// CHECK-NEXT: tirx.map cta "abs"
pto.kernel @while(%n: index) {
  %c1 = arith.constant 1 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %x = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %y = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  %r = scf.while (%i = %n) : (index) -> index {
    pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%x : !pto.tile_buf<vec, 1x16xf32>)
    %more = arith.cmpi sgt, %i, %c1 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    pto.tneg ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  tabs ins(%x : !pto.tile_buf<vec, 1x16xf32>) outs(%y : !pto.tile_buf<vec, 1x16xf32>)
}
