// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Threads copy elements in turn, along the rows.

// CHECK-LABEL: gpu.func @elements
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: unit_stride: the columns of !tirx.buffer<16x8xf32, global, strides = [32, 2]> lie 2 apart
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %[[I:.*]] = %[[TID]] to %c128 step %c128
// CHECK-DAG: %[[R:.*]] = arith.divui %[[I]], %c8
// CHECK-DAG: %[[C:.*]] = arith.remui %[[I]], %c8
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[R]], %[[C]]]
// CHECK: memref.store %[[X]], %{{.*}}[%[[R]], %[[C]]]
// CHECK-NOT: vector.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elements(%p: !tirx.buffer<f32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %d = tirx.alloc : !tirx.buffer<16x8xf32, shared>
    %s = tirx.view %p offset %c0 : !tirx.buffer<f32, global> -> !tirx.buffer<16x8xf32, global, strides = [32, 2]>
    tirx.copy cta %s -> %d : !tirx.buffer<16x8xf32, global, strides = [32, 2]> -> !tirx.buffer<16x8xf32, shared>
    gpu.return
  }
}

// -----

// The loop runs over the static tile and skips what lies outside the valid region.

// CHECK-LABEL: gpu.func @guards
// CHECK-SAME: %[[M:[^:]*]]: index, %[[N:[^:]*]]: index) kernel
// CHECK: scf.for %{{.*}} to %c256 step %c128
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: scf.if
// CHECK: memref.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @guards(%m: index, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %b = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %s = tirx.subview %a[%c0, %c0] sizes [%m, %n] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x?xf32, shared, strides = [16, 1]>
    %d = tirx.subview %b[%c0, %c0] sizes [%m, %n] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x?xf32, shared, strides = [16, 1]>
    tirx.copy cta %s -> %d {dispatch = "scalar"} : !tirx.buffer<?x?xf32, shared, strides = [16, 1]> -> !tirx.buffer<?x?xf32, shared, strides = [16, 1]>
    gpu.return
  }
}

// -----

// A single column has nothing to put into a vector.

// CHECK-LABEL: gpu.func @one_column
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: at_least_two: shape, strides or address allow single elements only
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_column() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x1xf32, shared>
    %b = tirx.alloc : !tirx.buffer<16x1xf32, shared>
    tirx.copy cta %a -> %b : !tirx.buffer<16x1xf32, shared> -> !tirx.buffer<16x1xf32, shared>
    gpu.return
  }
}

// -----

// An array without dimensions is one element, which the first thread copies.

// CHECK-LABEL: gpu.func @no_dimension
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: has_dimensions: !tirx.buffer<f32, global> has none
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %{{.*}} = %[[TID]] to %c1 step %c128
// CHECK: %[[X:.*]] = memref.load %{{.*}}[] : memref<f32, #gpu.address_space<global>>
// CHECK: memref.store %[[X]], %{{.*}}[]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_dimension(%s: !tirx.buffer<f32, global>, %d: !tirx.buffer<f32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy cta %s -> %d : !tirx.buffer<f32, global> -> !tirx.buffer<f32, global>
    gpu.return
  }
}
