// RUN: pto-opt %s | pto-opt | FileCheck %s

// CHECK-LABEL: func.func @grid
func.func @grid(%x: !tirx.buffer<?x?xf16, global, strides = [?, 1]>,
    %y: !tirx.buffer<?xf32, global, strides = [?]>, %i: !tirx.buffer<?xi64, global, strides = [?]>,
    %w: !tirx.buffer<i8, global>,
    %x1: !tirx.buffer<?xf16, global>) {
  // CHECK: tirx.prod grid %{{.*}} -> %{{.*}} axes [1] workspace(%{{.*}}) {deterministic, split = 8 : i64, threads = array<i64: 256, 2>, unroll = 4 : i64, vector = 8 : i64} :
  tirx.prod grid %x -> %y axes [1] workspace(%w)
    {threads = array<i64: 256, 2>, vector = 8, unroll = 4, split = 8, deterministic}
    : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [?]>
  // CHECK: tirx.sum grid {{.*}} axes [1] {accum, memory_order = "acq_rel", memory_scope = "sys"} :
  tirx.sum grid %x -> %y axes [1] {accum, memory_order = "acq_rel", memory_scope = "sys"}
    : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [?]>
  // CHECK: tirx.max grid {{.*}} workspace(%{{.*}}) {split = 4 : i64, waiting = 2 : i64} :
  tirx.max grid %x -> %x1 axes [1] workspace(%w) {split = 4, waiting = 2}
    : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf16, global>
  // CHECK: tirx.sum cluster {{.*}} {accumulate = f64} :
  tirx.sum cluster %x -> %y axes [1] {accumulate = f64}
    : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [?]>
  // CHECK: tirx.argmax grid {{.*}} -> !tirx.buffer<?xi64, global, strides = [?]>
  tirx.argmax grid %x -> %i axes [1]
    : !tirx.buffer<?x?xf16, global, strides = [?, 1]> -> !tirx.buffer<?xi64, global, strides = [?]>
  return
}
