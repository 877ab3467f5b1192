// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// A loop that carries a tile value has one memory for it: where nothing else uses the value that it
// starts with, the memory of that. What follows is computed there, and the loop loses its argument.

// CHECK-LABEL: gpu.func @accumulate
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[SUM:.*]] = tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK-NOT: tirx.alloc
// CHECK: tirx.copy cta %{{.*}} -> %[[SUM]]
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step %c1 {
// CHECK-NOT: tirx.copy
// CHECK:   tirx.map cta "add"(%[[SUM]], %{{.*}}) -> %[[SUM]]
// CHECK: }
// CHECK: tirx.copy cta %[[SUM]] -> %{{.*}}
pto.kernel @accumulate(%n: index, %x: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %start = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!pto.tile<4x16xf32>) {
    %next = pto.tadds %t, %one : !pto.tile<4x16xf32>, f32 -> !pto.tile<4x16xf32>
    scf.yield %next : !pto.tile<4x16xf32>
  }
  tstore %sum, %w : !pto.tile<4x16xf32>, !pto.partition_tensor_view<4x16xf32>
}

// -----

// A value that is used after the loop too is copied, and so is what an iteration yields while the
// old value is still read.

// CHECK-LABEL: gpu.func @copies
// CHECK: tirx.map cta "copy"(%cst) -> %[[START:.*]] :
// CHECK: tirx.map cta "copy"(%[[START]]) -> %[[CARRIED:.*]] :
// CHECK: scf.for
// CHECK:   tirx.map cta "add"(%[[CARRIED]], %{{.*}}) -> %[[NEXT:.*]] :
// CHECK:   tirx.map cta "mul"(%[[CARRIED]], %[[CARRIED]]) -> %{{.*}} :
// CHECK:   tirx.map cta "copy"(%[[NEXT]]) -> %[[CARRIED]] :
// CHECK: tirx.copy cta %[[START]] -> %{{.*}} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x16xf32, global
pto.kernel @copies(%n: index, %x: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %start = texpands %one : f32 -> !pto.tile<4x16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!pto.tile<4x16xf32>) {
    %next = pto.tadds %t, %one : !pto.tile<4x16xf32>, f32 -> !pto.tile<4x16xf32>
    %late = pto.tmul %t, %t : !pto.tile<4x16xf32>, !pto.tile<4x16xf32> -> !pto.tile<4x16xf32>
    scf.yield %next : !pto.tile<4x16xf32>
  }
  tstore %start, %w : !pto.tile<4x16xf32>, !pto.partition_tensor_view<4x16xf32>
}

// -----

// Values that change places do so at once: the first to be overwritten is kept.

// CHECK-LABEL: gpu.func @exchange
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %[[A:.*]] :
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %[[B:.*]] :
// CHECK: scf.for
// CHECK:   tirx.copy cta %[[A]] -> %[[KEPT:.*]] :
// CHECK:   tirx.map cta "copy"(%[[B]]) -> %[[A]] :
// CHECK:   tirx.map cta "copy"(%[[KEPT]]) -> %[[B]] :
pto.kernel @exchange(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = texpands %one : f32 -> !pto.tile<1x16xf32>
  %b = texpands %two : f32 -> !pto.tile<1x16xf32>
  %c, %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (!pto.tile<1x16xf32>, !pto.tile<1x16xf32>) {
    scf.yield %t, %s : !pto.tile<1x16xf32>, !pto.tile<1x16xf32>
  }
}

// -----

// Both branches compute in the memory of the result; scalars stay results.

// CHECK-LABEL: gpu.func @branch
// CHECK: %[[N:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:   tirx.map cta "copy"(%{{.*}}) -> %[[T:.*]] :
// CHECK:   scf.yield %{{.*}} : i32
// CHECK: } else {
// CHECK:   tirx.iota cta %{{.*}} -> %[[T]] :
// CHECK:   scf.yield %{{.*}} : i32
// CHECK: }
// CHECK: tirx.map cta "add"(%[[T]], %[[N]])
pto.kernel @branch(%p: i32, %q: i32) {
  %condition = arith.cmpi slt, %p, %q : i32
  %t, %n = scf.if %condition -> (!pto.tile<1x16xi32>, i32) {
    %a = pto.texpands %p : i32 -> !pto.tile<1x16xi32>
    %twice = arith.addi %p, %p : i32
    scf.yield %a, %twice : !pto.tile<1x16xi32>, i32
  } else {
    %b = pto.tci %q : i32 -> !pto.tile<1x16xi32>
    scf.yield %b, %q : !pto.tile<1x16xi32>, i32
  }
  %sum = tadds %t, %n : !pto.tile<1x16xi32>, i32 -> !pto.tile<1x16xi32>
}

