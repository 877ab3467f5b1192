// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// A static valid region is a part of the buffer.

// CHECK-LABEL: gpu.func @static
// CHECK: %[[B:.*]] = tirx.alloc : !tirx.buffer<16x64xf32, shared>
// CHECK: %[[S:.*]] = tirx.subview %[[B]]{{.*}} -> !tirx.buffer<3x5xf32, shared, strides = [64, 1]>
// CHECK: tirx.copy cta %{{.*}} -> %[[S]]
// CHECK-NOT: cf.assert
pto.kernel @static(%v: !pto.tensor_view<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c3, %c5]
     : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>
  %t = alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=3x5>
  tload ins(%w : !pto.partition_tensor_view<3x5xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32, valid=3x5>)
}

// -----

// A dynamic one comes from the operands of alloc_tile, which are checked against the tile's size.

// CHECK-LABEL: gpu.func @dynamic
// CHECK-SAME: %[[R:[^:]*]]: index, %[[C:[^:]*]]: index) kernel
// CHECK: arith.cmpi sle, %[[R]], %c16
// CHECK: cf.assert %{{.*}}, "'pto.alloc_tile' op valid rows are outside 0 to 16, the tile's size"
// CHECK: arith.cmpi sle, %[[C]], %c64
// CHECK: cf.assert %{{.*}}, "'pto.alloc_tile' op valid columns are outside 0 to 64, the tile's size"
// CHECK: tirx.subview %{{.*}}[%c0, %c0] sizes{{ ?}}[%[[R]], %[[C]]] : !tirx.buffer<16x64xf32, shared> -> !tirx.buffer<?x?xf32, shared, strides = [64, 1]>
// CHECK: tirx.prod
pto.kernel @dynamic(%r: index, %c: index) {
  %s = alloc_tile valid_row = %r valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %d = alloc_tile valid_col = %c : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=?x?>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
}

// -----

// The window of a load or store must have the shape of the valid region.

// CHECK-LABEL: gpu.func @window_differs
// CHECK-SAME: %[[R:[^:]*]]: index, %[[N:[^:]*]]: index) kernel
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[N]], %[[R]] : index
// CHECK: cf.assert %[[EQ]], "'pto.tload' op window and valid region differ in rows"
// CHECK-NOT: differ in columns
pto.kernel @window_differs(%v: !pto.tensor_view<?x64xf32>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%n, %c64]
     : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<?x64xf32>
  %t = alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  tload ins(%w : !pto.partition_tensor_view<?x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32, valid=?x64>)
}

// -----

// CHECK-LABEL: gpu.func @store_differs
// CHECK: cf.assert %{{.*}}, "'pto.tstore' op window and valid region differ in rows"
pto.kernel @store_differs(%v: !pto.tensor_view<?x64xf32>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%n, %c64]
     : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<?x64xf32>
  %t = alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  tstore ins(%t : !pto.tile_buf<vec, 16x64xf32, valid=?x64>) outs(%w : !pto.partition_tensor_view<?x64xf32>)
}

// -----

// The run-time check of TCOLPROD: source and destination have as many valid columns.

// CHECK-LABEL: gpu.func @valid_columns_differ
// CHECK-SAME: %[[A:[^:]*]]: index, %[[B:[^:]*]]: index) kernel
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[A]], %[[B]] : index
// CHECK: cf.assert %[[EQ]], "'pto.tcolprod' op valid columns of source and destination differ"
pto.kernel @valid_columns_differ(%a: index, %b: index) {
  %s = alloc_tile valid_col = %a : !pto.tile_buf<vec, 16x64xf32, valid=16x?>
  %d = alloc_tile valid_col = %b : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=16x?>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
}

// -----

// One value on both sides needs no check.

// CHECK-LABEL: gpu.func @valid_columns_agree
// CHECK-NOT: differ
// CHECK: tirx.prod
pto.kernel @valid_columns_agree(%a: index) {
  %s = alloc_tile valid_col = %a : !pto.tile_buf<vec, 16x64xf32, valid=16x?>
  %d = alloc_tile valid_col = %a : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=16x?>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
}

// -----

// An empty valid region writes nothing: no row ...

// CHECK-LABEL: gpu.func @no_rows
// CHECK-NOT: tirx.prod
// CHECK: gpu.return
pto.kernel @no_rows() {
  %s = alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=0x64>
  %d = alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=0x64>) outs(%d : !pto.tile_buf<vec, 1x64xf32>)
}

// -----

// ... or no column ...

// CHECK-LABEL: gpu.func @no_columns
// CHECK-NOT: tirx.prod
// CHECK: gpu.return
pto.kernel @no_columns() {
  %s = alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=16x0>
  %d = alloc_tile : !pto.tile_buf<vec, 1x64xf32, valid=1x0, pad=1>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=16x0>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x0, pad=1>)
}

// -----

// ... and where that is known at run time only, a branch, around the fill of a pad too.

