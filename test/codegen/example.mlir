// RUN: pto-opt --pto-to-ptx %examples/tcolprod.pto | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s
// RUN: pto-opt --pto-to-ptx %examples/colprod_grid.pto | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=GRID

// Shared memory is external: the launch sizes it. Global memory is read and written 16 bytes at a
// time where it is aligned; the fold multiplies 15 times, in order, and every product is rounded.

// CHECK: .extern .shared .align 128 .b8 __dynamic_shmem__
// CHECK-NOT: .shared .align
// CHECK: .visible .entry tcolprod(
// CHECK: ld.global.v4.b32
// CHECK: st.shared.v4.b32
// CHECK: bar.sync 0
// CHECK-NOT: fma
// CHECK: ld.shared.b32 [[ROW0:%r[0-9]+]],
// CHECK: ld.shared.b32 [[ROW1:%r[0-9]+]],
// CHECK: mul.rn.f32 [[P1:%r[0-9]+]], [[ROW0]], [[ROW1]]
// CHECK: ld.shared.b32 [[ROW2:%r[0-9]+]],
// CHECK: mul.rn.f32 [[P2:%r[0-9]+]], [[P1]], [[ROW2]]
// CHECK-COUNT-13: mul.rn.f32
// CHECK-NOT: mul.rn.f32
// CHECK: st.shared.b32
// CHECK: bar.sync 0
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;

// GRID: .visible .entry colprod_grid(
// GRID: %nctaid.x
// GRID: mul.rn.f32
