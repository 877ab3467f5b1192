// RUN: pto-opt --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: gpu.func @bits
// CHECK: %[[BYTE:.*]] = memref.load %{{.*}} : memref<16x3xi8
// CHECK: arith.shrui %[[BYTE]]
// CHECK: %[[BIT:.*]] = arith.trunci %{{.*}} : i8 to i1
// CHECK: arith.select %[[BIT]], %{{.*}}, %{{.*}} : f32
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @bits(%x: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x20xf32, shared>
    %m = tirx.alloc : !tirx.buffer<16x3xui8, shared>
    tirx.select cta %m, (%a, %x) -> %a
      : !tirx.buffer<16x3xui8, shared>, (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
    gpu.return
  }
}
