// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// 128 threads are 8 groups of 16 columns. Group g folds rows g, g + 8, ...; group 0 folds the
// partial results after a barrier.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME: chosen = "shared"
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[S:.*]] = memref.view {{.*}} to memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[D:.*]] = memref.view {{.*}} to memref<1x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[PARTIALS:.*]] = memref.view {{.*}} to memref<8x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TID:.*]] = gpu.thread_id x
// CHECK-DAG: %[[GROUP:.*]] = arith.divui %[[TID]], %c16
// CHECK-DAG: %[[C:.*]] = arith.remui %[[TID]], %c16
// CHECK: scf.if
// CHECK:   %[[P:.*]] = scf.for %[[R:.*]] = %[[GROUP]] to %c64 step %c8 iter_args(%{{.*}} = %[[ONE]]) -> (f32) {
// CHECK:     memref.load %[[S]][%[[R]], %[[C]]]
// CHECK:     arith.mulf
// CHECK:   memref.store %[[P]], %[[PARTIALS]][%[[GROUP]], %[[C]]]
// CHECK: gpu.barrier
// CHECK: arith.cmpi slt, %[[TID]], %c16
// CHECK: scf.if
// CHECK:   %[[FIRST:.*]] = memref.load %[[PARTIALS]][%c0, %[[C]]]
// CHECK:   %[[Q:.*]] = scf.for %[[G:.*]] = %c1 to %c8 step %c1 iter_args(%{{.*}} = %[[FIRST]]) -> (f32) {
// CHECK:     memref.load %[[PARTIALS]][%[[G]], %[[C]]]
// CHECK:     arith.mulf
// CHECK:   memref.store %[[Q]], %[[D]][%c0, %[[C]]]
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
// CHECK: memref<8x16xf32, #gpu.address_space<workgroup>>
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.mulf {{.*}} : f32
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

// There are no more groups than rows.

// CHECK-LABEL: gpu.func @few_rows
// CHECK: memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} to %c5 step %c4
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
