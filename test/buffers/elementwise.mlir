// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// Each op becomes one primitive over the valid region.

// CHECK-LABEL: gpu.func @primitives
// CHECK: tirx.map cta "add"(%[[A:.*]], %[[B:.*]]) -> %[[D:.*]] : (!tirx.buffer<4x20xf32, shared, strides = [32, 1]>, !tirx.buffer<4x20xf32, shared, strides = [32, 1]>) -> !tirx.buffer<4x20xf32, shared, strides = [32, 1]>
// CHECK: tirx.map cta "fma"(%[[A]], %[[B]], %[[D]]) -> %[[D]]
// CHECK: tirx.compare cta "lt"(%[[A]], %[[B]]) -> %[[M:.*]] : {{.*}} -> !tirx.buffer<4x3xui8, shared>
// CHECK: tirx.select cta %[[M]], (%[[A]], %[[B]]) -> %[[D]] : !tirx.buffer<4x3xui8, shared>
pto.kernel @primitives() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32, valid=4x20>
  %b = alloc_tile : !pto.tile_buf<vec, 4x32xf32, valid=4x20>
  %d = alloc_tile : !pto.tile_buf<vec, 4x32xf32, valid=4x20>
  %m = alloc_tile : !pto.tile_buf<vec, 4x3xui8>
  tadd ins(%a, %b : !pto.tile_buf<vec, 4x32xf32, valid=4x20>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
       outs(%d : !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
  tfma ins(%a, %b, %d : !pto.tile_buf<vec, 4x32xf32, valid=4x20>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
       outs(%d : !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
  tcmp ins(%a, %b : !pto.tile_buf<vec, 4x32xf32, valid=4x20>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
       outs(%m : !pto.tile_buf<vec, 4x3xui8>) {cmp = #pto<cmp LT>}
  tsel ins(%m, %a, %b : !pto.tile_buf<vec, 4x3xui8>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>, !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
       outs(%d : !pto.tile_buf<vec, 4x32xf32, valid=4x20>)
}

// -----

// What is not known at compile time is checked at run time.

// CHECK-LABEL: gpu.func @regions_differ
// CHECK-SAME: %[[M:[^:]*]]: index, %[[N:[^:]*]]: index) kernel
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[SAME]], "'pto.tadd' op valid rows of its tiles differ"
pto.kernel @regions_differ(%m: index, %n: index) {
  %a = alloc_tile valid_row = %m : !pto.tile_buf<vec, 4x32xf32, valid=?x32>
  %b = alloc_tile valid_row = %n : !pto.tile_buf<vec, 4x32xf32, valid=?x32>
  tadd ins(%a, %b : !pto.tile_buf<vec, 4x32xf32, valid=?x32>, !pto.tile_buf<vec, 4x32xf32, valid=?x32>)
       outs(%a : !pto.tile_buf<vec, 4x32xf32, valid=?x32>)
}

// -----

// A source that shares bytes with the destination is used as it is if the elements at each position
// share theirs ...

// CHECK-LABEL: gpu.func @in_place
// CHECK-NOT: tirx.copy
// CHECK: tirx.map cta "neg"
pto.kernel @in_place() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  %b = alloc_tile : !pto.tile_buf<vec, 4x32xi32>
  %c = alloc_tile : !pto.tile_buf<vec, 2x32xi32>
  tassign %b, @tile(0x1000)
  tassign %c, @tile(0x1000)
  tneg ins(%a : !pto.tile_buf<vec, 4x32xf32>) outs(%a : !pto.tile_buf<vec, 4x32xf32>)
}

// -----

// ... and copied first if they do not.

// CHECK-LABEL: gpu.func @shifted
// CHECK-DAG: %[[D:.*]] = tirx.alloc at 4096
// CHECK-DAG: %[[A:.*]] = tirx.alloc at 4100
// CHECK-DAG: %[[COPY:.*]] = tirx.alloc :
// CHECK: tirx.copy cta %[[A]] -> %[[COPY]]
// CHECK: gpu.barrier
// CHECK: tirx.map cta "neg"(%[[COPY]]) -> %[[D]]
pto.kernel @shifted() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  tassign %a, @tile(0x1004)
  tassign %d, @tile(0x1000)
  tneg ins(%a : !pto.tile_buf<vec, 4x32xf32>) outs(%d : !pto.tile_buf<vec, 4x32xf32>)
}

// -----

// A value lives where its tassign says, which comes after it.

// CHECK-LABEL: gpu.func @placed_value
// CHECK-DAG: %[[D:.*]] = tirx.alloc at 4100
// CHECK-DAG: %[[A:.*]] = tirx.alloc at 4096
// CHECK: tirx.copy cta %{{.*}} -> %[[A]] : !tirx.buffer<4x32xf32, global
// CHECK: tirx.copy cta %[[A]] -> %[[COPY:.*]] : !tirx.buffer<4x32xf32, shared> -> !tirx.buffer<4x32xf32, shared>
// CHECK: tirx.map cta "neg"(%[[COPY]]) -> %[[D]]
pto.kernel @placed_value(%v: !pto.tensor_view<4x32xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c32]
     : !pto.tensor_view<4x32xf32> -> !pto.partition_tensor_view<4x32xf32>
  %a = tload %w : !pto.partition_tensor_view<4x32xf32> -> !pto.tile<4x32xf32>
  tassign %a, @tile(0x1000)
  %d = tneg %a : !pto.tile<4x32xf32> -> !pto.tile<4x32xf32>
  tassign %d, @tile(0x1004)
}

// -----

// An approximation is used where it is permitted, and where there is one.

// CHECK-LABEL: gpu.func @approximate
// CHECK: tirx.map cta "exp"(%{{.*}}) -> %{{.*}} {approx}
// CHECK: tirx.map cta "exp"(%{{.*}}) -> %{{.*}} :
// CHECK: tirx.map cta "add"(%{{.*}}) -> %{{.*}} :
pto.kernel @approximate() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  texp ins(%a : !pto.tile_buf<vec, 4x32xf32>) outs(%a : !pto.tile_buf<vec, 4x32xf32>) fastmath<afn>
  texp ins(%a : !pto.tile_buf<vec, 4x32xf32>) outs(%a : !pto.tile_buf<vec, 4x32xf32>) fastmath<contract>
  tadd ins(%a, %a : !pto.tile_buf<vec, 4x32xf32>, !pto.tile_buf<vec, 4x32xf32>) outs(%a : !pto.tile_buf<vec, 4x32xf32>) fastmath<fast>
}

// -----

// A column beside a tile is a source of one column.

// CHECK-LABEL: gpu.func @column
// CHECK: tirx.map cta "sub"(%{{.*}}, %{{.*}}) -> %{{.*}} : (!tirx.buffer<4x32xf32, shared>, !tirx.buffer<4x1xf32, shared>) -> !tirx.buffer<4x32xf32, shared>
pto.kernel @column() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  %c = alloc_tile : !pto.tile_buf<vec, 4x1xf32>
  trowexpandsub ins(%a, %c : !pto.tile_buf<vec, 4x32xf32>, !pto.tile_buf<vec, 4x1xf32>) outs(%a : !pto.tile_buf<vec, 4x32xf32>)
}

