// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// From shared to shared memory everything is known: 16 bytes at a time.

// CHECK-LABEL: gpu.func @static
// CHECK-SAME: chosen = "vector"
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %{{.*}}, %c64
// CHECK: scf.if %[[HAS]]
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT: memref.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @static() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}

// -----

// The address of global memory and its row stride are asked at run time; where the answer is no,
// elements are copied one by one.

// CHECK-LABEL: gpu.func @global
// CHECK-DAG: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index
// CHECK-DAG: arith.remui %{{.*}}, %c4
// CHECK-DAG: arith.remui %{{.*}}, %c16
// CHECK: scf.if
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK: } else {
// CHECK: memref.load
// CHECK: memref.store
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @global(%p: !tirx.buffer<f32, global>, %r: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %d = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %s = tirx.view %p offset %c0 strides [%r] : !tirx.buffer<f32, global> -> !tirx.buffer<16x16xf32, global, strides = [?, 1]>
    tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, global, strides = [?, 1]> -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}

// -----

// Columns that do not fill a vector are copied one by one, after all vectors and if there are any.

// CHECK-LABEL: gpu.func @ragged
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK: %[[WHOLE:.*]] = arith.divui %[[N]], %c4
// CHECK: arith.cmpi slt, %{{.*}}, %[[WHOLE]]
// CHECK: vector.load {{.*}}, vector<4xf32>
// CHECK: %[[START:.*]] = arith.muli %[[WHOLE]], %c4
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[START]], %[[N]]
// CHECK: scf.if %[[ANY]]
// CHECK-NOT: vector.load
// CHECK: memref.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ragged(%n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %b = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %s = tirx.subview %a[%c0, %c0] sizes [%n] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x?xf32, shared, strides = [16, 1]>
    %d = tirx.subview %b[%c0, %c0] sizes [%n] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x?xf32, shared, strides = [16, 1]>
    tirx.copy cta %s -> %d : !tirx.buffer<16x?xf32, shared, strides = [16, 1]> -> !tirx.buffer<16x?xf32, shared, strides = [16, 1]>
    gpu.return
  }
}

// -----

// Vectors are as wide as the element type, the row pitch and the address allow.

// CHECK-LABEL: gpu.func @widths
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xbf16>
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<16xi8>
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK: vector.load {{.*}} {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// CHECK: vector.load {{.*}} {alignment = 8 : i64} : {{.*}}, vector<2xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @widths() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x16xbf16, shared>
    %b = tirx.alloc : !tirx.buffer<16x16xui8, shared>
    %c = tirx.alloc : !tirx.buffer<16x16xf64, shared>
    %pitch = tirx.alloc : !tirx.buffer<16x6xf32, shared>
    %address = tirx.alloc at 32776 : !tirx.buffer<16x16xf32, shared>
    tirx.copy cta %a -> %a : !tirx.buffer<16x16xbf16, shared> -> !tirx.buffer<16x16xbf16, shared>
    tirx.copy cta %b -> %b : !tirx.buffer<16x16xui8, shared> -> !tirx.buffer<16x16xui8, shared>
    tirx.copy cta %c -> %c : !tirx.buffer<16x16xf64, shared> -> !tirx.buffer<16x16xf64, shared>
    tirx.copy cta %pitch -> %pitch : !tirx.buffer<16x6xf32, shared> -> !tirx.buffer<16x6xf32, shared>
    tirx.copy cta %address -> %address : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}

// -----

// A region whose first row is known at run time only still begins at a multiple of the row pitch.

// CHECK-LABEL: gpu.func @dynamic_offset
// CHECK-SAME: chosen = "vector"
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic_offset(%i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<4x16xf32, shared>
    %s = tirx.subview %a[%i, %c0] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<4x16xf32, shared>
    tirx.copy cta %s -> %d : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x16xf32, shared>
    gpu.return
  }
}

// -----

// A row is an array of one dimension.