// CHECK-LABEL: gpu.func @perhaps_no_rows
// CHECK-SAME: %[[R:[^:]*]]: index) kernel
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[R]], %c0 : index
// CHECK-NOT: tirx.fill
// CHECK: scf.if %[[SOME]] {
// CHECK: tirx.prod
// CHECK: tirx.fill
// CHECK: }
pto.kernel @perhaps_no_rows(%r: index) {
  %s = alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x60>
  %d = alloc_tile : !pto.tile_buf<vec, 1x64xf32, valid=1x60, pad=1>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=?x60>) outs(%d : !pto.tile_buf<vec, 1x64xf32, valid=1x60, pad=1>)
}

// -----

// A valid region that set_validshape changes lives in local memory, so that it may change in a
// branch or a loop.

// CHECK-LABEL: gpu.func @set_validshape
// CHECK-SAME: %[[A:[^:]*]]: index, %[[B:[^:]*]]: index) kernel
// CHECK: %[[CELL:.*]] = memref.alloca() : memref<2xindex>
// CHECK: memref.store %[[A]], %[[CELL]][%c0]
// CHECK: cf.assert %{{.*}}, "'pto.set_validshape' op valid rows are outside 0 to 16, the tile's size"
// CHECK: memref.store %[[B]], %[[CELL]][%c0]
// CHECK: %[[R:.*]] = memref.load %[[CELL]][%c0]
// CHECK: tirx.subview %{{.*}}[%c0, %c0] sizes{{ ?}}[%[[R]]] : !tirx.buffer<16x64xf32, shared> -> !tirx.buffer<?x64xf32, shared>
// CHECK: tirx.prod
pto.kernel @set_validshape(%a: index, %b: index) {
  %c64 = arith.constant 64 : index
  %s = alloc_tile valid_row = %a : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  %d = alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  set_validshape %s, %b, %c64
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=?x64>) outs(%d : !pto.tile_buf<vec, 1x64xf32>)
}

// -----

// The destination of a reduction must have one valid row, which may be known at run time only.

// CHECK-LABEL: gpu.func @destination_rows
// CHECK: cf.assert %{{.*}}, "'pto.tcolprod' op destination has not 1 valid row"
pto.kernel @destination_rows(%r: index) {
  %s = alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %d = alloc_tile valid_row = %r : !pto.tile_buf<vec, 4x64xf32, valid=?x64>
  tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 4x64xf32, valid=?x64>)
}

// -----

// A tile value takes the region that the type leaves open from what it is computed of.

// CHECK-LABEL: gpu.func @values
// CHECK-SAME: , %[[N:[^:]*]]: index) kernel
// CHECK: cf.assert %{{.*}}, "'pto.tload' op valid rows are outside 0 to 16, the tile's size"
// CHECK: tirx.copy cta %{{.*}} -> %{{.*}} : {{.*}} -> !tirx.buffer<?x16xf32, shared>
// CHECK: tirx.subview %{{.*}}[%c0, %c0] sizes[%[[N]]]
// CHECK: tirx.map cta "neg"(%{{.*}}) -> %{{.*}} : (!tirx.buffer<?x16xf32, shared>) -> !tirx.buffer<?x16xf32, shared>
pto.kernel @values(%v: !pto.tensor_view<?x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%n, %c16]
     : !pto.tensor_view<?x16xf32> -> !pto.partition_tensor_view<?x16xf32>
  %t = tload %w : !pto.partition_tensor_view<?x16xf32> -> !pto.tile<16x16xf32, valid=?x16>
  %d = tneg %t : !pto.tile<16x16xf32, valid=?x16> -> !pto.tile<16x16xf32, valid=?x16>
}

// -----

// The part of a row that a loop is at lies in the array and in the tile, and has elements: nothing is
// checked. The window that begins one column later may leave the array.

// CHECK-LABEL: gpu.func @parts
// CHECK: scf.for
// CHECK-NOT: cf.assert
// CHECK-NOT: scf.if
// CHECK: tirx.copy cta
// CHECK: tirx.sum cta
// CHECK: cf.assert %{{.*}}, "'pto.partition_view' op window leaves the view"
// CHECK: tirx.copy cta
!tile = !pto.tile_buf<vec, 1x64xf32, valid=1x?>
!cell = !pto.tile_buf<vec, 1x1xf32>
!view = !pto.tensor_view<1x?xf32>
!window = !pto.partition_tensor_view<1x?xf32>
pto.kernel @parts(%x: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = tensor_view_dim %x, 1 : !view
  %s = alloc_tile : !cell
  scf.for %j = %c0 to %n step %c64 {
    %right = arith.subi %n, %j : index
    %columns = arith.minsi %right, %c64 : index
    %w = pto.partition_view %x, offsets = [%c0, %j], sizes = [%c1, %columns] : !view -> !window
    %t = pto.alloc_tile valid_col = %columns : !tile
    pto.tload ins(%w : !window) outs(%t : !tile)
    pto.trowsum ins(%t : !tile) outs(%s : !cell)
    %k = arith.addi %j, %c1 : index
    %v = pto.partition_view %x, offsets = [%c0, %k], sizes = [%c1, %columns] : !view -> !window
    pto.tload ins(%v : !window) outs(%t : !tile)
  }
}
