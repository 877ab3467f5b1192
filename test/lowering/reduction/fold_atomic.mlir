// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Threads take elements in turn; one atomic each.

// CHECK-LABEL: gpu.func @store
// CHECK-SAME: chosen = "fold_atomic"
// CHECK-SAME: no_atomic: other CTAs combine with the destination
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: scf.for %{{.*}} = %[[TID]] to %c64 step %c32 {
// CHECK-NOT: scf.if
// CHECK:   "red.relaxed.gpu.global.add.noftz.f16 [$0], $1;"
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store(%y: !tirx.buffer<4x16xf16, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<1x4x16xf16, shared>
    tirx.sum cta %s -> %y axes [0] {accum, atomic, accumulate = f16}
      : !tirx.buffer<1x4x16xf16, shared> -> !tirx.buffer<4x16xf16, global>
    gpu.return
  }
}
