// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// 16 bytes per thread; 64 vectors need a quarter of the threads, and no loop.

// CHECK-LABEL: gpu.func @vectors
// CHECK-SAME: chosen = "shared", detail = "vectors of 4"
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %{{.*}}, %c64
// CHECK: scf.if %[[HAS]]
// CHECK: %[[A:.*]] = vector.load {{.*}} {alignment = 16 : i64} : memref<16x16xf32
// CHECK: %[[B:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK: %[[C:.*]] = arith.addf %[[A]], %[[B]] : vector<4xf32>
// CHECK: vector.store %[[C]], {{.*}} {alignment = 16 : i64}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @vectors(%x: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    tirx.map cta "add"(%a, %x) -> %a : (!tirx.buffer<16x16xf32, shared>, f32) -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}

// -----

// The columns that do not fill a vector are computed one by one.

// CHECK-LABEL: gpu.func @rest
// CHECK: arith.mulf {{.*}} : vector<8xf16>
// CHECK: scf.for
// CHECK: arith.mulf {{.*}} : f16
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rest(%n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tirx.buffer<16x64xf16, shared>
    %v = tirx.subview %a[%c0, %c0] sizes[%n] : !tirx.buffer<16x64xf16, shared> -> !tirx.buffer<16x?xf16, shared, strides = [64, 1]>
    tirx.map cta "mul"(%v, %v) -> %v
      : (!tirx.buffer<16x?xf16, shared, strides = [64, 1]>, !tirx.buffer<16x?xf16, shared, strides = [64, 1]>) -> !tirx.buffer<16x?xf16, shared, strides = [64, 1]>
    gpu.return
  }
}

// -----

// A column beside the tile stands for copies of it, and so does a row.

// CHECK-LABEL: gpu.func @copies
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%{{.*}}, %c0]
// CHECK: vector.broadcast %[[X]]
// CHECK: arith.subf
// CHECK: vector.load %{{.*}}[%c0, %{{.*}}]
// CHECK: arith.subf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copies() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %column = tirx.alloc : !tirx.buffer<16x1xf32, shared>
    %row = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.map cta "sub"(%a, %column) -> %a : (!tirx.buffer<16x16xf32, shared>, !tirx.buffer<16x1xf32, shared>) -> !tirx.buffer<16x16xf32, shared>
    tirx.map cta "sub"(%a, %row) -> %a : (!tirx.buffer<16x16xf32, shared>, !tirx.buffer<1x16xf32, shared>) -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}
