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