// -----

// A transposed source is the same bytes under exchanged strides.

// CHECK-LABEL: gpu.func @transposed
// CHECK: %[[T:.*]] = tirx.view %{{.*}} offset %c0 : !tirx.buffer<4x20xf32, shared, strides = [32, 1]> -> !tirx.buffer<20x4xf32, shared, strides = [1, 32]>
// CHECK: tirx.map cta "copy"(%[[T]]) -> %{{.*}} : (!tirx.buffer<20x4xf32, shared, strides = [1, 32]>) -> !tirx.buffer<20x4xf32, shared>
pto.kernel @transposed() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32, valid=4x20>
  %d = alloc_tile : !pto.tile_buf<vec, 20x4xf32>
  ttrans ins(%a : !pto.tile_buf<vec, 4x32xf32, valid=4x20>) outs(%d : !pto.tile_buf<vec, 20x4xf32>)
}

// -----

// CHECK-LABEL: gpu.func @filled
// CHECK: tirx.map cta "copy"
// CHECK: tirx.fill cta
pto.kernel @filled() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32, valid=4x20>
  %d = alloc_tile : !pto.tile_buf<vec, 4x32xf32, pad=3>
  tfillpad ins(%a : !pto.tile_buf<vec, 4x32xf32, valid=4x20>) outs(%d : !pto.tile_buf<vec, 4x32xf32, pad=3>)
}

// -----

// A conversion without a mode cuts floats to integers and rounds to nearest otherwise. A source that
// begins where the destination does is copied unless its elements have as many bytes.

// CHECK-LABEL: gpu.func @conversions
// CHECK: tirx.map cta "cast"(%[[A:.*]]) -> %[[I:.*]] {rounding = "zero"} : (!tirx.buffer<4x32xf32, shared>) -> !tirx.buffer<4x32xi32, shared>
// CHECK: tirx.copy cta %[[I]] -> %[[COPY:.*]] :
// CHECK: tirx.map cta "cast"(%[[COPY]]) -> %[[H:.*]] {rounding = "nearest", saturate} : (!tirx.buffer<4x32xi32, shared>) -> !tirx.buffer<4x32xf16, shared>
// CHECK: tirx.map cta "cast"(%{{.*}}) -> %{{.*}} {rounding = "odd"}
pto.kernel @conversions() {
  %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
  %i = alloc_tile : !pto.tile_buf<vec, 4x32xi32>
  %h = alloc_tile : !pto.tile_buf<vec, 4x32xf16>
  tassign %a, @tile(0x1000)
  tassign %i, @tile(0x1000)
  tassign %h, @tile(0x1000)
  tcvt ins(%a : !pto.tile_buf<vec, 4x32xf32>) outs(%i : !pto.tile_buf<vec, 4x32xi32>)
  tcvt ins(%i : !pto.tile_buf<vec, 4x32xi32>) outs(%h : !pto.tile_buf<vec, 4x32xf16>) {sat = #pto<sat ON>}
  tcvt ins(%h : !pto.tile_buf<vec, 4x32xf16>) outs(%i : !pto.tile_buf<vec, 4x32xi32>) {rmode = #pto<round_mode ODD>}
}
