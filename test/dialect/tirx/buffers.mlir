// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @buffer_types
// CHECK-SAME: (!tirx.buffer<f32, global>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<4xui8, local>,
// CHECK-SAME:  !tirx.buffer<?x?xf32, global, strides = [?, 1]>, !tirx.buffer<2x3x4xi64, shared>)
func.func private @buffer_types(!tirx.buffer<f32, global>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<4xui8, local>,
                                !tirx.buffer<?x?xf32, global, strides = [?, 1]>, !tirx.buffer<2x3x4xi64, shared>)

// -----

// A static row-major layout has one spelling.

// CHECK-LABEL: func.func private @row_major
// CHECK-SAME: (!tirx.buffer<16x8xf32, shared>, !tirx.buffer<16x8xf32, shared, strides = [1, 16]>)
func.func private @row_major(!tirx.buffer<16x8xf32, shared, strides = [8, 1]>,
                             !tirx.buffer<16x8xf32, shared, strides = [1, 16]>)

// -----

// CHECK-LABEL: func.func private @layout_attribute
// CHECK-SAME: attributes {a = #tirx.layout<strides = [?, 16, 1]>}
func.func private @layout_attribute() attributes {a = #tirx.layout<strides = [?, 16, 1]>}

// -----

// CHECK-LABEL: func.func @alloc
// CHECK: tirx.alloc : !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.alloc at 4096 : !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.alloc : !tirx.buffer<8xf32, local>
func.func @alloc() {
  %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
  %b = tirx.alloc at 4096 : !tirx.buffer<1x16xf32, shared>
  %c = tirx.alloc : !tirx.buffer<8xf32, local>
  return
}

// -----

// CHECK-LABEL: func.func @view
// CHECK-SAME: %[[P:[^:]*]]: !tirx.buffer<f32, global>, %[[O:[^:]*]]: index, %[[N:[^:]*]]: index
// CHECK: tirx.view %[[P]] offset %[[O]] sizes{{ ?}}[%[[O]], %[[N]]] strides{{ ?}}[%[[N]]]
// CHECK-SAME: : !tirx.buffer<f32, global> -> !tirx.buffer<?x?xf32, global, strides = [?, 1]>
// CHECK: tirx.view %[[P]] offset %[[O]] : !tirx.buffer<f32, global> -> !tirx.buffer<4x4xf32, global>
func.func @view(%p: !tirx.buffer<f32, global>, %o: index, %n: index) {
  %0 = tirx.view %p offset %o sizes [%o, %n] strides [%n]
     : !tirx.buffer<f32, global> -> !tirx.buffer<?x?xf32, global, strides = [?, 1]>
  %1 = tirx.view %p offset %o : !tirx.buffer<f32, global> -> !tirx.buffer<4x4xf32, global>
  return
}

// -----

// CHECK-LABEL: func.func @subview
// CHECK-SAME: %[[B:[^:]*]]: !tirx.buffer<16x16xf32, shared>, %[[I:[^:]*]]: index
// CHECK: tirx.subview %[[B]][%[[I]], %[[I]]] sizes{{ ?}}[%[[I]]] : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x8xf32, shared, strides = [16, 1]>
func.func @subview(%b: !tirx.buffer<16x16xf32, shared>, %i: index) {
  %s = tirx.subview %b[%i, %i] sizes [%i]
     : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x8xf32, shared, strides = [16, 1]>
  return
}

// -----

// CHECK-LABEL: func.func @queries
// CHECK: tirx.dim %{{.*}}, 1 : !tirx.buffer<?x?xf32, global, strides = [?, 1]>
// CHECK: tirx.stride %{{.*}}, 0 : !tirx.buffer<?x?xf32, global, strides = [?, 1]>
func.func @queries(%b: !tirx.buffer<?x?xf32, global, strides = [?, 1]>) {
  %d = tirx.dim %b, 1 : !tirx.buffer<?x?xf32, global, strides = [?, 1]>
  %s = tirx.stride %b, 0 : !tirx.buffer<?x?xf32, global, strides = [?, 1]>
  return
}

// -----

// Shards and replicas stay, the dimensions that they make up change.
// CHECK-LABEL: @reshape
// CHECK: tirx.reshape %{{.*}} : !tirx.buffer<128x16xf32, {{.*}}> -> !tirx.buffer<4x32x16xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 16 : 1]>
func.func @reshape(%b: !tirx.buffer<128x16xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 16 : 1]>) {
  %r = tirx.reshape %b
    : !tirx.buffer<128x16xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 16 : 1]>
    -> !tirx.buffer<4x32x16xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid, 16 : 1]>
  return
}
