// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// One thread tries until nobody else wrote in between.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME: chosen = "atomic_cas"
// CHECK-SAME: has_instruction: sm_90a has no atomic tirx.prod of f32
// CHECK: gpu.barrier
// CHECK: scf.if %{{.*}} {
// CHECK:   %[[FIRST:.*]] = llvm.inline_asm {{.*}} "ld.relaxed.gpu.global.b32 $0, [$1];"
// CHECK:   scf.while (%[[OLD:.*]] = %[[FIRST]])
// CHECK:     %[[FLOAT:.*]] = llvm.bitcast %[[OLD]] : i32 to f32
// CHECK:     %[[NEW:.*]] = arith.mulf %[[FLOAT]],
// CHECK:     %[[BITS:.*]] = llvm.bitcast %[[NEW]] : f32 to i32
// CHECK:     %[[FOUND:.*]] = llvm.inline_asm {{.*}} "atom.relaxed.gpu.global.cas.b32 {{.*}} %[[OLD]], %[[BITS]]
// CHECK:     %[[AGAIN:.*]] = arith.cmpi ne, %[[FOUND]], %[[OLD]]
// CHECK:     scf.condition(%[[AGAIN]]) %[[FOUND]]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<f32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.prod grid %x -> %y axes [0] {accum}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

// Elements of two bytes, by their own size.

// CHECK-LABEL: gpu.func @small
// CHECK: "atom.relaxed.gpu.global.cas.b16 $0, [$1], $2, $3;"
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @small(%x: !tirx.buffer<?xi16, global, strides = [1]>, %y: !tirx.buffer<i16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.max grid %x -> %y axes [0] {accum}
      : !tirx.buffer<?xi16, global, strides = [1]> -> !tirx.buffer<i16, global>
    gpu.return
  }
}
