// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @alloc_tile
// CHECK: pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
func.func @alloc_tile() {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @alloc_tile_address
// CHECK: %[[A:.*]] = arith.constant 4096 : i64
// CHECK: pto.alloc_tile addr = %[[A]] : !pto.tile_buf<vec, 16x64xf32>
func.func @alloc_tile_address() {
  %a = arith.constant 0x1000 : i64
  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @alloc_tile_valid
// CHECK-SAME: %[[A:[^:]*]]: i64, %[[R:[^:]*]]: index, %[[C:[^:]*]]: index
// CHECK: pto.alloc_tile addr = %[[A]] valid_row = %[[R]] valid_col = %[[C]] : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
// CHECK: pto.alloc_tile valid_row = %[[R]] : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
// CHECK: pto.alloc_tile valid_col = %[[C]] : !pto.tile_buf<vec, 16x64xf32, valid=16x?>
func.func @alloc_tile_valid(%a: i64, %r: index, %c: index) {
  %0 = pto.alloc_tile addr = %a valid_row = %r valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %1 = pto.alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  %2 = pto.alloc_tile valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=16x?>
  return
}

// -----

// CHECK-LABEL: func.func @alloc_tile_commas
// CHECK: pto.alloc_tile addr = %{{.*}} valid_row = %{{.*}} valid_col = %{{.*}} : !pto.tile_buf
func.func @alloc_tile_commas(%a: i64, %r: index, %c: index) {
  %0 = pto.alloc_tile addr = %a, valid_row = %r, valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  return
}

// -----

// The keywords come in any order.

// CHECK-LABEL: func.func @alloc_tile_order
// CHECK-SAME: %[[A:[^:]*]]: i64, %[[R:[^:]*]]: index, %[[C:[^:]*]]: index
// CHECK: pto.alloc_tile addr = %[[A]] valid_row = %[[R]] valid_col = %[[C]] : !pto.tile_buf
func.func @alloc_tile_order(%a: i64, %r: index, %c: index) {
  %0 = pto.alloc_tile valid_col = %c, addr = %a, valid_row = %r : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  return
}

// -----

// The form in which the PTO specification writes manual placement: no type.

// CHECK-LABEL: func.func @tassign
// CHECK-SAME: %[[T:[^:]*]]: !pto.tile<16x16xf32>, %[[B:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>
// CHECK: pto.tassign %[[T]], @tile(0x1000)
// CHECK: pto.tassign %[[B]], @tile(0x2000)
func.func @tassign(%t: !pto.tile<16x16xf32>, %b: !pto.tile_buf<vec, 16x16xf32>) {
  pto.tassign %t, @tile(0x1000)
  pto.tassign %b, @tile(8192)
  return
}

// -----

// CHECK-LABEL: func.func @tassign_with_type
// CHECK: pto.tassign %{{.*}}, @tile(0x40)
func.func @tassign_with_type(%t: !pto.tile<16x16xf32>) {
  pto.tassign %t, @tile(0x40) : !pto.tile<16x16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tassign_with_attribute
// CHECK: pto.tassign %{{.*}}, @tile(0x40) {note = "kept"}
func.func @tassign_with_attribute(%t: !pto.tile<16x16xf32>) {
  pto.tassign %t, @tile(0x40) {note = "kept"}
  return
}

// -----

// CHECK-LABEL: func.func @set_validshape
// CHECK-SAME: %[[T:[^:]*]]: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %[[R:[^:]*]]: index, %[[C:[^:]*]]: index
// CHECK-COUNT-2: pto.set_validshape %[[T]], %[[R]], %[[C]]
func.func @set_validshape(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %r: index, %c: index) {
  pto.set_validshape %t, %r, %c
  pto.set_validshape %t, %r, %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  return
}

// -----

// A dimension that the type fixes is given as that constant.

// CHECK-LABEL: func.func @set_valid_rows
// CHECK: pto.set_validshape
func.func @set_valid_rows(%t: !pto.tile_buf<vec, 16x64xf32, valid=?x64>, %r: index) {
  %c64 = arith.constant 64 : index
  pto.set_validshape %t, %r, %c64
  return
}
