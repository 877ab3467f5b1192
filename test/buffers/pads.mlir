// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// A tile with a pad value is filled outside its valid region, after that was written: below it and
// beside it.

// CHECK-LABEL: gpu.func @load
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[T:.*]] = tirx.alloc : !tirx.buffer<4x16xf32, shared>
// CHECK: %[[V:.*]] = tirx.subview %[[T]][%c0, %c0] {{.*}} -> !tirx.buffer<3x5xf32, shared, strides = [16, 1]>
// CHECK: tirx.copy cta %{{.*}} -> %[[V]]
// CHECK-NOT: gpu.barrier
// CHECK: %[[BELOW:.*]] = tirx.subview %[[T]][%c3, %c0] {{.*}} -> !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.fill cta %[[ZERO]] -> %[[BELOW]]
// CHECK: %[[BESIDE:.*]] = tirx.subview %[[T]][%c0, %c5] {{.*}} -> !tirx.buffer<3x11xf32, shared, strides = [16, 1]>
// CHECK: tirx.fill cta %[[ZERO]] -> %[[BESIDE]]
pto.kernel @load(%v: !pto.tensor_view<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c3, %c5]
     : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>
  %t = alloc_tile : !pto.tile_buf<vec, 4x16xf32, valid=3x5, pad=1>
  tload ins(%w : !pto.partition_tensor_view<3x5xf32>) outs(%t : !pto.tile_buf<vec, 4x16xf32, valid=3x5, pad=1>)
}

// -----

// Without one, what lies outside the valid region stays as it was.

// CHECK-LABEL: gpu.func @no_pad
// CHECK-NOT: tirx.fill
// CHECK: tirx.copy cta
pto.kernel @no_pad(%v: !pto.tensor_view<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c3, %c5]
     : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>
  %t = alloc_tile : !pto.tile_buf<vec, 4x16xf32, valid=3x5>
  tload ins(%w : !pto.partition_tensor_view<3x5xf32>) outs(%t : !pto.tile_buf<vec, 4x16xf32, valid=3x5>)
}

// -----

// CHECK-LABEL: gpu.func @reduction
// CHECK-DAG: %[[D:.*]] = tirx.alloc : !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.prod cta
// CHECK: %[[BESIDE:.*]] = tirx.subview %[[D]][%c0, %c5] {{.*}} -> !tirx.buffer<1x11xf32, shared, strides = [16, 1]>
// CHECK-NOT: gpu.barrier
// CHECK: tirx.fill cta %{{.*}} -> %[[BESIDE]]
pto.kernel @reduction() {
  %c0 = arith.constant 0 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32, valid=4x5>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32, valid=1x5, pad=1>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32, valid=4x5>) outs(%d : !pto.tile_buf<vec, 1x16xf32, valid=1x5, pad=1>)
}

// -----

// Without an outside there is nothing to fill.

// CHECK-LABEL: gpu.func @whole
// CHECK-NOT: tirx.fill
// CHECK: gpu.return
pto.kernel @whole() {
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 4x16xf32, pad=1>
  tneg ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 4x16xf32, pad=1>)
}

// -----

// The largest (2) and the smallest (3) value of the element type.

// CHECK-LABEL: gpu.func @values
// CHECK-DAG: %[[FMAX:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG: %[[FMIN:.*]] = arith.constant 0xFC00 : f16
// CHECK-DAG: %[[IMAX:.*]] = arith.constant 32767 : i16
// CHECK-DAG: %[[IMIN:.*]] = arith.constant -128 : i8
// CHECK-DAG: %[[UMAX:.*]] = arith.constant -1 : i32
// CHECK-DAG: %[[UMIN:.*]] = arith.constant 0 : i64
// CHECK: tirx.fill cta %[[FMAX]] -> {{.*}} : f32
// CHECK: tirx.fill cta %[[FMIN]] -> {{.*}} : f16
// CHECK: tirx.fill cta %[[IMAX]] -> {{.*}} : i16
// CHECK: tirx.fill cta %[[IMIN]] -> {{.*}} : i8
// CHECK: tirx.fill cta %[[UMAX]] -> {{.*}} : i32 -> !tirx.buffer<1x16xui32, shared>
// CHECK: tirx.fill cta %[[UMIN]] -> {{.*}} : i64 -> !tirx.buffer<1x16xui64, shared>
func.func @values(%a: !pto.tensor_view<3x5xf32>, %b: !pto.tensor_view<3x5xf16>, %c: !pto.tensor_view<3x5xi16>,
                  %d: !pto.tensor_view<3x5xi8>, %e: !pto.tensor_view<3x5xui32>, %f: !pto.tensor_view<3x5xui64>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %aw = pto.partition_view %a, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>
  %bw = pto.partition_view %b, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xf16> -> !pto.partition_tensor_view<3x5xf16>
  %cw = pto.partition_view %c, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xi16> -> !pto.partition_tensor_view<3x5xi16>
  %dw = pto.partition_view %d, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xi8> -> !pto.partition_tensor_view<3x5xi8>
  %ew = pto.partition_view %e, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xui32> -> !pto.partition_tensor_view<3x5xui32>
  %fw = pto.partition_view %f, offsets = [%c0, %c0], sizes = [%c3, %c5] : !pto.tensor_view<3x5xui64> -> !pto.partition_tensor_view<3x5xui64>
  %0 = pto.tload %aw : !pto.partition_tensor_view<3x5xf32> -> !pto.tile<4x16xf32, valid=3x5, pad=2>
  %1 = pto.tload %bw : !pto.partition_tensor_view<3x5xf16> -> !pto.tile<4x16xf16, valid=3x5, pad=3>
  %2 = pto.tload %cw : !pto.partition_tensor_view<3x5xi16> -> !pto.tile<4x16xi16, valid=3x5, pad=2>
  %3 = pto.tload %dw : !pto.partition_tensor_view<3x5xi8> -> !pto.tile<4x16xi8, valid=3x5, pad=3>
  %4 = pto.tload %ew : !pto.partition_tensor_view<3x5xui32> -> !pto.tile<4x16xui32, valid=3x5, pad=2>
  %5 = pto.tload %fw : !pto.partition_tensor_view<3x5xui64> -> !pto.tile<4x16xui64, valid=3x5, pad=3>
  return
}