// -----

// What a `while` passes on to its body and to what follows has memory of its own.

// CHECK-LABEL: gpu.func @repeat
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %[[BEFORE:.*]] :
// CHECK: scf.while : () -> () {
// CHECK:   tirx.map cta "copy"(%[[BEFORE]]) -> %[[AFTER:.*]] :
// CHECK:   scf.condition(%{{.*}})
// CHECK: } do {
// CHECK:   tirx.map cta "add"(%[[AFTER]], %{{.*}}) -> %[[BEFORE]]
// CHECK: }
// CHECK: tirx.sum cta %[[AFTER]] -> %{{.*}}
pto.kernel @repeat(%p: i32, %q: i32) {
  %condition = arith.cmpi slt, %p, %q : i32
  %one = arith.constant 1.0 : f32
  %start = texpands %one : f32 -> !pto.tile<1x16xf32>
  %last = scf.while (%t = %start) : (!pto.tile<1x16xf32>) -> !pto.tile<1x16xf32> {
    scf.condition(%condition) %t : !pto.tile<1x16xf32>
  } do {
  ^bb0(%t: !pto.tile<1x16xf32>):
    %next = pto.tadds %t, %one : !pto.tile<1x16xf32>, f32 -> !pto.tile<1x16xf32>
    scf.yield %next : !pto.tile<1x16xf32>
  }
  %sum = trowsum %last : !pto.tile<1x16xf32> -> !pto.tile<1x1xf32>
}

// -----

// A valid region that the type does not say is carried too: in local memory, which LLVM removes.

// CHECK-LABEL: gpu.func @valid_region
// CHECK-SAME: %[[N:[^:]*]]: index, %[[R:[^:]*]]: index
// CHECK: %[[CELL:.*]] = memref.alloca() : memref<2xindex>
// CHECK: memref.store %[[R]], %[[CELL]][%c0]
// CHECK: scf.for
// CHECK:   %[[ROWS:.*]] = memref.load %[[CELL]][%c0]
// CHECK:   tirx.subview %{{.*}} sizes{{ ?}}[%[[ROWS]]]
// CHECK:   tirx.map cta "add"
// CHECK:   memref.store %[[ROWS]], %[[CELL]][%c0]
pto.kernel @valid_region(%n: index, %r: index, %x: !pto.tensor_view<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%r, %c16]
     : !pto.tensor_view<?x16xf32> -> !pto.partition_tensor_view<?x16xf32>
  %start = tload %w : !pto.partition_tensor_view<?x16xf32> -> !pto.tile<4x16xf32, valid=?x16>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!pto.tile<4x16xf32, valid=?x16>) {
    %next = pto.tadds %t, %one : !pto.tile<4x16xf32, valid=?x16>, f32 -> !pto.tile<4x16xf32, valid=?x16>
    scf.yield %next : !pto.tile<4x16xf32, valid=?x16>
  }
  tstore %sum, %w : !pto.tile<4x16xf32, valid=?x16>, !pto.partition_tensor_view<?x16xf32>
}

// -----

// Padding is part of a value.

// CHECK-LABEL: gpu.func @padded
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %{{.*}} : (f32)
// CHECK: tirx.fill cta
// CHECK: tirx.map cta "copy"(%{{.*}}) -> %{{.*}} : (!tirx.buffer<1x4xf32
// CHECK: %[[OUTSIDE:.*]] = tirx.subview %[[ALL:.*]][%c0, %c4]
// CHECK: tirx.fill cta %{{.*}} -> %[[OUTSIDE]]
// CHECK: scf.for
pto.kernel @padded(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %start = texpands %one : f32 -> !pto.tile<1x16xf32, valid=1x4, pad=1>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!pto.tile<1x16xf32, valid=1x4, pad=1>) {
    %next = pto.tadds %t, %one : !pto.tile<1x16xf32, valid=1x4, pad=1>, f32 -> !pto.tile<1x16xf32, valid=1x4, pad=1>
    scf.yield %next : !pto.tile<1x16xf32, valid=1x4, pad=1>
  }
  %again = tadds %start, %one : !pto.tile<1x16xf32, valid=1x4, pad=1>, f32 -> !pto.tile<1x16xf32, valid=1x4, pad=1>
}
