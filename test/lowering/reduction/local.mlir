// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// Eight accumulators; the elements after the eighth go to one after the other, and a tree joins all.

// CHECK-LABEL: gpu.func @sum
// CHECK-SAME: chosen = "local"
// CHECK: %[[A:.*]] = memref.alloca() : memref<10xf32, #gpu.address_space<private>>
// CHECK: %[[X0:.*]] = memref.load %[[A]][%c0]
// CHECK: %[[X1:.*]] = memref.load %[[A]][%c1]
// CHECK: %[[X2:.*]] = memref.load %[[A]][%c2]
// CHECK: %[[X3:.*]] = memref.load %[[A]][%c3]
// CHECK: %[[X4:.*]] = memref.load %[[A]][%c4]
// CHECK: %[[X5:.*]] = memref.load %[[A]][%c5]
// CHECK: %[[X6:.*]] = memref.load %[[A]][%c6]
// CHECK: %[[X7:.*]] = memref.load %[[A]][%c7]
// CHECK: %[[X8:.*]] = memref.load %[[A]][%c8]
// CHECK: %[[X9:.*]] = memref.load %[[A]][%c9]
// CHECK: %[[A0:.*]] = arith.addf %[[X0]], %[[X8]] : f32
// CHECK: %[[A1:.*]] = arith.addf %[[X1]], %[[X9]] : f32
// CHECK: %[[B0:.*]] = arith.addf %[[A0]], %[[A1]] : f32
// CHECK: %[[B1:.*]] = arith.addf %[[X2]], %[[X3]] : f32
// CHECK: %[[B2:.*]] = arith.addf %[[X4]], %[[X5]] : f32
// CHECK: %[[B3:.*]] = arith.addf %[[X6]], %[[X7]] : f32
// CHECK: %[[C0:.*]] = arith.addf %[[B0]], %[[B1]] : f32
// CHECK: %[[C1:.*]] = arith.addf %[[B2]], %[[B3]] : f32
// CHECK: %[[R:.*]] = arith.addf %[[C0]], %[[C1]] : f32
// CHECK: memref.store %[[R]]
// PTX-LABEL: .entry sum(
// PTX-COUNT-9: add.rn.f32
// PTX-NOT: add.
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sum(%x: !tirx.buffer<10xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<10xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<10xf32, global> -> !tirx.buffer<10xf32, local>
    tirx.sum thread %a -> %b axes [0] : !tirx.buffer<10xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// The old value is combined with the first element.

// CHECK-LABEL: gpu.func @accumulates
// CHECK: %[[X0:.*]] = memref.load %{{.*}}[%c0] : memref<3xi32
// CHECK: %[[OLD:.*]] = memref.load %[[B:.*]][%c0] : memref<1xi32
// CHECK: %[[A0:.*]] = arith.muli %[[OLD]], %[[X0]] : i32
// CHECK: arith.muli %[[A0]], %{{.*}} : i32
// CHECK: memref.store %{{.*}}, %[[B]][%c0]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @accumulates(%y: !tirx.buffer<1xi32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<3xi32, local>
    %b = tirx.alloc : !tirx.buffer<1xi32, local>
    tirx.prod thread %a -> %b axes [0] {accum} : !tirx.buffer<3xi32, local> -> !tirx.buffer<1xi32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xi32, local> -> !tirx.buffer<1xi32, global>
    gpu.return
  }
}

// -----

// Every result of a reduction over the outer and the inner axis; f16 is widened, and rounded once.

// CHECK-LABEL: gpu.func @axes
// CHECK-SAME: chosen = "local"
// CHECK-COUNT-4: arith.extf {{.*}} : f16 to f32
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: memref.store {{.*}}[%c0]
// CHECK: arith.truncf
// CHECK: memref.store {{.*}}[%c1]
// CHECK: arith.truncf
// CHECK: memref.store {{.*}}[%c2]
// CHECK-NOT: arith.truncf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @axes(%y: !tirx.buffer<3xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<2x3x2xf16, local>
    %b = tirx.alloc : !tirx.buffer<3xf16, local>
    tirx.sum thread %a -> %b axes [0, 2] : !tirx.buffer<2x3x2xf16, local> -> !tirx.buffer<3xf16, local>
    tirx.copy thread %b -> %y : !tirx.buffer<3xf16, local> -> !tirx.buffer<3xf16, global>
    gpu.return
  }
}

// -----

// NaN is dropped, or propagates; the sign of integers is in the operation.

// CHECK-LABEL: gpu.func @extremes
// CHECK: llvm.intr.maxnum({{.*}}) : (f32, f32)
// CHECK: arith.minimumf {{.*}} : f32
// CHECK: arith.maxui {{.*}} : i8
// PTX-LABEL: .entry extremes(
// PTX: max.f32
// PTX: min.NaN.f32
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @extremes(%x: !tirx.buffer<2xf32, global>, %y: !tirx.buffer<1xf32, global>, %z: !tirx.buffer<1xf32, global>, %u: !tirx.buffer<1xui8, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<2xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    %c = tirx.alloc : !tirx.buffer<2xui8, local>
    %d = tirx.alloc : !tirx.buffer<1xui8, local>
    tirx.copy thread %x -> %a : !tirx.buffer<2xf32, global> -> !tirx.buffer<2xf32, local>
    tirx.max thread %a -> %b axes [0] : !tirx.buffer<2xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    tirx.min thread %a -> %b axes [0] {propagate_nan} : !tirx.buffer<2xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %z : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    tirx.max thread %c -> %d axes [0] : !tirx.buffer<2xui8, local> -> !tirx.buffer<1xui8, local>
    tirx.copy thread %d -> %u : !tirx.buffer<1xui8, local> -> !tirx.buffer<1xui8, global>
    gpu.return
  }
}

// -----

// A region of shared memory, read by one thread of many.

// CHECK-LABEL: gpu.func @region
// CHECK-SAME: chosen = "local"
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [{{.*}}], sizes: [2], strides: [1]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @region() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c3 = arith.constant 3 : index
    %a = tirx.alloc : !tirx.buffer<8xf32, shared>
    %b = tirx.alloc : !tirx.buffer<1xf32, shared>
    %r = tirx.subview %a[%c3] : !tirx.buffer<8xf32, shared> -> !tirx.buffer<2xf32, shared>
    tirx.sum thread %r -> %b axes [0] : !tirx.buffer<2xf32, shared> -> !tirx.buffer<1xf32, shared>
    gpu.return
  }
}
