// RUN: not pto-opt --split-input-file --tirx-dispatch %s 2>&1 | FileCheck %s --strict-whitespace

// The full text of what dispatch says where it cannot choose: a line per variant.

// The message names the variants that there are.

// CHECK: dispatch_report.mlir:[[@LINE+5]]:5: error: 'tirx.prod' op has no variant 'warp'; its variants are {{.*}}shared, {{.*}}fold
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_variant() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {dispatch = "warp"} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// Forcing a variant does not switch its rules off.

// CHECK: dispatch_report.mlir:[[@LINE+6]]:5: error: 'tirx.prod' op has no variant for sm_90a that applies:
// CHECK-NEXT:{{^}}  shared: order_is_free: it is strict, and rounds at every step (fastmath<reassoc> on a tile operation frees the order){{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @forced_variant_does_not_apply() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<1x16xf32, shared>
    tirx.prod cta %s -> %d axes [0] {strict, dispatch = "shared"} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    gpu.return
  }
}

// -----

// If no variant applies, each says why, with all of its reasons.

// CHECK: dispatch_report.mlir:[[@LINE+8]]:5: error: 'tirx.prod' op has no variant for sm_90a that applies:
// CHECK:{{^}}  local: exec_scope(thread): it is warp; order_is_free: {{.*}}frees the order){{$}}
// CHECK:{{^}}  shared: whole_scopes: a CTA of 48 threads does not consist of warps; order_is_free: {{.*}}frees the order){{$}}
// CHECK:{{^}}  fold: whole_scopes: a CTA of 48 threads does not consist of warps{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @none_applies() kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %s = tirx.alloc : !tirx.buffer<64x16xf32, shared>
    %d = tirx.alloc : !tirx.buffer<64x1xf32, shared>
    tirx.prod warp %s -> %d axes [1] {strict} : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<64x1xf32, shared>
    gpu.return
  }
}

// -----

// A variant is asked all of its rules, those too that a missing bound already makes hopeless.

// CHECK: dispatch_report.mlir:[[@LINE+5]]:5: error: 'tirx.copy' op has no variant for sm_90a that applies:
// CHECK:{{^}}  vector: is_bounded: dimension 0 has no known bound{{.*}}
// CHECK:{{^}}  scalar: is_bounded: dimension 0 has no known bound{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_bound(%s: !tirx.buffer<?x16xf32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy cta %s -> %s : !tirx.buffer<?x16xf32, global> -> !tirx.buffer<?x16xf32, global>
    gpu.return
  }
}
