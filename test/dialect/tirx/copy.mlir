// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @copy
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<16x16xf32, global>, %[[D:[^:]*]]: !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.copy cta %[[S]] -> %[[D]] : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.copy cta %[[S]] -> %[[D]] {dispatch = "vector"} : !tirx.buffer
func.func @copy(%s: !tirx.buffer<16x16xf32, global>, %d: !tirx.buffer<16x16xf32, shared>) {
  tirx.copy cta %s -> %d : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, shared>
  tirx.copy cta %s -> %d {dispatch = "vector"} : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, shared>
  return
}

// -----

// A size that only one side knows fits one that is not known.

// CHECK-LABEL: func.func @dynamic
// CHECK: tirx.copy cta
func.func @dynamic(%s: !tirx.buffer<?x16xf32, global>, %d: !tirx.buffer<16x?xf32, shared, strides = [16, 1]>) {
  tirx.copy cta %s -> %d : !tirx.buffer<?x16xf32, global> -> !tirx.buffer<16x?xf32, shared, strides = [16, 1]>
  return
}

// -----

// CHECK-LABEL: func.func @scopes
// CHECK: tirx.copy thread
// CHECK: tirx.copy warp %
// CHECK: tirx.copy warpgroup
// CHECK: tirx.copy cta
// CHECK: tirx.copy cluster
// CHECK: tirx.copy grid
func.func @scopes(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<16xf32, global>) {
  tirx.copy thread %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  tirx.copy warp %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  tirx.copy warpgroup %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  tirx.copy cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  tirx.copy cluster %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  tirx.copy grid %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, global>
  return
}

// -----

// The value of a fill has no sign.

// CHECK-LABEL: func.func @fill
// CHECK-SAME: %[[F:[^:]*]]: f32, %[[I:[^:]*]]: i8
// CHECK: tirx.fill cta %[[F]] -> %{{.*}} : f32 -> !tirx.buffer<16x16xf32, shared>
// CHECK: tirx.fill cta %[[I]] -> %{{.*}} {dispatch = "scalar"} : i8 -> !tirx.buffer<16x16xui8, shared>
func.func @fill(%f: f32, %i: i8, %a: !tirx.buffer<16x16xf32, shared>, %b: !tirx.buffer<16x16xui8, shared>) {
  tirx.fill cta %f -> %a : f32 -> !tirx.buffer<16x16xf32, shared>
  tirx.fill cta %i -> %b {dispatch = "scalar"} : i8 -> !tirx.buffer<16x16xui8, shared>
  return
}
