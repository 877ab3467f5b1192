// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Partial results, a barrier, then the only atomic: the ticket, by thread 0. It wraps to 0 with the
// last CTA, which combines and stores. A CTA that shares with no other stores at once.

// CHECK-LABEL: gpu.func @flat
// CHECK-SAME: chosen = "last_block"
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[CTAS:.*]] = gpu.grid_dim x
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: gpu.barrier
// CHECK: %[[SHARED:.*]] = arith.cmpi sgt, %[[CTAS]], %c1
// CHECK: scf.if %[[SHARED]] {
// CHECK:   %[[PARTIALS:.*]] = memref.view {{.*}}[%c16384][%[[CTAS]]]
// CHECK:   scf.if {{.*}} {
// CHECK:     memref.store {{.*}}, %[[PARTIALS]]
// CHECK:   }
// CHECK:   gpu.barrier
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[TID]], %c0
// CHECK:   scf.if %[[FIRST]] {
// CHECK:     %[[LAST:.*]] = arith.subi %[[CTAS]], %c1
// CHECK:     %[[MOST:.*]] = arith.index_cast %[[LAST]] : index to i32
// CHECK:     %[[TICKET:.*]] = llvm.inline_asm {{.*}} "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;"{{.*}} %[[MOST]] :
// CHECK:     arith.cmpi eq, %[[TICKET]], %[[MOST]]
// CHECK:   }
// CHECK:   gpu.barrier
// CHECK:   scf.if {{.*}} {
// CHECK:     scf.for %{{.*}} = %[[TID]] to
// CHECK:       memref.load %[[PARTIALS]]
// CHECK:     gpu.barrier
// CHECK:     memref.store {{.*}}, %arg3[]
// CHECK:   }
// CHECK: } else {
// CHECK-NOT: barrier
// CHECK:   memref.store {{.*}}, %arg3[]
// CHECK: }
// CHECK-NOT: inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @flat(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<f32, global>,
      %w: !tirx.buffer<i8, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.prod grid %x -> %y axes [0] workspace(%w)
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>
    gpu.return
  }
}

// -----

// Positions lie behind the values, and a result is the position.

// CHECK-LABEL: gpu.func @where
// CHECK: memref.view {{.*}} to memref<?xf32, #gpu.address_space<global>>
// CHECK: memref.view {{.*}} to memref<?xi64, #gpu.address_space<global>>
// CHECK: "atom.acq_rel.gpu.global.inc.u32
// CHECK: memref.store {{.*}}, %arg3[] : memref<i64, #gpu.address_space<global>>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @where(%x: !tirx.buffer<?xf32, global, strides = [1]>, %y: !tirx.buffer<i64, global>,
      %w: !tirx.buffer<i8, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.argmax grid %x -> %y axes [0] workspace(%w)
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<i64, global>
    gpu.return
  }
}

// -----

// As many CTAs share a strip as there are for each: the grid by the strips, but at most 8.

// CHECK-LABEL: gpu.func @columns
// CHECK: %[[STRIPS:.*]] = arith.divui %{{.*}}, %c32
// CHECK: %[[CTAS:.*]] = gpu.grid_dim x
// CHECK: %[[EACH:.*]] = arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: %[[PARTS:.*]] = arith.index_cast %[[EACH]] : i32 to index
// CHECK: %[[CAPPED:.*]] = arith.minsi %[[PARTS]], %c8
// CHECK: arith.cmpi sle, %[[STRIPS]], %c4096
// CHECK: %[[SPLIT:.*]] = arith.select %{{.*}}, %[[CAPPED]], %c1
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[STRIPS]]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: !tirx.buffer<?x?xf32, global, strides = [1, ?]>,
      %y: !tirx.buffer<?xf32, global, strides = [1]>, %w: !tirx.buffer<i8, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.sum grid %x -> %y axes [1] workspace(%w) {split = 8}
      : !tirx.buffer<?x?xf32, global, strides = [1, ?]> -> !tirx.buffer<?xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// It is known that 32 CTAs share each strip: there is no other case, and the last one reads all
// that a thread needs before it combines.

// CHECK-LABEL: gpu.func @known
// CHECK: "atom.acq_rel.gpu.global.inc.u32
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK-COUNT-8: memref.load {{.*}} memref<4096xf32, #gpu.address_space<global>>
// CHECK: memref.store {{.*}} memref<128xf32, #gpu.address_space<global>>
// CHECK-NOT: else
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @known(%x: !tirx.buffer<128x65536xf32, global, strides = [1, 128]>,
      %y: !tirx.buffer<128xf32, global, strides = [1]>,
      %w: !tirx.buffer<i8, global>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] workspace(%w) {split = 32, vector = 4, unroll = 4, threads = array<i64: 16, 16>}
      : !tirx.buffer<128x65536xf32, global, strides = [1, 128]> -> !tirx.buffer<128xf32, global, strides = [1]>
    gpu.return
  }
}
