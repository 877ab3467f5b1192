// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// What a map computes the next one takes from a register; a buffer is stored once.

// CHECK-LABEL: gpu.func @chain
// CHECK-SAME: chosen = "vector", detail = "mul, add, neg; vectors of 4"
// CHECK: %[[A:.*]] = vector.load
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[A]] : vector<4xf32>
// CHECK: %[[C:.*]] = arith.addf %[[B]], %[[A]] : vector<4xf32>
// CHECK-NEXT: vector.store %[[C]]
// CHECK-NEXT: %[[D:.*]] = arith.negf %[[C]] : vector<4xf32>
// CHECK-NEXT: vector.store %[[D]]
// CHECK-NOT: vector.store
!tile = !tirx.buffer<16x16xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chain() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !tile
    %b = tirx.alloc at 4096 : !tile
    %d = tirx.alloc : !tile
    tirx.fused cta {
      tirx.map cta "mul"(%a, %a) -> %b : (!tile, !tile) -> !tile
      tirx.map cta "add"(%b, %a) -> %b : (!tile, !tile) -> !tile
      tirx.map cta "neg"(%b) -> %d : (!tile) -> !tile
    }
    gpu.return
  }
}

// -----

// The widest element says how many make a vector; a scalar tile is read once.

// CHECK-LABEL: gpu.func @types
// CHECK: %[[S:.*]] = memref.load
// CHECK: vector.load {{.*}} {alignment = 8 : i64} : memref<16x64xf16{{.*}}, vector<4xf16>
// CHECK: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
// CHECK: vector.broadcast %[[S]] : f32 to vector<4xf32>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @types() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<16x64xf16, shared>
    %b = tirx.alloc : !tirx.buffer<16x64xf32, shared>
    %s = tirx.alloc : !tirx.buffer<1x1xf32, shared>
    tirx.fused cta {
      tirx.map cta "cast"(%a) -> %b : (!tirx.buffer<16x64xf16, shared>) -> !tirx.buffer<16x64xf32, shared>
      tirx.map cta "mul"(%b, %s) -> %b
        : (!tirx.buffer<16x64xf32, shared>, !tirx.buffer<1x1xf32, shared>) -> !tirx.buffer<16x64xf32, shared>
    }
    gpu.return
  }
}

// -----

// A tile of one element, which one thread computes from what it has.

// CHECK-LABEL: gpu.func @cell
// CHECK: memref.load
// CHECK-NOT: memref.load
// CHECK: arith.divf
// CHECK: arith.addf
// CHECK: memref.store
// CHECK-NOT: memref.store
!cell = !tirx.buffer<1x1xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @cell(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !cell
    tirx.fused cta {
      tirx.map cta "div"(%a, %x) -> %a : (!cell, f32) -> !cell
      tirx.map cta "add"(%a, %x) -> %a : (!cell, f32) -> !cell
    }
    gpu.return
  }
}

// -----

// What the maps only hand on to each other needs no memory. What is never read does: it is a result.

// CHECK-LABEL: gpu.func @temporary
// CHECK-SAME: pto.shared_bytes = 2048
// CHECK: vector.load
// CHECK: %[[X:.*]] = arith.mulf
// CHECK-NEXT: %[[Y:.*]] = arith.negf %[[X]]
// CHECK-NEXT: vector.store %[[Y]]
// CHECK-NOT: vector.store
!tile = !tirx.buffer<16x16xf32, shared>
!part = !tirx.buffer<?x16xf32, shared, strides = [16, 1]>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @temporary(%n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tirx.alloc : !tile
    %b = tirx.alloc : !tile
    %d = tirx.alloc : !tile
    %pa = tirx.subview %a[%c0, %c0] sizes [%n] : !tile -> !part
    %pb = tirx.subview %b[%c0, %c0] sizes [%n] : !tile -> !part
    %pd = tirx.subview %d[%c0, %c0] sizes [%n] : !tile -> !part
    tirx.fused cta {
      tirx.map cta "mul"(%pa, %pa) -> %pb : (!part, !part) -> !part
      tirx.map cta "neg"(%pb) -> %pd : (!part) -> !part
    }
    gpu.return
  }
}

// -----

// Memory is needed where elements are read before they are computed, or elsewhere.

// CHECK-LABEL: gpu.func @no_temporaries
// CHECK-SAME: pto.shared_bytes = 4096
// CHECK: arith.mulf
// CHECK-NEXT: vector.store
// CHECK: arith.negf
// CHECK-NEXT: vector.store
// CHECK: arith.addf
// CHECK-NEXT: vector.store
!tile = !tirx.buffer<16x16xf32, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_temporaries(%x: !tirx.buffer<16x16xf32, global>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tirx.alloc : !tile
    %b = tirx.alloc : !tile
    %d = tirx.alloc : !tile
    %e = tirx.alloc : !tile
    tirx.fused cta {
      tirx.map cta "mul"(%a, %b) -> %b : (!tile, !tile) -> !tile
      tirx.map cta "neg"(%b) -> %d : (!tile) -> !tile
      tirx.map cta "add"(%b, %d) -> %e : (!tile, !tile) -> !tile
    }
    tirx.copy cta %d -> %x : !tile -> !tirx.buffer<16x16xf32, global>
    gpu.return
  }
}