// CHECK-LABEL: gpu.func @one_dimension
// CHECK-SAME: chosen = "vector"
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[TID]], %c4
// CHECK: scf.if %[[HAS]]
// CHECK: %[[C:.*]] = arith.muli %[[TID]], %c4
// CHECK: vector.load %{{.*}}[%[[C]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_dimension(%s: !tirx.buffer<16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy cta %s -> %s : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

// The threads of a warp share its work, in every warp of the CTA.

// CHECK-LABEL: gpu.func @warp
// CHECK-SAME: chosen = "vector"
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: %[[LANE:.*]] = arith.remui %[[TID]], %c32
// CHECK: scf.for %{{.*}} = %[[LANE]] to %c64 step %c32
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warp(%s: !tirx.buffer<16x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy warp %s -> %s : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}

// -----

// A row of unknown length: while every thread has four vectors it reads four before it writes them;
// the rest is a loop without a branch in it.

// CHECK-LABEL: gpu.func @long_row
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK: %[[WHOLE:.*]] = arith.divui %[[N]], %c4
// CHECK: %[[BATCHES:.*]] = arith.divui %[[WHOLE]], %c512
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[BATCHES]] step %c1
// CHECK-COUNT-4: vector.load {{.*}}, vector<4xf32>
// CHECK-COUNT-4: vector.store {{.*}}, vector<4xf32>
// CHECK: }
// CHECK: %[[REST:.*]] = arith.subi %[[WHOLE]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[REST]] step %c128 {
// CHECK-NOT: scf
// CHECK: vector.load {{.*}}, vector<4xf32>
// CHECK-NEXT: vector.store {{.*}}, vector<4xf32>
// CHECK-NEXT: }
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @long_row(%n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<1x4096xf32, shared>
    %b = tirx.alloc : !tirx.buffer<1x4096xf32, shared>
    %s = tirx.subview %a[%c0, %c0] sizes [%n] : !tirx.buffer<1x4096xf32, shared> -> !tirx.buffer<1x?xf32, shared, strides = [4096, 1]>
    %d = tirx.subview %b[%c0, %c0] sizes [%n] : !tirx.buffer<1x4096xf32, shared> -> !tirx.buffer<1x?xf32, shared, strides = [4096, 1]>
    tirx.copy cta %s -> %d : !tirx.buffer<1x?xf32, shared, strides = [4096, 1]> -> !tirx.buffer<1x?xf32, shared, strides = [4096, 1]>
    gpu.return
  }
}

// -----

// One row of global memory, of up to one batch: vectors fill it, or are shared one by one. Where the
// address does not allow vectors, the other loop goes as far as the row.

// CHECK-LABEL: gpu.func @row
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: scf.if %[[ALIGNED]] {
// CHECK:   %[[WHOLE:.*]] = arith.divui %[[N]], %c4
// CHECK:   %[[FULL:.*]] = arith.cmpi eq, %[[WHOLE]], %c256
// CHECK:   scf.if %[[FULL]] {
// CHECK-COUNT-2: vector.load {{.*}}, vector<4xf32>
// CHECK:   } else {
// CHECK:     scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step %c128 {
// CHECK:       vector.load {{.*}}, vector<4xf32>
// CHECK: } else {
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %c128 {
// CHECK-NEXT: memref.load {{.*}}[%c0, %[[I]]]
// CHECK-NEXT: memref.store {{.*}}[%c0, %[[I]]]
// CHECK-NEXT: }
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row(%p: !tirx.buffer<f32, global>, %i: index, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<1x1024xf32, shared>
    %d = tirx.subview %a[%c0, %c0] sizes [%n] : !tirx.buffer<1x1024xf32, shared> -> !tirx.buffer<1x?xf32, shared, strides = [1024, 1]>
    %s = tirx.view %p offset %i sizes [%n] : !tirx.buffer<f32, global> -> !tirx.buffer<1x?xf32, global, strides = [1024, 1]>
    tirx.copy cta %s -> %d : !tirx.buffer<1x?xf32, global, strides = [1024, 1]> -> !tirx.buffer<1x?xf32, shared, strides = [1024, 1]>
    gpu.return
  }
}
