// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @subview
// CHECK-SAME: %[[T:[^:]*]]: !pto.tile_buf<vec, 32x64xf32>, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index
// CHECK: pto.subview %[[T]][%[[I]], %[[J]]] sizes [8, 16] : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
func.func @subview(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index, %j: index) {
  %w = pto.subview %t[%i, %j] sizes [8, 16]
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @valid_region
// CHECK: sizes [8, 16] valid_row = %{{.*}} valid_col = %{{.*}} : {{.*}} -> !pto.tile_buf<vec, 8x16xf32, valid=?x?>
// CHECK: sizes [8, 16] valid_col = %{{.*}} : {{.*}} -> !pto.tile_buf<vec, 8x16xf32, valid=5x?>
func.func @valid_region(%t: !pto.tile_buf<vec, 32x64xf32>, %i: index, %r: index, %c: index) {
  %v = pto.subview %t[%i, %i] sizes [8, 16] valid_row = %r valid_col = %c
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32, valid=?x?>
  %w = pto.subview %t[%i, %i] sizes [8, 16] valid_col = %c
     : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x16xf32, valid=5x?>
  return
}
