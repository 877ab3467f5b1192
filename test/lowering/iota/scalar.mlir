// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Along the last dimension, the same in every row.

// CHECK-LABEL: gpu.func @columns
// CHECK-SAME: (%[[X:[^:]*]]: i16) kernel
// CHECK-SAME: chosen = "scalar"
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c256 step %c128
// CHECK-DAG: %[[R:.*]] = arith.divui %[[I]], %c64
// CHECK-DAG: %[[C:.*]] = arith.remui %[[I]], %c64
// CHECK: %[[K:.*]] = arith.index_cast %[[C]] : index to i16
// CHECK: %[[N:.*]] = arith.subi %[[X]], %[[K]] : i16
// CHECK: memref.store %[[N]], %{{.*}}[%[[R]], %[[C]]]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: i16) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tirx.alloc : !tirx.buffer<4x64xui16, shared>
    tirx.iota cta %x -> %d {descending} : i16 -> !tirx.buffer<4x64xui16, shared>
    gpu.return
  }
}
