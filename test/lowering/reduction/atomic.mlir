// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// One atomic per CTA: after the butterfly and the barrier, thread 0 alone.

// CHECK-LABEL: gpu.func @flat
// CHECK-SAME: nvvm.minctasm = 8
// CHECK-SAME: chosen = "atomic"
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[CTAS:.*]] = gpu.grid_dim x
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: %[[STEP:.*]] = arith.muli %[[CTAS]], %c128
// CHECK: scf.for {{.*}} to {{.*}} step %[[STEP]]
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: gpu.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[TID]], %c1
// CHECK: scf.if %[[FIRST]] {
// CHECK:   "red.relaxed.gpu.global.add.f32 [$0], $1;"{{.*}} -> (){{$}}
// CHECK-NEXT: }
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @flat(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<f32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] {accum, unroll = 1}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

// By columns: the threads that hold results, and those only that lie in the array.

// CHECK-LABEL: gpu.func @columns
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: gpu.barrier
// CHECK: %[[HOLDS:.*]] = arith.cmpi slt, %[[TID]], %c64
// CHECK: %[[COLUMN:.*]] = arith.addi {{.*}}, %[[TID]]
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[COLUMN]], %arg1
// CHECK: %[[BOTH:.*]] = arith.andi %[[HOLDS]], %[[THERE]]
// CHECK: scf.if %[[BOTH]] {
// CHECK:   "red.relaxed.gpu.global.add.u64 [$0], $1;"
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: !tirx.buffer<?x?xi64, global, strides = [1, ?]>,
      %y: !tirx.buffer<?xi64, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [1] {accum, vector = 2, threads = array<i64: 4, 32>}
      : !tirx.buffer<?x?xi64, global, strides = [1, ?]> -> !tirx.buffer<?xi64, global, strides = [1]>
    gpu.return
  }
}

// -----

// `atom` where the order says acquire: `red` cannot.

// CHECK-LABEL: gpu.func @acquire_release
// CHECK: "atom.acq_rel.sys.global.add.f32 $0, [$1], $2;"
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @acquire_release(%x: !tirx.buffer<?xf32, global, strides = [1]>,
      %y: !tirx.buffer<f32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] {accum, memory_order = "acq_rel", memory_scope = "sys"}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

// A float goes as a signed integer, or as an unsigned one if its sign bit is set. A NaN that was
// there, and lost, is put back.

// CHECK-LABEL: gpu.func @largest
// CHECK: %[[NAN:.*]] = arith.constant 2147483647 : i32
// CHECK: %[[WORD:.*]] = arith.select {{.*}}, %[[NAN]], {{.*}} : i32
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[WORD]], %c0_i32
// CHECK: %[[OLD:.*]] = scf.if %[[NEGATIVE]] -> (i32) {
// CHECK:   "atom.relaxed.gpu.global.min.u32
// CHECK: } else {
// CHECK:   "atom.relaxed.gpu.global.max.s32
// CHECK: }
// CHECK: %[[FLOAT:.*]] = llvm.bitcast %[[OLD]] : i32 to f32
// CHECK: %[[WAS_NAN:.*]] = arith.cmpf uno, %[[FLOAT]], %[[FLOAT]]
// CHECK: scf.if %[[WAS_NAN]] {
// CHECK:   "atom.relaxed.gpu.global.max.s32 {{.*}} %[[NAN]]
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @largest(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<f32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    tirx.max grid %x -> %y axes [0] {accum, propagate_nan}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

// One for each cluster, by its first CTA.

// CHECK-LABEL: gpu.func @clusters
// CHECK: %[[RANK:.*]] = arith.remui %{{.*}}, %c4
// CHECK: "st.shared::cluster.f32 [$0], $1;"
// CHECK: nvvm.cluster.wait
// CHECK: %[[LEADS:.*]] = arith.cmpi eq, %[[RANK]], %c0
// CHECK: arith.andi %[[LEADS]],
// CHECK: "red.relaxed.gpu.global.add.f32 [$0], $1;"
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @clusters(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<f32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                         known_cluster_size = array<i32: 4, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] {accum}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}
