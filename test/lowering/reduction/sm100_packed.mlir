// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// Two chunks of eight as four pairs, the remainder into the first accumulator, then 8 -> 4 -> 2 -> 1.

// CHECK-LABEL: gpu.func @sum
// CHECK-SAME: chosen = "sm100_packed"
// CHECK: %[[P0:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK-COUNT-7: vector.from_elements
// CHECK: %[[A0:.*]] = arith.addf %[[P0]], %{{.*}} : vector<2xf32>
// CHECK: %[[A1:.*]] = arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[A2:.*]] = arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[A3:.*]] = arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[L0:.*]] = vector.extract %[[A0]][0]
// CHECK: %[[L1:.*]] = arith.addf %[[L0]], %{{.*}} : f32
// CHECK: %[[L2:.*]] = arith.addf %[[L1]], %{{.*}} : f32
// CHECK: %[[B0:.*]] = vector.from_elements %[[L2]], %{{.*}} : vector<2xf32>
// CHECK: %[[S0:.*]] = arith.addf %[[B0]], %[[A1]] : vector<2xf32>
// CHECK: %[[S1:.*]] = arith.addf %[[A2]], %[[A3]] : vector<2xf32>
// CHECK: %[[T:.*]] = arith.addf %[[S0]], %[[S1]] : vector<2xf32>
// CHECK: %[[LOW:.*]] = vector.extract %[[T]][0]
// CHECK: %[[HIGH:.*]] = vector.extract %[[T]][1]
// CHECK: arith.addf %[[LOW]], %[[HIGH]] : f32
// PTX-LABEL: .entry sum(
// PTX-COUNT-4: add.rn.f32x2
// PTX-COUNT-2: add.rn.f32 %
// PTX-COUNT-3: add.rn.f32x2
// PTX: add.rn.f32 %
// PTX-NOT: add.
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @sum(%x: !tirx.buffer<18xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<18xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<18xf32, global> -> !tirx.buffer<18xf32, local>
    tirx.sum thread %a -> %b axes [0] : !tirx.buffer<18xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Products too; `accum` folds the old value into the first element.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME: chosen = "sm100_packed"
// CHECK: %[[OLD:.*]] = memref.load %{{.*}}[%c0] : memref<1xf32, #gpu.address_space<private>>
// CHECK: %[[X0:.*]] = memref.load %{{.*}}[%c0] : memref<8xf32
// CHECK: %[[FIRST:.*]] = arith.mulf %[[OLD]], %[[X0]] : f32
// CHECK: vector.from_elements %[[FIRST]], %{{.*}} : vector<2xf32>
// CHECK-COUNT-3: arith.mulf {{.*}} : vector<2xf32>
// CHECK: arith.mulf {{.*}} : f32
// PTX-LABEL: .entry product(
// PTX-COUNT-3: mul.rn.f32x2
// PTX-NOT: f32x2
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_120a", features = "+ptx88">] {
  gpu.func @product(%x: !tirx.buffer<8xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<8xf32, global> -> !tirx.buffer<8xf32, local>
    tirx.copy thread %y -> %b : !tirx.buffer<1xf32, global> -> !tirx.buffer<1xf32, local>
    tirx.prod thread %a -> %b axes [0] {accum} : !tirx.buffer<8xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Three elements under max or min are two operations that the assembler joins: n elements take n - 1.

// CHECK-LABEL: gpu.func @maximum
// CHECK-SAME: chosen = "sm100_packed"
// CHECK: %[[T:.*]] = llvm.intr.maxnum(%{{.*}}, %{{.*}}) : (f32, f32)
// CHECK: llvm.intr.maxnum(%[[T]], %{{.*}}) : (f32, f32)
// CHECK-COUNT-29: llvm.intr.maxnum({{.*}}) : (f32, f32)
// CHECK-NOT: llvm.intr.maxnum
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @maximum(%y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<32xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.max thread %a -> %b axes [0] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Under ftz every instruction flushes, the packed ones too.

// PTX-LABEL: .entry flushes(
// PTX-COUNT-3: add.rn.ftz.f32x2
// PTX-NOT: add.rn.f32
// PTX: add.rn.ftz.f32
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @flushes(%x: !tirx.buffer<8xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<8xf32, global> -> !tirx.buffer<8xf32, local>
    tirx.sum thread %a -> %b axes [0] {ftz} : !tirx.buffer<8xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}

// -----

// Three operands in one instruction where LLVM has no operation to join: 8 elements and the old value.

// PTX-LABEL: .entry flushes_three(
// PTX-COUNT-4: max.ftz.NaN.f32 {{%[a-z0-9]+, %[a-z0-9]+, %[a-z0-9]+, %[a-z0-9]+}};
// PTX-NOT: max.
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @flushes_three(%x: !tirx.buffer<8xf32, global>, %y: !tirx.buffer<1xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<8xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<8xf32, global> -> !tirx.buffer<8xf32, local>
    tirx.copy thread %y -> %b : !tirx.buffer<1xf32, global> -> !tirx.buffer<1xf32, local>
    tirx.max thread %a -> %b axes [0] {accum, ftz, propagate_nan} : !tirx.buffer<8xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}
