// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// An address that allows no vector.

// CHECK-LABEL: gpu.func @misaligned
// CHECK-SAME: chosen = "scalar"
// CHECK-SAME: reasons = ["at_least_two: shape, strides or address allow single elements only"], variant = "shared"
// CHECK: scf.for
// CHECK: memref.load
// CHECK: arith.xori {{.*}} : i32
// CHECK: memref.store
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @misaligned() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc at 4 : !tirx.buffer<16x16xi32, shared>
    tirx.map cta "not"(%a) -> %a : (!tirx.buffer<16x16xi32, shared>) -> !tirx.buffer<16x16xi32, shared>
    gpu.return
  }
}

// -----

// A swizzled layout.

// CHECK-LABEL: gpu.func @swizzled
// CHECK-SAME: chosen = "scalar"
// CHECK: arith.xori {{.*}} : index
// CHECK: arith.negf
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swizzled() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<64x64xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
    tirx.map cta "neg"(%a) -> %a
      : (!tirx.buffer<64x64xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>) -> !tirx.buffer<64x64xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
    gpu.return
  }
}
