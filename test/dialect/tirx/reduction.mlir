// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<4x16xf32, shared>, %[[D:[^:]*]]: !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.sum cta %[[S]] -> %[[D]] axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.sum cta %[[S]] -> %[[D]] axes [0] {{[{]}}dispatch = "fold", strict} : !tirx.buffer
func.func @sum(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  tirx.sum cta %s -> %d axes [0] {strict, dispatch = "fold"} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

// CHECK-LABEL: func.func @prod
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<4x16xf32, shared>, %[[D:[^:]*]]: !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.prod cta %[[S]] -> %[[D]] axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.prod cta %[[S]] -> %[[D]] axes [0] {{[{]}}dispatch = "fold", strict} : !tirx.buffer
func.func @prod(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  tirx.prod cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  tirx.prod cta %s -> %d axes [0] {strict, dispatch = "fold"} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

// CHECK-LABEL: func.func @max
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<4x16xf32, shared>, %[[D:[^:]*]]: !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.max cta %[[S]] -> %[[D]] axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.max cta %[[S]] -> %[[D]] axes [0] {{[{]}}dispatch = "fold", strict} : !tirx.buffer
func.func @max(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  tirx.max cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  tirx.max cta %s -> %d axes [0] {strict, dispatch = "fold"} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

// CHECK-LABEL: func.func @min
// CHECK-SAME: %[[S:[^:]*]]: !tirx.buffer<4x16xf32, shared>, %[[D:[^:]*]]: !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.min cta %[[S]] -> %[[D]] axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
// CHECK: tirx.min cta %[[S]] -> %[[D]] axes [0] {{[{]}}dispatch = "fold", strict} : !tirx.buffer
func.func @min(%s: !tirx.buffer<4x16xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  tirx.min cta %s -> %d axes [0] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  tirx.min cta %s -> %d axes [0] {strict, dispatch = "fold"} : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}

// -----

// The destination has 1 or nothing in place of a reduced dimension.

// CHECK-LABEL: func.func @shapes
// CHECK: tirx.sum cta {{.*}} axes [1] : {{.*}} -> !tirx.buffer<4x1xf32, shared>
// CHECK: tirx.sum cta {{.*}} axes [1] : {{.*}} -> !tirx.buffer<4xf32, shared>
// CHECK: tirx.sum cta {{.*}} axes [0, 1] : {{.*}} -> !tirx.buffer<f32, shared>
func.func @shapes(%s: !tirx.buffer<4x16xf32, shared>, %a: !tirx.buffer<4x1xf32, shared>,
                  %b: !tirx.buffer<4xf32, shared>, %c: !tirx.buffer<f32, shared>) {
  tirx.sum cta %s -> %a axes [1] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4x1xf32, shared>
  tirx.sum cta %s -> %b axes [1] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<4xf32, shared>
  tirx.sum cta %s -> %c axes [0, 1] : !tirx.buffer<4x16xf32, shared> -> !tirx.buffer<f32, shared>
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: tirx.max cta
func.func @dynamic(%s: !tirx.buffer<?x?xf32, shared>, %d: !tirx.buffer<1x16xf32, shared>) {
  tirx.max cta %s -> %d axes [0] : !tirx.buffer<?x?xf32, shared> -> !tirx.buffer<1x16xf32, shared>
  return
}
