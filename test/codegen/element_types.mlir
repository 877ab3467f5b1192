// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s

// One step of a fold in each element type, on sm_90a.

// CHECK-LABEL: .visible .entry tcolprod_f16(
// CHECK-NOT: fma
// CHECK: mul.rn.f16
pto.kernel @tcolprod_f16(%x: !pto.tensor_view<4x16xf16>, %y: !pto.tensor_view<1x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf16> -> !pto.partition_tensor_view<4x16xf16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf16> -> !pto.partition_tensor_view<1x16xf16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf16> -> !pto.tile<4x16xf16>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xf16> -> !pto.tile<1x16xf16>
  tstore %d, %yw : !pto.tile<1x16xf16>, !pto.partition_tensor_view<1x16xf16>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_bf16(
// CHECK: mul.rn.bf16
pto.kernel @tcolprod_bf16(%x: !pto.tensor_view<4x16xbf16>, %y: !pto.tensor_view<1x16xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xbf16> -> !pto.partition_tensor_view<4x16xbf16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xbf16> -> !pto.partition_tensor_view<1x16xbf16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xbf16> -> !pto.tile<4x16xbf16>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
  tstore %d, %yw : !pto.tile<1x16xbf16>, !pto.partition_tensor_view<1x16xbf16>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_f32(
// CHECK-NOT: fma
// CHECK: mul.rn.f32
pto.kernel @tcolprod_f32(%x: !pto.tensor_view<4x16xf32>, %y: !pto.tensor_view<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %yw : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_f64(
// CHECK-NOT: fma
// CHECK: mul.rn.f64
pto.kernel @tcolprod_f64(%x: !pto.tensor_view<4x16xf64>, %y: !pto.tensor_view<1x16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf64> -> !pto.partition_tensor_view<4x16xf64>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf64> -> !pto.partition_tensor_view<1x16xf64>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf64> -> !pto.tile<4x16xf64>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
  tstore %d, %yw : !pto.tile<1x16xf64>, !pto.partition_tensor_view<1x16xf64>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_i16(
// CHECK: mul.lo.s16
pto.kernel @tcolprod_i16(%x: !pto.tensor_view<4x16xi16>, %y: !pto.tensor_view<1x16xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xi16> -> !pto.partition_tensor_view<4x16xi16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xi16> -> !pto.partition_tensor_view<1x16xi16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xi16> -> !pto.tile<4x16xi16>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xi16> -> !pto.tile<1x16xi16>
  tstore %d, %yw : !pto.tile<1x16xi16>, !pto.partition_tensor_view<1x16xi16>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_ui32(
// CHECK: mul.lo.s32
pto.kernel @tcolprod_ui32(%x: !pto.tensor_view<4x16xui32>, %y: !pto.tensor_view<1x16xui32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xui32> -> !pto.partition_tensor_view<4x16xui32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xui32> -> !pto.partition_tensor_view<1x16xui32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xui32> -> !pto.tile<4x16xui32>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xui32> -> !pto.tile<1x16xui32>
  tstore %d, %yw : !pto.tile<1x16xui32>, !pto.partition_tensor_view<1x16xui32>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_i64(
// CHECK: mul.lo.s64
pto.kernel @tcolprod_i64(%x: !pto.tensor_view<4x16xi64>, %y: !pto.tensor_view<1x16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xi64> -> !pto.partition_tensor_view<4x16xi64>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xi64> -> !pto.partition_tensor_view<1x16xi64>
  %s = tload %xw : !pto.partition_tensor_view<4x16xi64> -> !pto.tile<4x16xi64>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xi64> -> !pto.tile<1x16xi64>
  tstore %d, %yw : !pto.tile<1x16xi64>, !pto.partition_tensor_view<1x16xi64>
}

// -----

// CHECK-LABEL: .visible .entry tcolprod_i8(
// CHECK: mul.lo.s16
pto.kernel @tcolprod_i8(%x: !pto.tensor_view<4x16xi8>, %y: !pto.tensor_view<1x16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xi8> -> !pto.partition_tensor_view<4x16xi8>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xi8> -> !pto.partition_tensor_view<1x16xi8>
  %s = tload %xw : !pto.partition_tensor_view<4x16xi8> -> !pto.tile<4x16xi8>
  %d = tcolprod %s {dispatch = "fold"} : !pto.tile<4x16xi8> -> !pto.tile<1x16xi8>
  tstore %d, %yw : !pto.tile<1x16xi8>, !pto.partition_tensor_view<1x16xi8>
}

// -----

// CHECK-LABEL: .visible .entry tcolsum_f16(
// CHECK-NOT: fma
// CHECK: add.rn.f16
pto.kernel @tcolsum_f16(%x: !pto.tensor_view<4x16xf16>, %y: !pto.tensor_view<1x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf16> -> !pto.partition_tensor_view<4x16xf16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf16> -> !pto.partition_tensor_view<1x16xf16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf16> -> !pto.tile<4x16xf16>
  %d = tcolsum %s {dispatch = "fold"} : !pto.tile<4x16xf16> -> !pto.tile<1x16xf16>
  tstore %d, %yw : !pto.tile<1x16xf16>, !pto.partition_tensor_view<1x16xf16>
}

// -----

// CHECK-LABEL: .visible .entry tcolsum_f32(
// CHECK-NOT: fma
// CHECK: add.rn.f32
pto.kernel @tcolsum_f32(%x: !pto.tensor_view<4x16xf32>, %y: !pto.tensor_view<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %d = tcolsum %s {dispatch = "fold"} : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %yw : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}

// -----

// CHECK-LABEL: .visible .entry tcolsum_i32(
// CHECK: add.s32
pto.kernel @tcolsum_i32(%x: !pto.tensor_view<4x16xi32>, %y: !pto.tensor_view<1x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xi32> -> !pto.partition_tensor_view<4x16xi32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xi32> -> !pto.partition_tensor_view<1x16xi32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xi32> -> !pto.tile<4x16xi32>
  %d = tcolsum %s {dispatch = "fold"} : !pto.tile<4x16xi32> -> !pto.tile<1x16xi32>
  tstore %d, %yw : !pto.tile<1x16xi32>, !pto.partition_tensor_view<1x16xi32>
}

// -----

// CHECK-LABEL: .visible .entry tcolmax_f32(
// CHECK-NOT: max.NaN
// CHECK: max.f32
pto.kernel @tcolmax_f32(%x: !pto.tensor_view<4x16xf32>, %y: !pto.tensor_view<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %d = tcolmax %s {dispatch = "fold"} : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %yw : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}

// -----

// CHECK-LABEL: .visible .entry tcolmax_i32(
// CHECK: max.s32
pto.kernel @tcolmax_i32(%x: !pto.tensor_view<4x16xi32>, %y: !pto.tensor_view<1x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xi32> -> !pto.partition_tensor_view<4x16xi32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xi32> -> !pto.partition_tensor_view<1x16xi32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xi32> -> !pto.tile<4x16xi32>
  %d = tcolmax %s {dispatch = "fold"} : !pto.tile<4x16xi32> -> !pto.tile<1x16xi32>
  tstore %d, %yw : !pto.tile<1x16xi32>, !pto.partition_tensor_view<1x16xi32>
}

// -----

// CHECK-LABEL: .visible .entry tcolmax_ui32(
// CHECK: max.u32
pto.kernel @tcolmax_ui32(%x: !pto.tensor_view<4x16xui32>, %y: !pto.tensor_view<1x16xui32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xui32> -> !pto.partition_tensor_view<4x16xui32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xui32> -> !pto.partition_tensor_view<1x16xui32>
  %s = tload %xw : !pto.partition_tensor_view<4x16xui32> -> !pto.tile<4x16xui32>
  %d = tcolmax %s {dispatch = "fold"} : !pto.tile<4x16xui32> -> !pto.tile<1x16xui32>
  tstore %d, %yw : !pto.tile<1x16xui32>, !pto.partition_tensor_view<1x16xui32>
}

// -----

// CHECK-LABEL: .visible .entry tcolmin_ui16(
// CHECK: min.u16
pto.kernel @tcolmin_ui16(%x: !pto.tensor_view<4x16xui16>, %y: !pto.tensor_view<1x16xui16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xui16> -> !pto.partition_tensor_view<4x16xui16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xui16> -> !pto.partition_tensor_view<1x16xui16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xui16> -> !pto.tile<4x16xui16>
  %d = tcolmin %s {dispatch = "fold"} : !pto.tile<4x16xui16> -> !pto.tile<1x16xui16>
  tstore %d, %yw : !pto.tile<1x16xui16>, !pto.partition_tensor_view<1x16xui16>
}

// -----

// CHECK-LABEL: .visible .entry tcolmin_bf16(
// CHECK-NOT: min.NaN
// CHECK: min.bf16
pto.kernel @tcolmin_bf16(%x: !pto.tensor_view<4x16xbf16>, %y: !pto.tensor_view<1x16xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xbf16> -> !pto.partition_tensor_view<4x16xbf16>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xbf16> -> !pto.partition_tensor_view<1x16xbf16>
  %s = tload %xw : !pto.partition_tensor_view<4x16xbf16> -> !pto.tile<4x16xbf16>
  %d = tcolmin %s {dispatch = "fold"} : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
  tstore %d, %yw : !pto.tile<1x16xbf16>, !pto.partition_tensor_view<1x16xbf16>
}

// -----

// CHECK-LABEL: .visible .entry tcolmin_f64(
// CHECK: min.f64
pto.kernel @tcolmin_f64(%x: !pto.tensor_view<4x16xf64>, %y: !pto.tensor_view<1x16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf64> -> !pto.partition_tensor_view<4x16xf64>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf64> -> !pto.partition_tensor_view<1x16xf64>
  %s = tload %xw : !pto.partition_tensor_view<4x16xf64> -> !pto.tile<4x16xf64>
  %d = tcolmin %s {dispatch = "fold"} : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
  tstore %d, %yw : !pto.tile<1x16xf64>, !pto.partition_tensor_view<1x16xf64>
}

// -----

// sm_80 multiplies bf16 by a fused multiply-add of -0, which rounds once and keeps every sign.

// CHECK: .target sm_80
// CHECK-LABEL: .visible .entry bf16_on_sm_80(
// CHECK: mov.b16 [[ZERO:%rs[0-9]+]], 0x8000;
// CHECK: fma.rn.bf16 {{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}, [[ZERO]];
module attributes {pto.target = "sm_80"} {
  pto.kernel @bf16_on_sm_80(%x: !pto.tensor_view<4x16xbf16>, %y: !pto.tensor_view<1x16xbf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16]
       : !pto.tensor_view<4x16xbf16> -> !pto.partition_tensor_view<4x16xbf16>
    %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
       : !pto.tensor_view<1x16xbf16> -> !pto.partition_tensor_view<1x16xbf16>
    %s = tload %xw : !pto.partition_tensor_view<4x16xbf16> -> !pto.tile<4x16xbf16>
    %d = tcolprod %s : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
    tstore %d, %yw : !pto.tile<1x16xbf16>, !pto.partition_tensor_view<1x16xbf16>
  }
}
