// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// The region of one element has a place, and no shards to keep.

// CHECK-LABEL: gpu.func @element_of_shards
// CHECK-SAME: %[[I:[^:]*]]: index) kernel
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[I]], %c32
// CHECK-DAG: %[[INNER:.*]] = arith.remui %[[I]], %c32
// CHECK-DAG: %[[OUTER:.*]] = arith.divui %[[I]], %c32
// CHECK-DAG: %[[PANEL:.*]] = arith.muli %[[OUTER]], %c256
// CHECK-DAG: %[[A:.*]] = arith.addi %[[ROW]], %[[INNER]]
// CHECK: %[[AT:.*]] = arith.addi %[[A]], %[[PANEL]]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]], sizes: [1, 1]
// CHECK: memref.store
!tile = !tirx.buffer<8x64xf32, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
!element = !tirx.buffer<1x1xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @element_of_shards(%i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = arith.constant 0.0 : f32
    %tile = tirx.alloc : !tile
    %element = tirx.subview %tile[%i, %i] : !tile -> !element
    tirx.fill thread %x -> %element : f32 -> !element
    gpu.return
  }
}
