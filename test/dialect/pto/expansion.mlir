// RUN: pto-opt %s | pto-opt | FileCheck %s

// A column is the same row by row as column by column.

// CHECK-LABEL: func.func @columns
// CHECK: pto.trowexpand %{{.*}} : !pto.tile<16x1xf32> -> !pto.tile<16x32xf32>
// CHECK: pto.trowexpandsub ins(%{{.*}}, %{{.*}} : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%{{.*}} : !pto.tile_buf<vec, 16x32xf32>)
func.func @columns(%c: !pto.tile<16x1xf32>, %a: !pto.tile_buf<vec, 16x32xf32>, %b: !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) {
  %d = pto.trowexpand %c : !pto.tile<16x1xf32> -> !pto.tile<16x32xf32>
  pto.trowexpandsub ins(%a, %b : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)
                    outs(%a : !pto.tile_buf<vec, 16x32xf32>)
  return
}

// CHECK-LABEL: func.func @rows
// CHECK: pto.tcolexpand %{{.*}} : !pto.tile<1x32xf32> -> !pto.tile<16x32xf32>
// CHECK: pto.tcolexpandmul %{{.*}}, %{{.*}} : !pto.tile<16x32xf32>, !pto.tile<1x32xf32> -> !pto.tile<16x32xf32>
func.func @rows(%r: !pto.tile<1x32xf32>) {
  %d = pto.tcolexpand %r : !pto.tile<1x32xf32> -> !pto.tile<16x32xf32>
  %e = pto.tcolexpandmul %d, %r : !pto.tile<16x32xf32>, !pto.tile<1x32xf32> -> !pto.tile<16x32xf32>
  return
}

// Powers of differences of f16 in f32.

// CHECK-LABEL: func.func @powers
// CHECK: pto.trowexpandexpdif %{{.*}}, %{{.*}} : !pto.tile<16x32xf16>, !pto.tile<16x1xf16> -> !pto.tile<16x32xf32>
// CHECK: pto.tcolexpandexpdif %{{.*}}, %{{.*}} : !pto.tile<16x32xf16>, !pto.tile<1x32xf16> -> !pto.tile<16x32xf16>
func.func @powers(%a: !pto.tile<16x32xf16>, %c: !pto.tile<16x1xf16>, %r: !pto.tile<1x32xf16>) {
  %0 = pto.trowexpandexpdif %a, %c : !pto.tile<16x32xf16>, !pto.tile<16x1xf16> -> !pto.tile<16x32xf32>
  %1 = pto.tcolexpandexpdif %a, %r : !pto.tile<16x32xf16>, !pto.tile<1x32xf16> -> !pto.tile<16x32xf16>
  return
}

// Reductions of rows, whose scratch tile is read past.

// CHECK-LABEL: func.func @reductions
// CHECK: pto.trowsum %{{.*}} fastmath<reassoc> : !pto.tile<16x32xf32> -> !pto.tile<16x1xf32>
// CHECK: pto.trowmax ins(%{{.*}} : !pto.tile_buf<vec, 16x32xf32>) outs(%{{.*}} : !pto.tile_buf<vec, 16x1xf32>)
func.func @reductions(%a: !pto.tile<16x32xf32>, %b: !pto.tile_buf<vec, 16x32xf32>, %d: !pto.tile_buf<vec, 16x1xf32>) {
  %0 = pto.trowsum %a fastmath<reassoc> : !pto.tile<16x32xf32> -> !pto.tile<16x1xf32>
  pto.trowmax ins(%b, %b : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x1xf32>)
  return
}
