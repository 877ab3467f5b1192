// RUN: pto-opt --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Eight comparisons make a byte. Of the last byte four bits have a column: the others are 0.

// CHECK-LABEL: gpu.func @bytes
// CHECK: arith.cmpi slt, %{{.*}}, %c48
// CHECK: arith.cmpf olt
// CHECK: arith.select {{.*}} : index
// CHECK-COUNT-7: arith.cmpf olt
// CHECK: memref.store %{{.*}} : memref<16x3xi8
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @bytes(%x: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x20xf32, shared>
    %m = tirx.alloc : !tirx.buffer<16x3xui8, shared>
    tirx.compare cta "lt"(%a, %x) -> %m : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x3xui8, shared>
    gpu.return
  }
}
