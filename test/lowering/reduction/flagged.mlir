// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// By rows: 4 CTAs for each of 64 results leave a word each, in the order of the results; thread 0
// of them stores it, and no one fences or counts. One CTA waits: 4 lanes for each result poll a
// word each, set it to zero, and meet by shuffles.

// CHECK-LABEL: gpu.func @rows
// CHECK-SAME: chosen = "flagged"
// CHECK-DAG: %[[FLAG:.*]] = arith.constant 4294967296 : i64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[WORDS:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[WORKS:.*]] = arith.cmpi slt, %[[CTA]], %c256
// CHECK: scf.if %[[WORKS]] {
// CHECK:   arith.divui %[[CTA]], %c4
// CHECK:   %[[PART:.*]] = arith.remui %[[CTA]], %c4
// CHECK-COUNT-2: vector.load
// CHECK:   gpu.barrier
// CHECK:   scf.if
// CHECK:     %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
// CHECK:     %[[WIDE:.*]] = arith.extui %[[BITS]] : i32 to i64
// CHECK:     %[[WORD:.*]] = arith.ori %[[WIDE]], %[[FLAG]]
// CHECK:     llvm.inline_asm has_side_effects "st.relaxed.gpu.global.b64 [$0], $1;", {{.*}}, %[[WORD]]
// CHECK: } else {
// CHECK-NOT: barrier
// CHECK:   %[[SEEN:.*]] = scf.while
// CHECK:     %[[READ:.*]] = llvm.inline_asm has_side_effects "ld.relaxed.gpu.global.b64 $0, [$1];"
// CHECK:     %[[BIT:.*]] = arith.andi %[[READ]], %[[FLAG]]
// CHECK:     %[[AGAIN:.*]] = arith.cmpi eq, %[[BIT]], %[[ZERO]]
// CHECK:     scf.condition(%[[AGAIN]]) %[[READ]]
// CHECK:   llvm.inline_asm has_side_effects "st.relaxed.gpu.global.b64 [$0], $1;", {{.*}}, %[[ZERO]]
// CHECK:   arith.trunci %[[SEEN]] : i64 to i32
// CHECK-COUNT-2: nvvm.shfl.sync
// CHECK-NOT: nvvm.shfl.sync
// CHECK:   scf.if
// CHECK:     memref.store {{.*}}, %arg1
// CHECK: }
// CHECK-NOT: atom
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%x: !tirx.buffer<64x8192xf32, global>, %y: !tirx.buffer<64xf32, global>,
      %w: !tirx.buffer<i8, global>) kernel attributes {
        known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 257, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] workspace(%w) {split = 4, waiting = 1, vector = 4}
      : !tirx.buffer<64x8192xf32, global> -> !tirx.buffer<64xf32, global>
    gpu.return
  }
}

// -----

// By columns: CTAs that are neighbours in the grid read strips that are neighbours in memory. The
// results of a strip lie together. 8 CTAs wait, for 16 results each.

// CHECK-LABEL: gpu.func @columns
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: scf.if
// CHECK:   %[[STRIP:.*]] = arith.remui %[[CTA]], %c4
// CHECK:   %[[PART:.*]] = arith.divui %[[CTA]], %c4
// CHECK: } else {
// CHECK:   %[[NUMBER:.*]] = arith.subi %[[CTA]], %c32
// CHECK:   arith.remui %{{.*}}, %c16
// CHECK:   arith.divui %{{.*}}, %c16
// CHECK:   scf.while
// CHECK:   memref.store
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: !tirx.buffer<1024x128xf32, global>, %y: !tirx.buffer<128xf32, global>,
      %w: !tirx.buffer<i8, global>) kernel attributes {
        known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 40, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] workspace(%w)
      {threads = array<i64: 16, 8>, split = 8, waiting = 8, vector = 4}
      : !tirx.buffer<1024x128xf32, global> -> !tirx.buffer<128xf32, global>
    gpu.return
  }
}

// -----

// Fewer CTAs than there is to combine: they take it in turn, with a barrier where they use shared
// memory again.

// CHECK-LABEL: gpu.func @in_turn
// CHECK: } else {
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c8 step %c2
// CHECK:     scf.while
// CHECK:     gpu.barrier
// CHECK:     memref.store
// CHECK:     gpu.barrier
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @in_turn(%x: !tirx.buffer<8x524288xf32, global>, %y: !tirx.buffer<8xf32, global>,
      %w: !tirx.buffer<i8, global>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 4098, 1, 1>} {
    tirx.max grid %x -> %y axes [1] workspace(%w) {split = 512, waiting = 2, vector = 4}
      : !tirx.buffer<8x524288xf32, global> -> !tirx.buffer<8xf32, global>
    gpu.return
  }
}
