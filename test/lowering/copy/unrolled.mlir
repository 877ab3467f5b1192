// RUN: pto-opt --split-input-file --tirx-dispatch --cse %s | FileCheck %s

// One thread, known shapes: no loop, 16 bytes at a time, registers indexed by constants.
// CHECK-LABEL: gpu.func @vectors(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32, #gpu.address_space<global>>
// CHECK-SAME: chosen = "unrolled"
// CHECK-NOT: scf.for
// CHECK: %[[A:.*]] = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
// CHECK: %[[V0:.*]] = vector.load %[[X]][%c0] {alignment = 16 : i64} {{.*}}, vector<4xf32>
// CHECK: vector.store %[[V0]], %[[A]][%c0]
// CHECK: %[[V1:.*]] = vector.load %[[X]][%c4] {alignment = 16 : i64} {{.*}}, vector<4xf32>
// CHECK: vector.store %[[V1]], %[[A]][%c4]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @vectors(%x: !tirx.buffer<8xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<8xf32, global> -> !tirx.buffer<8xf32, local>
    gpu.return
  }
}

// -----

// Six elements of 4 bytes go in pairs, five one by one.
// CHECK-LABEL: gpu.func @narrower(
// CHECK-COUNT-3: vector.load {{.*}} {alignment = 8 : i64} {{.*}}, vector<2xf32>
// CHECK-NOT: vector.load
// CHECK-COUNT-5: memref.load
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @narrower(%x: !tirx.buffer<6xf32, global>, %y: !tirx.buffer<5xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<6xf32, local>
    %b = tirx.alloc : !tirx.buffer<5xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<6xf32, global> -> !tirx.buffer<6xf32, local>
    tirx.copy thread %y -> %b : !tirx.buffer<5xf32, global> -> !tirx.buffer<5xf32, local>
    gpu.return
  }
}

// -----

// More than 4096 elements are a loop.
// CHECK-LABEL: gpu.func @long(
// CHECK-SAME: chosen = "vector"
// CHECK-SAME: is_short(4096): 8192 elements
// CHECK: scf.for
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @long(%x: !tirx.buffer<8192xf32, global>, %y: !tirx.buffer<8192xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    tirx.copy thread %x -> %y : !tirx.buffer<8192xf32, global> -> !tirx.buffer<8192xf32, global>
    gpu.return
  }
}
