// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// A tile buffer is printed in its short form with the defaults left out.

// CHECK-LABEL: func.func private @short
// CHECK-SAME: (!pto.tile_buf<vec, 16x64xf32>)
func.func private @short(!pto.tile_buf<vec, 16x64xf32>)

// -----

// CHECK-LABEL: func.func private @long
// CHECK-SAME: (!pto.tile_buf<vec, 16x64xf32>)
func.func private @long(!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64,
                                      blayout=row_major, slayout=none_box, fractal=512, pad=0>)

// -----

// CHECK-LABEL: func.func private @long_is_unordered
// CHECK-SAME: (!pto.tile_buf<vec, 4x8xf16, valid=2x8>)
func.func private @long_is_unordered(!pto.tile_buf<cols=8, rows=4, v_row=2, dtype=f16, loc=vec>)

// -----

// CHECK-LABEL: func.func private @long_dynamic
// CHECK-SAME: (!pto.tile_buf<vec, 16x64xf32, valid=?x64>)
func.func private @long_dynamic(!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=64>)

// -----

// CHECK-LABEL: func.func private @valid_region
// CHECK-SAME: (!pto.tile_buf<vec, 16x64xf32, valid=3x60>,
// CHECK-SAME:  !pto.tile_buf<vec, 16x64xf32, valid=?x?>,
// CHECK-SAME:  !pto.tile_buf<vec, 16x64xf32, valid=0x0>,
// CHECK-SAME:  !pto.tile_buf<vec, 16x64xf32>)
func.func private @valid_region(!pto.tile_buf<vec, 16x64xf32, valid=3x60>,
                                !pto.tile_buf<vec, 16x64xf32, valid=?x?>,
                                !pto.tile_buf<vec, 16x64xf32, valid=0x0>,
                                !pto.tile_buf<vec, 16x64xf32, valid=16x64>)

// -----

// CHECK-LABEL: func.func private @layouts
// CHECK-SAME: (!pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major, fractal=1024>,
// CHECK-SAME:  !pto.tile_buf<vec, 32x32xf16, slayout=col_major>)
func.func private @layouts(
  !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major, fractal=1024>,
  !pto.tile_buf<vec, 32x32xf16, slayout=col_major, blayout=row_major, fractal=512>)

// -----

// CHECK-LABEL: func.func private @pads
// CHECK-SAME: (!pto.tile_buf<vec, 4x8xf32>, !pto.tile_buf<vec, 4x8xf32, pad=1>,
// CHECK-SAME:  !pto.tile_buf<vec, 4x8xf32, pad=2>, !pto.tile_buf<vec, 4x8xf32, pad=3>)
func.func private @pads(!pto.tile_buf<vec, 4x8xf32, pad=0>, !pto.tile_buf<vec, 4x8xf32, pad=1>,
                        !pto.tile_buf<vec, 4x8xf32, pad=2>, !pto.tile_buf<vec, 4x8xf32, pad=3>)

// -----

// CHECK-LABEL: func.func private @spaces
// CHECK-SAME: (!pto.tile_buf<vec, 4x8xf32>, !pto.tile_buf<mat, 4x8xf32>, !pto.tile_buf<left, 4x8xf32>,
// CHECK-SAME:  !pto.tile_buf<right, 4x8xf32>, !pto.tile_buf<acc, 4x8xf32>, !pto.tile_buf<bias, 4x8xf32>)
func.func private @spaces(!pto.tile_buf<vec, 4x8xf32>, !pto.tile_buf<mat, 4x8xf32>, !pto.tile_buf<left, 4x8xf32>,
                          !pto.tile_buf<right, 4x8xf32>, !pto.tile_buf<acc, 4x8xf32>, !pto.tile_buf<bias, 4x8xf32>)

// -----

// A tile value does not spell the space vec.

// CHECK-LABEL: func.func private @tile_value
// CHECK-SAME: (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>, !pto.tile<acc, 16x16xf32>,
// CHECK-SAME:  !pto.tile<16x16xbf16, valid=?x16, pad=1>)
func.func private @tile_value(!pto.tile<16x16xf32>, !pto.tile<vec, 16x16xf32>, !pto.tile<acc, 16x16xf32>,
                              !pto.tile<16x16xbf16, valid=?x16, pad=1>)

// -----

// CHECK-LABEL: func.func private @pointers
// CHECK-SAME: (!pto.ptr<f32>, !pto.ptr<ui16>, !pto.ptr<bf16>)
func.func private @pointers(!pto.ptr<f32>, !pto.ptr<ui16>, !pto.ptr<bf16>)

// -----

// CHECK-LABEL: func.func private @views
// CHECK-SAME: (!pto.tensor_view<?xf32>, !pto.tensor_view<1x2x3x4x?xi8>,
// CHECK-SAME:  !pto.partition_tensor_view<16x?xf16>)
func.func private @views(!pto.tensor_view<?xf32>, !pto.tensor_view<1x2x3x4x?xi8>,
                         !pto.partition_tensor_view<16x?xf16>)
