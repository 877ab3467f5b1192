// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// A store that combines is a reduction over an axis of 1, which others join; it waits for what
// fills the tile.

// CHECK-LABEL: gpu.func @add
// CHECK: tirx.copy cta
// CHECK: %[[STACK:.*]] = tirx.view %{{.*}} offset %c0 : !tirx.buffer<4x16xf16, shared> -> !tirx.buffer<1x4x16xf16, shared, strides = [0, 16, 1]>
// CHECK: gpu.barrier
// CHECK: tirx.sum cta %[[STACK]] -> %{{.*}} axes [0] {accum, accumulate = f16, atomic} :
pto.kernel @add(%v: !pto.tensor_view<8x16xf16>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<8x16xf16> -> !pto.partition_tensor_view<4x16xf16>
  %b = partition_view %v, offsets = [%c4, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<8x16xf16> -> !pto.partition_tensor_view<4x16xf16>
  %t = tload %a : !pto.partition_tensor_view<4x16xf16> -> !pto.tile<4x16xf16>
  tstore %t, %b {atomicType = "add"} : !pto.tile<4x16xf16>, !pto.partition_tensor_view<4x16xf16>
}
