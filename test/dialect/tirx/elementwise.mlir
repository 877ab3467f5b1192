// RUN: pto-opt %s | pto-opt | FileCheck %s

// CHECK-LABEL: gpu.func @sources
// CHECK: tirx.map cta "add"(%{{.*}}, %{{.*}}) -> %{{.*}} : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
// CHECK: tirx.map cta "add"(%{{.*}}, %{{.*}}) -> %{{.*}} {approx, dispatch = "scalar"} : (!tirx.buffer<16x20xf32, shared>, !tirx.buffer<16x1xf32, shared>) -> !tirx.buffer<16x20xf32, shared>
// CHECK: tirx.map cta "not"(%{{.*}}) -> %{{.*}} : (!tirx.buffer<16x3xui8, shared>) -> !tirx.buffer<16x3xui8, shared>
// CHECK: tirx.compare cta "lt"(%{{.*}}, %{{.*}}) -> %{{.*}} : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x3xui8, shared>
// CHECK: tirx.select cta %{{.*}}, (%{{.*}}, %{{.*}}) -> %{{.*}} : !tirx.buffer<16x3xui8, shared>, (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
gpu.module @m {
  gpu.func @sources(%x: f32) {
    %a = tirx.alloc : !tirx.buffer<16x20xf32, shared>
    %c = tirx.alloc : !tirx.buffer<16x1xf32, shared>
    %m = tirx.alloc : !tirx.buffer<16x3xui8, shared>
    tirx.map cta "add"(%a, %x) -> %a : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
    tirx.map cta "add"(%a, %c) -> %a {approx, dispatch = "scalar"}
      : (!tirx.buffer<16x20xf32, shared>, !tirx.buffer<16x1xf32, shared>) -> !tirx.buffer<16x20xf32, shared>
    tirx.map cta "not"(%m) -> %m : (!tirx.buffer<16x3xui8, shared>) -> !tirx.buffer<16x3xui8, shared>
    tirx.compare cta "lt"(%a, %x) -> %m : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x3xui8, shared>
    tirx.select cta %m, (%a, %x) -> %a
      : !tirx.buffer<16x3xui8, shared>, (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
    gpu.return
  }
}

// A cast takes elements of one type and gives another; the power of a difference of f16 may be f32.

// CHECK-LABEL: gpu.func @types
// CHECK: tirx.map cta "cast"(%{{.*}}) -> %{{.*}} {rounding = "odd", saturate} : (!tirx.buffer<16x20xf16, shared>) -> !tirx.buffer<16x20xi8, shared>
// CHECK: tirx.map cta "expdif"(%{{.*}}, %{{.*}}) -> %{{.*}} : (!tirx.buffer<16x20xf16, shared>, !tirx.buffer<16x1xf16, shared>) -> !tirx.buffer<16x20xf32, shared>
gpu.module @types {
  gpu.func @types() {
    %a = tirx.alloc : !tirx.buffer<16x20xf16, shared>
    %b = tirx.alloc : !tirx.buffer<16x20xi8, shared>
    %c = tirx.alloc : !tirx.buffer<16x1xf16, shared>
    %d = tirx.alloc : !tirx.buffer<16x20xf32, shared>
    tirx.map cta "cast"(%a) -> %b {rounding = "odd", saturate}
      : (!tirx.buffer<16x20xf16, shared>) -> !tirx.buffer<16x20xi8, shared>
    tirx.map cta "expdif"(%a, %c) -> %d
      : (!tirx.buffer<16x20xf16, shared>, !tirx.buffer<16x1xf16, shared>) -> !tirx.buffer<16x20xf32, shared>
    gpu.return
  }
}

// Maps that are computed together.

// CHECK-LABEL: gpu.func @fused
// CHECK: tirx.fused cta {
// CHECK-NEXT: tirx.map cta "mul"
// CHECK-NEXT: tirx.map cta "exp"
// CHECK-NEXT: }
gpu.module @fused {
  gpu.func @fused() {
    %a = tirx.alloc : !tirx.buffer<16x20xf32, shared>
    tirx.fused cta {
      tirx.map cta "mul"(%a, %a) -> %a
        : (!tirx.buffer<16x20xf32, shared>, !tirx.buffer<16x20xf32, shared>) -> !tirx.buffer<16x20xf32, shared>
      tirx.map cta "exp"(%a) -> %a : (!tirx.buffer<16x20xf32, shared>) -> !tirx.buffer<16x20xf32, shared>
    }
    gpu.return
  }
}
