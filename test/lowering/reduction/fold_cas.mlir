// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Where there is no atomic: a loop of compare-and-swap for each element.

// CHECK-LABEL: gpu.func @store
// CHECK-SAME: chosen = "fold_cas"
// CHECK-SAME: has_instruction: sm_90a has no atomic tirx.max that drops NaN of f32
// CHECK: scf.for %{{.*}} = %{{.*}} to %c64 step %c32 {
// CHECK:   "ld.relaxed.gpu.global.b32 $0, [$1];"
// CHECK:   scf.while
// CHECK:     llvm.intr.maxnum
// CHECK:     "atom.relaxed.gpu.global.cas.b32 $0, [$1], $2, $3;"
// CHECK:     scf.condition
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store(%y: !tirx.buffer<4x16xf32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<1x4x16xf32, shared>
    tirx.max cta %s -> %y axes [0] {accum, atomic}
      : !tirx.buffer<1x4x16xf32, shared> -> !tirx.buffer<4x16xf32, global>
    gpu.return
  }
}
