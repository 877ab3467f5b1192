// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Accesses to shared buffers whose elements have no single stride per dimension: the memref is the
// whole allocation, flat, and the index the offset of the element in it.

// The element at offset o lies at o ^ ((o >> 3) & 56): bits 3 to 5 are changed by the three above.

// CHECK-LABEL: gpu.func @fill_swizzled
// CHECK-SAME: chosen = "scalar"
// CHECK: memref.view %{{.*}}[%c0][] : {{.*}} to memref<512xf16, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c512 step %c32
// CHECK-DAG: %[[R:.*]] = arith.divui %[[I]], %c64
// CHECK-DAG: %[[C:.*]] = arith.remui %[[I]], %c64
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[R]], %c64
// CHECK: %[[O:.*]] = arith.addi %[[ROW]], %[[C]]
// CHECK: %[[HIGH:.*]] = arith.shrui %[[O]], %c3
// CHECK: %[[BITS:.*]] = arith.andi %[[HIGH]], %c56
// CHECK: %[[AT:.*]] = arith.xori %[[O]], %[[BITS]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[AT]]] : memref<512xf16, #gpu.address_space<workgroup>>
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fill_swizzled(%x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tile = tirx.alloc : !tile
    tirx.fill cta %x -> %tile : f16 -> !tile
    gpu.return
  }
}

// -----

// Each shard of a dimension is a digit of the index: row r, column c lies at
// r * 32 + (c / 32) * 256 + c mod 32.

// CHECK-LABEL: gpu.func @fill_sharded
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: pto.shared_bytes = 2048 : i64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c512 step %c32
// CHECK-DAG: %[[R:.*]] = arith.divui %[[I]], %c64
// CHECK-DAG: %[[C:.*]] = arith.remui %[[I]], %c64
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[R]], %c32
// CHECK-DAG: %[[INNER:.*]] = arith.remui %[[C]], %c32
// CHECK-DAG: %[[OUTER:.*]] = arith.divui %[[C]], %c32
// CHECK-DAG: %[[PANEL:.*]] = arith.muli %[[OUTER]], %c256
// CHECK-DAG: %[[A:.*]] = arith.addi %[[ROW]], %[[INNER]]
// CHECK: %[[AT:.*]] = arith.addi %[[A]], %[[PANEL]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[AT]]] : memref<512xf32, #gpu.address_space<workgroup>>
!tile = !tirx.buffer<8x64xf32, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fill_sharded(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tile = tirx.alloc : !tile
    tirx.fill cta %x -> %tile : f32 -> !tile
    gpu.return
  }
}

// -----

// Each side of a copy has its own addresses; vectors are for strides.

// CHECK-LABEL: gpu.func @copy
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: "strided: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> has shards or a swizzle"
// CHECK-SAME: variant = "vector"
// CHECK-SAME: chosen = "scalar"
// CHECK: scf.for
// CHECK-DAG: %[[R:.*]] = arith.divui %{{.*}}, %c64
// CHECK-DAG: %[[C:.*]] = arith.remui %{{.*}}, %c64
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[R]], %[[C]]] : memref<8x64xf16, #gpu.address_space<global>>
// CHECK: %[[AT:.*]] = arith.xori
// CHECK: memref.store %[[X]], %{{.*}}[%[[AT]]]
// CHECK: scf.for
// CHECK: %[[FROM:.*]] = arith.xori
// CHECK: %[[Y:.*]] = memref.load %{{.*}}[%[[FROM]]]
// CHECK: arith.divui %{{.*}}, %c32
// CHECK: %[[TO:.*]] = arith.addi
// CHECK: memref.store %[[Y]], %{{.*}}[%[[TO]]]
!global = !tirx.buffer<8x64xf16, global>
!swizzled = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!sharded = !tirx.buffer<8x64xf16, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%g: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc : !swizzled
    %b = tirx.alloc : !sharded
    tirx.copy cta %g -> %a : !global -> !swizzled
    tirx.copy cta %a -> %b : !swizzled -> !sharded
    gpu.return
  }
}

// -----

// A region's offset counts from the beginning of the allocation, where the pattern begins.

// CHECK-LABEL: gpu.func @region
// CHECK-SAME: %[[ROW:[^:]*]]: index) kernel
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c64
// CHECK: %[[BEGIN:.*]] = arith.addi %[[BEFORE]], %c16
// CHECK: scf.for %[[I:.*]] = %c0 to %c8
// CHECK: %[[O:.*]] = arith.addi %[[BEGIN]], %{{.*}}
// CHECK: %[[HIGH:.*]] = arith.shrui %[[O]], %c3
// CHECK: %[[BITS:.*]] = arith.andi %[[HIGH]], %c56
// CHECK: arith.xori %[[O]], %[[BITS]]
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!part = !tirx.buffer<1x8xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @region(%row: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c16 = arith.constant 16 : index
    %x = arith.constant 0.0 : f16
    %tile = tirx.alloc : !tile
    %part = tirx.subview %tile[%row, %c16] : !tile -> !part
    tirx.fill thread %x -> %part : f16 -> !part
    gpu.return
  }
}

// -----

// The region of one row of a buffer with shards: the row, and in it the digits of the column.

// CHECK-LABEL: gpu.func @region_of_shards
// CHECK-SAME: %[[ROW:[^:]*]]: index) kernel
// CHECK: %[[BEGIN:.*]] = arith.muli %[[ROW]], %c32
// CHECK: scf.for
// CHECK: arith.addi %[[BEGIN]], %{{.*}}
!tile = !tirx.buffer<8x64xf32, shared, shards = [8 : 32, 2 : 256, 32 : 1]>
!row = !tirx.buffer<1x64xf32, shared, shards = [2 : 256, 32 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @region_of_shards(%row: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = arith.constant 0.0 : f32
    %tile = tirx.alloc : !tile
    %part = tirx.subview %tile[%row, %c0] : !tile -> !row
    tirx.fill thread %x -> %part : f32 -> !row
    gpu.return
  }
}

// -----

// Registers are loaded from where the swizzle puts their elements.

// CHECK-LABEL: gpu.func @registers
// CHECK-SAME: chosen = "registers"
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c16
// CHECK: %[[HIGH:.*]] = arith.shrui %[[ROW]], %c2
// CHECK: %[[BITS:.*]] = arith.andi %[[HIGH]], %c12
// CHECK: arith.xori %[[ROW]], %[[BITS]]
// CHECK: memref.load
// CHECK: arith.addi %[[ROW]], %c1
// CHECK: arith.xori
// CHECK: memref.load
!tile = !tirx.buffer<32x16xf32, shared, swizzle = [2, 2, 2]>
!part = !tirx.buffer<32x2xf32, shared, strides = [16, 1], swizzle = [2, 2, 2]>
!registers = !tirx.buffer<32x2xf32, local, shards = [32 : 1@laneid, 2 : 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tile = tirx.alloc : !tile
    %own = tirx.alloc : !registers
    %part = tirx.subview %tile[%c0, %c0] : !tile -> !part
    tirx.copy warp %part -> %own : !part -> !registers
    gpu.return
  }
}
