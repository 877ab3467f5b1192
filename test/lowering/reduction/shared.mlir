// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// 128 threads are 8 groups of 16 columns. Group g folds rows g, g + 8, ...; one thread per
// column folds the partial results after a barrier.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME: chosen = "shared"
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[S:.*]] = memref.view {{.*}} to memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[D:.*]] = memref.view {{.*}} to memref<1x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TID:.*]] = gpu.thread_id x
// CHECK-DAG: %[[GROUP:.*]] = arith.divui %[[TID]], %c16
// CHECK-DAG: %[[C:.*]] = arith.remui %[[TID]], %c16
// CHECK-DAG: %[[OWN:.*]] = arith.minsi %[[C]], %c15
// CHECK: %[[P:.*]] = scf.for %[[R:.*]] = %[[GROUP]] to %c64 step %c8 iter_args(%{{.*}} = %[[ONE]]) -> (f32) {
// CHECK:   memref.load %[[S]][%[[R]], %[[OWN]]]
// CHECK:   arith.mulf
// CHECK: %[[PARTIALS:.*]] = memref.view {{.*}} to memref<1x8x16xf32, #gpu.address_space<workgroup>>
// CHECK: memref.store %[[P]], %[[PARTIALS]][%c0, %[[GROUP]], %[[C]]]
// CHECK: gpu.barrier
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[TID]], %c16
// CHECK: scf.if %[[HAS]] {
// CHECK:   memref.load %[[PARTIALS]][%c0, %c0, %[[TID]]]
// CHECK:   memref.load %[[PARTIALS]][%c0, %c7, %[[TID]]]
// CHECK-COUNT-6: arith.mulf
// CHECK:   %[[Q:.*]] = arith.mulf
// CHECK:   memref.store %[[Q]], %[[D]][%c0, %[[TID]]]
// CHECK: gpu.barrier
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// f16 and bf16 accumulate in f32 and are rounded once.

// CHECK-LABEL: gpu.func @half
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: to memref<1x8x16xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @half() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf16, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf16, shared>
    tirx.prod cta %s -> %d axes [0] : !tirx.buffer<64x16xf16, shared> -> !tirx.buffer<1x16xf16, shared>
    gpu.return
  }
}

// -----

// There are no more groups than rows, and each has one.

// CHECK-LABEL: gpu.func @few_rows
// CHECK: arith.cmpi slt, %{{.*}}, %c5
// CHECK: scf.if {{.*}} -> (f32)
// CHECK: to memref<1x5x16xf32, #gpu.address_space<workgroup>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @few_rows() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<5x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] : !tirx.buffer<5x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// Integers, and max and min, give the same bits in every order: strict does not matter.

// CHECK-LABEL: gpu.func @order_does_not_matter
// CHECK-SAME: chosen = "shared"
// CHECK-SAME: chosen = "shared"
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @order_does_not_matter() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xi32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xi32, shared>
    %t = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %e = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<64x16xi32, shared> -> !tirx.buffer<1x16xi32, shared>
    tirx.max cta %t -> %e axes [0] {strict} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// By rows: neighbouring lanes read neighbouring elements, 16 bytes each, and join by shuffles.

// CHECK-LABEL: gpu.func @rows
// CHECK-SAME: chosen = "shared"
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16x64xf32, shared>
    %d = tirx.alloc : !tirx.buffer<16x1xf32, shared>
    tirx.sum cta %s -> %d axes [1] : !tirx.buffer<16x64xf32, shared> -> !tirx.buffer<16x1xf32, shared>
    gpu.return
  }
}

// -----

// An array of one dimension is one row.

// CHECK-LABEL: gpu.func @one_dimension
// CHECK-SAME: chosen = "shared"
// CHECK: vector.load {{.*}} : memref<16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_dimension() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1xf32, shared>
    tirx.sum cta %s -> %d axes [0] : !tirx.buffer<16xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

// A row of unknown length: vectors first, then the elements behind the last one.

// CHECK-LABEL: gpu.func @long_row
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK: %[[CHUNKS:.*]] = arith.divui %[[N]], %c4
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[CHUNKS]] step %c128
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK: %[[BEHIND:.*]] = arith.muli %[[CHUNKS]], %c4
// CHECK: %[[FIRST:.*]] = arith.addi %[[BEHIND]]
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]]
// CHECK: scf.if %[[HAS]] -> (f32)
// CHECK: memref.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @long_row(%n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<1x4096xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x1xf32, shared>
    %s = tirx.subview %a[%c0, %c0] sizes [%n] : !tirx.buffer<1x4096xf32, shared> -> !tirx.buffer<1x?xf32, shared, strides = [4096, 1]>
    tirx.sum cta %s -> %d axes [1] : !tirx.buffer<1x?xf32, shared, strides = [4096, 1]> -> !tirx.buffer<1x1xf32, shared>
    gpu.return
  }
}
