// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// Shared memory has strides in any order and with gaps; shards over memory where a dimension has no
// single stride; a swizzle over either.

// CHECK-LABEL: func.func @allocations
// CHECK: tirx.alloc : !tirx.buffer<64x128xf16, shared, strides = [1, 64]>
// CHECK: tirx.alloc : !tirx.buffer<8x128xf16, shared, strides = [256, 1]>
// CHECK: tirx.alloc : !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
// CHECK: tirx.alloc : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
// CHECK: tirx.alloc at 1024 : !tirx.buffer<8x32xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
// CHECK: tirx.alloc : !tirx.buffer<8x128xf16, shared, shards = [8 : 64, 2 : 512, 64 : 1], swizzle = [3, 3, 3]>
func.func @allocations() {
  %columns = tirx.alloc : !tirx.buffer<64x128xf16, shared, strides = [1, 64]>
  %gaps = tirx.alloc : !tirx.buffer<8x128xf16, shared, strides = [256, 1]>
  %shards = tirx.alloc : !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
  %swizzle = tirx.alloc : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
  %both = tirx.alloc at 1024 : !tirx.buffer<8x32xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
  %panels = tirx.alloc : !tirx.buffer<8x128xf16, shared, shards = [8 : 64, 2 : 512, 64 : 1], swizzle = [3, 3, 3]>
  return
}

// -----

// Row-major strides are not written, beside a swizzle neither; those of a shape that is not known
// are. Shards over memory need no axis.

// CHECK-LABEL: func.func private @one_spelling
// CHECK-SAME: !tirx.buffer<8x64xf16, shared>
// CHECK-SAME: !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
// CHECK-SAME: !tirx.buffer<?x?xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
// CHECK-SAME: !tirx.buffer<8x64xf16, shared, shards = [8 : 64, 64 : 1]>
func.func private @one_spelling(
  !tirx.buffer<8x64xf16, shared, strides = [64, 1]>,
  !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3], strides = [64, 1]>,
  !tirx.buffer<?x?xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>,
  !tirx.buffer<8x64xf16, shared, shards = [8 : 64@m, 64 : 1@m]>)

// -----

// CHECK-LABEL: func.func @attributes
// CHECK-SAME: a = #tirx.layout<swizzle = [3, 4, 3]>
// CHECK-SAME: b = #tirx.layout<strides = [64, 1], swizzle = [3, 3, 3]>
// CHECK-SAME: c = #tirx.layout<shards = [2 : 512, 64 : 1], swizzle = [3, 3, 3]>
func.func @attributes() attributes {
  a = #tirx.layout<swizzle = [3, 4, 3]>,
  b = #tirx.layout<strides = [64, 1], swizzle = [3, 3, 3]>,
  c = #tirx.layout<shards = [2 : 512, 64 : 1], swizzle = [3, 3, 3]>
} {
  return
}

// -----

// Regions keep strides and swizzle, whose pattern begins with the allocation.

// CHECK-LABEL: func.func @regions_of_swizzled_buffers
// CHECK: tirx.subview %{{.*}} : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> -> !tirx.buffer<4x64xf16, shared, swizzle = [3, 3, 3]>
// CHECK: tirx.subview %{{.*}} : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> -> !tirx.buffer<8x32xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
// CHECK: tirx.subview %{{.*}} sizes[%{{.*}}] : !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]> -> !tirx.buffer<?x64xf16, shared, swizzle = [3, 3, 3]>
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
func.func @regions_of_swizzled_buffers(%b: !tile, %i: index, %j: index) {
  %rows = tirx.subview %b[%i, %j] : !tile -> !tirx.buffer<4x64xf16, shared, swizzle = [3, 3, 3]>
  %columns = tirx.subview %b[%i, %j] : !tile -> !tirx.buffer<8x32xf16, shared, strides = [64, 1], swizzle = [3, 3, 3]>
  %some = tirx.subview %b[%i, %j] sizes [%i] : !tile -> !tirx.buffer<?x64xf16, shared, swizzle = [3, 3, 3]>
  return
}

// -----

// Of a buffer with shards a region takes each dimension whole, or one element of it.

// CHECK-LABEL: func.func @regions_of_sharded_buffers
// CHECK: tirx.subview %{{.*}} -> !tirx.buffer<1x128xf16, shared, shards = [2 : 8192, 64 : 64]>
// CHECK: tirx.subview %{{.*}} -> !tirx.buffer<64x1xf16, shared, shards = [64 : 1]>
// CHECK: tirx.subview %{{.*}} -> !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
// CHECK: tirx.subview %{{.*}} -> !tirx.buffer<1x1xf16, shared>
!tile = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
func.func @regions_of_sharded_buffers(%b: !tile, %i: index, %j: index) {
  %row = tirx.subview %b[%i, %j] : !tile -> !tirx.buffer<1x128xf16, shared, shards = [2 : 8192, 64 : 64]>
  %column = tirx.subview %b[%i, %j] : !tile -> !tirx.buffer<64x1xf16, shared, shards = [64 : 1]>
  %all = tirx.subview %b[%i, %j] : !tile -> !tile
  %one = tirx.subview %b[%i, %j] : !tile -> !tirx.buffer<1x1xf16, shared>
  return
}

// -----

// The size of a dimension is one number, its stride too if it has no shards.

// CHECK-LABEL: func.func @queries
// CHECK: tirx.dim %{{.*}}, 1 : !tirx.buffer<64x128xf16, shared, shards
// CHECK: tirx.stride %{{.*}}, 0 : !tirx.buffer<8x64xf16, shared, swizzle
// CHECK: tirx.offset %{{.*}} : !tirx.buffer<64x128xf16, shared, shards
!shards = !tirx.buffer<64x128xf16, shared, shards = [64 : 1, 2 : 8192, 64 : 64]>
!swizzle = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
func.func @queries(%a: !shards, %b: !swizzle) {
  %n = tirx.dim %a, 1 : !shards
  %s = tirx.stride %b, 0 : !swizzle
  %o = tirx.offset %a : !shards
  return
}
