// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: gpu.func @elements
// CHECK-SAME: (%[[X:[^:]*]]: f32) kernel
// CHECK-SAME: chosen = "scalar"
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %[[I:.*]] = %[[TID]] to %c256 step %c128
// CHECK-DAG: %[[R:.*]] = arith.divui %[[I]], %c16
// CHECK-DAG: %[[C:.*]] = arith.remui %[[I]], %c16
// CHECK: memref.store %[[X]], %{{.*}}[%[[R]], %[[C]]]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elements(%x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    tirx.fill cta %x -> %d : f32 -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}

// -----

// Unsigned elements are stored as what they are in memory.

// CHECK-LABEL: gpu.func @unsigned
// CHECK: memref.store %{{.*}} : memref<16x16xi8, #gpu.address_space<workgroup>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unsigned(%x: i8) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tirx.alloc : !tirx.buffer<16x16xui8, shared>
    tirx.fill cta %x -> %d : i8 -> !tirx.buffer<16x16xui8, shared>
    gpu.return
  }
}
