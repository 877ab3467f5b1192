// RUN: pto-opt --split-input-file --tirx-dispatch %s | FileCheck %s
// RUN: pto-opt --split-input-file --tirx-dispatch --remarks-filter=tirx-dispatch %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Strict: fold. The report names what was chosen and why what ranks above was not.

// CHECK-LABEL: gpu.func @strict
// CHECK-SAME: pto.dispatch = [{chosen = "fold", location = "{{.*}}dispatch.mlir:[[@LINE+12]]:5", op = "tirx.prod",
// CHECK-SAME: {reasons = ["order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order)"], variant = "shared"}
// CHECK-NOT: tirx.prod cta

// REMARK: dispatch.mlir:[[@LINE+8]]:5: remark: [Missed] shared
// REMARK-SAME: Category:tirx-dispatch
// REMARK-SAME: tirx.prod: not shared: order_is_free
// REMARK: dispatch.mlir:[[@LINE+5]]:5: remark: [Passed] fold
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @strict() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// Not strict: shared, which splits the rows.

// CHECK-LABEL: gpu.func @free
// CHECK-SAME: pto.dispatch = [{chosen = "shared",
// CHECK-SAME: {reasons = ["applies, but 'shared' is preferred"], variant = "fold"}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @free() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// As many columns as threads leave no second thread per result.

// CHECK-LABEL: gpu.func @wide
// CHECK-SAME: chosen = "fold"
// CHECK-SAME: reasons = ["shares_work: [64, 128] gives 128 threads no second one per result"], variant = "shared"
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wide() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x128xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x128xf32, shared>
    tirx.prod cta %s -> %d axes [0] : !tirx.buffer<64x128xf32, shared> -> !tirx.buffer<1x128xf32, shared>
    gpu.return
  }
}

// -----

// Every rule that does not hold is reported, not only the first.

// CHECK-LABEL: gpu.func @all_reasons
// CHECK-SAME: chosen = "fold"
// CHECK-SAME: reasons = ["order_is_free: {{[^"]*}}", "shares_work: {{[^"]*}}"], variant = "shared"
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @all_reasons() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x128xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x128xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict} : !tirx.buffer<64x128xf32, shared> -> !tirx.buffer<1x128xf32, shared>
    gpu.return
  }
}

// -----

// A forced variant narrows the choice: nothing else is weighed.

// CHECK-LABEL: gpu.func @forced
// CHECK-SAME: pto.dispatch = [{chosen = "fold", {{[^{]*}}rejected = []}, {chosen = "scalar", {{[^{]*}}rejected = []}]
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @forced() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {dispatch = "fold"} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    tirx.copy cta %s -> %s {dispatch = "scalar"} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<64x16xf32, shared>
    gpu.return
  }
}

// -----

// Every gpu.module is lowered for its own target.

// CHECK: gpu.module @a [#nvvm.target<chip = "sm_80">]
// CHECK: gpu.func @kernel
// CHECK-SAME: pto.shared_bytes = 1024 : i64
// CHECK: gpu.module @b [#nvvm.target<chip = "sm_120a">]
// CHECK: gpu.func @kernel
// CHECK-SAME: pto.shared_bytes = 1024 : i64
gpu.module @a [#nvvm.target<chip = "sm_80">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    tirx.copy cta %s -> %s : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}
gpu.module @b [#nvvm.target<chip = "sm_120a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    tirx.copy cta %s -> %s : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<16x16xf32, shared>
    gpu.return
  }
}
