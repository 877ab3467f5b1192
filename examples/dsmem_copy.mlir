// A tile goes through the shared memory of two CTAs: the first CTA of a cluster stages A in its own,
// copies it into the second's with one bulk copy, and the second writes it to B.
//
// `pto run examples/dsmem_copy.mlir --arg rand:128x64xf16 --arg zeros:128x64xf16` runs it;
// `pto explain examples/dsmem_copy.mlir` shows the one chunk of 16384 bytes.
!matrix = !tirx.buffer<128x64xf16, global>
!tile = !tirx.buffer<128x64xf16, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dsmem_copy(%A: !matrix, %B: !matrix) kernel attributes {
      known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>, pto.grid = 2} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 16384 : index
    %rank = gpu.cluster_block_id x
    %tid = gpu.thread_id x
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    tirx.mbarrier_init %mbar count 1
    tirx.fence mbarrier_init
    tirx.cluster_sync
    %is_first = arith.cmpi eq, %tid, %c0 : index
    scf.if %is_first {
      %is_source = arith.cmpi eq, %rank, %c0 : index
      scf.if %is_source {
        tirx.copy thread %A -> %src : !matrix -> !tile
        tirx.fence proxy_async_shared
        tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%c1) {dispatch = "dsmem"} : !tile -> !tile
      } else {
        tirx.mbarrier_arrive_expect_tx %mbar, %bytes
        tirx.mbarrier_wait %mbar parity %c0
        tirx.copy thread %dst -> %B : !tile -> !matrix
      }
    }
    tirx.cluster_sync
    gpu.return
  }
}
