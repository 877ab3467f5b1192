// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s

// Partial results are pushed to the first CTA once it is ready, and combined there after a barrier
// of the cluster, in the order of the ranks.

// CHECK-LABEL: gpu.func @columns
// CHECK-SAME: chosen = "dsmem"
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[RANK:.*]] = arith.remui %[[CTA]], %c2
// CHECK: nvvm.cluster.arrive
// CHECK: scf.for
// CHECK:   gpu.barrier
// CHECK:   memref.view {{.*}} to memref<2x64xf32, #gpu.address_space<workgroup>>
// CHECK:   nvvm.cluster.wait
// CHECK:   scf.if {{.*}} {
// CHECK:     nvvm.mapa
// CHECK:     "st.shared::cluster.f32 [$0], $1;"
// CHECK:   }
// CHECK:   nvvm.cluster.arrive
// CHECK:   nvvm.cluster.wait
// CHECK:   %[[LEADS:.*]] = arith.cmpi eq, %[[RANK]], %c0
// CHECK:   arith.andi %[[LEADS]],
// CHECK:   scf.if {{.*}} {
// CHECK:     %[[A:.*]] = memref.load %[[MEETING:.*]][%c0, %[[COLUMN:.*]]]
// CHECK:     %[[B:.*]] = memref.load %[[MEETING]][%c1, %[[COLUMN]]]
// CHECK:     arith.mulf %[[A]], %[[B]]
// CHECK:     memref.store
// CHECK:   }
// CHECK:   nvvm.cluster.arrive
// CHECK:   gpu.barrier
// CHECK: }
// CHECK: nvvm.cluster.wait
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @columns(%x: !tirx.buffer<?x?xf32, global, strides = [1, ?]>,
      %y: !tirx.buffer<?xf32, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                         known_cluster_size = array<i32: 2, 1, 1>} {
    tirx.prod grid %x -> %y axes [1] {split = 2, vector = 2, threads = array<i64: 4, 32>}
      : !tirx.buffer<?x?xf32, global, strides = [1, ?]> -> !tirx.buffer<?xf32, global, strides = [1]>
    gpu.return
  }
}

// -----

// Every cluster reduces all of the source: strips are not shared with other clusters.

// CHECK-LABEL: gpu.func @alone
// CHECK-SAME: chosen = "dsmem"
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alone(%x: !tirx.buffer<?x?xi8, global, strides = [?, 1]>,
      %y: !tirx.buffer<?xi8, global, strides = [1]>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                         known_cluster_size = array<i32: 2, 1, 1>} {
    tirx.max cluster %x -> %y axes [1]
      : !tirx.buffer<?x?xi8, global, strides = [?, 1]> -> !tirx.buffer<?xi8, global, strides = [1]>
    gpu.return
  }
}
