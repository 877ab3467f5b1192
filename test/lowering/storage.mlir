// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Shared buffers are parts of the kernel's dynamic shared memory, each on a line of 128 bytes.

// CHECK-LABEL: gpu.func @auto
// CHECK-SAME: pto.shared_bytes = 320 : i64
// CHECK-DAG: %[[M:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[M]][%c0][] : {{.*}} to memref<1x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[M]][%c128][] : {{.*}} to memref<3x16xf32, #gpu.address_space<workgroup>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @auto() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    %s = tirx.alloc : !tirx.buffer<3x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<3x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// Buffers with an address lie there; the others go around them.

// CHECK-LABEL: gpu.func @manual
// CHECK-SAME: pto.shared_bytes = 2112 : i64
// CHECK-DAG: memref.view %{{.*}}[%c64][] : {{.*}} to memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %{{.*}}[%c2048][] : {{.*}} to memref<1x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %{{.*}}[%c384][] : {{.*}} to memref<8x16xf32, #gpu.address_space<workgroup>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @manual() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc at 64 : !tirx.buffer<4x16xf32, shared>
    %d = tirx.alloc at 2048 : !tirx.buffer<1x16xf32, shared>
    %t = tirx.alloc : !tirx.buffer<8x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %t -> %d axes [0] {strict} : !tirx.buffer<8x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @overlapping
// CHECK-SAME: pto.shared_bytes = 256 : i64
// CHECK-DAG: memref.view %{{.*}}[%c0][] : {{.*}} to memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %{{.*}}[%c0][] : {{.*}} to memref<4x16xi32, #gpu.address_space<workgroup>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @overlapping() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc at 0 : !tirx.buffer<4x16xf32, shared>
    %t = tirx.alloc at 0 : !tirx.buffer<4x16xi32, shared>
    tirx.copy cta %s -> %s : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x16xf32, shared>
    tirx.copy cta %t -> %t : !tirx.buffer<4x16xi32, shared> -> !tirx.buffer<4x16xi32, shared>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @no_shared_memory
// CHECK-SAME: pto.shared_bytes = 0 : i64
// CHECK-NOT: gpu.dynamic_shared_memory
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_shared_memory() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }
}

// -----

// A strided argument becomes a pointer, its sizes and its strides; a plain one a pointer.

// CHECK-LABEL: gpu.func @arguments
// CHECK-SAME: (%{{[^:]*}}: memref<f32, #gpu.address_space<global>>, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index,
// CHECK-SAME:  %{{[^:]*}}: memref<f16, #gpu.address_space<global>>, %{{[^:]*}}: i32) kernel
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @arguments(%a: !tirx.buffer<?x16xf32, global, strides = [?, ?]>, %b: !tirx.buffer<f16, global>, %c: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }
}

// -----

// The queries are answered by the arguments, or by the type.

// CHECK-LABEL: gpu.func @queries
// CHECK-SAME: (%{{[^:]*}}: memref<f32, #gpu.address_space<global>>, %[[M:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[S:[^:]*]]: index) kernel
// CHECK: gpu.printf "%d %d %d", %[[M]], %c16, %[[S]]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @queries(%a: !tirx.buffer<?x16xf32, global, strides = [?, ?]>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %m = tirx.dim %a, 0 : !tirx.buffer<?x16xf32, global, strides = [?, ?]>
    %n = tirx.dim %a, 1 : !tirx.buffer<?x16xf32, global, strides = [?, ?]>
    %s = tirx.stride %a, 1 : !tirx.buffer<?x16xf32, global, strides = [?, ?]>
    gpu.printf "%d %d %d", %m, %n, %s : index, index, index
    gpu.return
  }
}
