// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// One thread per column folds its rows from first to last, rounding at every step.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME: chosen = "fold"
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[S:.*]] = memref.view {{.*}} to memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[D:.*]] = memref.view {{.*}} to memref<1x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %[[C:.*]] = %[[TID]] to %c16 step %c128 {
// CHECK:   %[[P:.*]] = scf.for %[[R:.*]] = %c0 to %c4 step %c1 iter_args(%[[ACC:.*]] = %[[ONE]]) -> (f32) {
// CHECK:     %[[X:.*]] = memref.load %[[S]][%[[R]], %[[C]]]
// CHECK:     %[[Y:.*]] = arith.mulf %[[ACC]], %[[X]] : f32
// CHECK:     scf.yield %[[Y]] : f32
// CHECK:   memref.store %[[P]], %[[D]][%c0, %[[C]]]
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// f16 is folded in f16.

// CHECK-LABEL: gpu.func @half
// CHECK: arith.mulf {{.*}} : f16
// CHECK-NOT: arith.extf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @half() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4x16xf16, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf16, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<4x16xf16, shared> -> !tirx.buffer<1x16xf16, shared>
    gpu.return
  }
}

// -----

// A sum starts from 0; rows and columns may be known at run time only.

// CHECK-LABEL: gpu.func @dynamic_sum
// CHECK-SAME: %[[M:[^:]*]]: index, %[[N:[^:]*]]: index) kernel
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step %c128 {
// CHECK: scf.for %{{.*}} = %c0 to %[[M]] step %c1 iter_args(%{{.*}} = %[[ZERO]])
// CHECK: arith.addf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic_sum(%m: index, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<4x16xf32, shared>
    %b = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    %s = tirx.subview %a[%c0, %c0] sizes [%m, %n] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<?x?xf32, shared, strides = [16, 1]>
    %d = tirx.subview %b[%c0, %c0] sizes [%n] : !tirx.buffer<1x16xf32, shared> -> !tirx.buffer<1x?xf32, shared, strides = [16, 1]>
    tirx.sum cta %s -> %d axes [0] {strict} : !tirx.buffer<?x?xf32, shared, strides = [16, 1]> -> !tirx.buffer<1x?xf32, shared, strides = [16, 1]>
    gpu.return
  }
}

// -----

// max and min start from the first row, not from a number: a column of NaN gives NaN.

// CHECK-LABEL: gpu.func @maximum
// CHECK: %[[FIRST:.*]] = memref.load %{{.*}}[%c0, %{{.*}}]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: llvm.intr.maxnum
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @maximum() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.max cta %s -> %d axes [0] {strict, dispatch = "fold"} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// The sign of integers is in the operation.

// CHECK-LABEL: gpu.func @integers
// CHECK: arith.muli {{.*}} : i16
// CHECK: arith.maxsi {{.*}} : i16
// CHECK: arith.muli {{.*}} : i16
// CHECK: arith.maxui {{.*}} : i16
// CHECK: arith.minui {{.*}} : i16
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @integers() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<4x16xi16, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xi16, shared>
    %u = tirx.alloc : !tirx.buffer<4x16xui16, shared>
    %e = tirx.alloc : !tirx.buffer<1x16xui16, shared>
    tirx.prod cta %s -> %d axes [0] {dispatch = "fold"} : !tirx.buffer<4x16xi16, shared> -> !tirx.buffer<1x16xi16, shared>
    tirx.max cta %s -> %d axes [0] {dispatch = "fold"} : !tirx.buffer<4x16xi16, shared> -> !tirx.buffer<1x16xi16, shared>
    tirx.prod cta %u -> %e axes [0] {dispatch = "fold"} : !tirx.buffer<4x16xui16, shared> -> !tirx.buffer<1x16xui16, shared>
    tirx.max cta %u -> %e axes [0] {dispatch = "fold"} : !tirx.buffer<4x16xui16, shared> -> !tirx.buffer<1x16xui16, shared>
    tirx.min cta %u -> %e axes [0] {dispatch = "fold"} : !tirx.buffer<4x16xui16, shared> -> !tirx.buffer<1x16xui16, shared>
    gpu.return
  }
}
