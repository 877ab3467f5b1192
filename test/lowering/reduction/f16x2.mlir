// RUN: pto-opt --split-input-file --tirx-dispatch --canonicalize --cse %s | FileCheck %s
// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s --check-prefix=PTX

// Two elements per instruction if partial results are in f16; the odd element comes last.

// CHECK-LABEL: gpu.func @sum
// CHECK-SAME: chosen = "f16x2"
// CHECK-COUNT-4: vector.from_elements {{.*}} : vector<2xf16>
// CHECK-COUNT-3: arith.addf {{.*}} : vector<2xf16>
// CHECK-COUNT-2: arith.addf {{.*}} : f16
// CHECK-NOT: arith.addf
// CHECK-NOT: arith.extf
// CHECK: gpu.return
// PTX-LABEL: .entry sum(
// PTX-COUNT-3: add.rn.f16x2
// PTX-COUNT-2: add.rn.f16 %
// PTX-NOT: add.
// PTX: ret;
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @sum(%x: !tirx.buffer<9xf16, global>, %y: !tirx.buffer<1xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<9xf16, local>
    %b = tirx.alloc : !tirx.buffer<1xf16, local>
    tirx.copy thread %x -> %a : !tirx.buffer<9xf16, global> -> !tirx.buffer<9xf16, local>
    tirx.sum thread %a -> %b axes [0] {accumulate = f16} : !tirx.buffer<9xf16, local> -> !tirx.buffer<1xf16, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf16, local> -> !tirx.buffer<1xf16, global>
    gpu.return
  }
}

// -----

// max and min have no partial results to widen.

// CHECK-LABEL: gpu.func @maximum
// CHECK-SAME: chosen = "f16x2"
// CHECK: arith.maximumf {{.*}} : vector<2xbf16>
// PTX-LABEL: .entry maximum(
// PTX: max.NaN.bf16x2
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @maximum(%x: !tirx.buffer<4xbf16, global>, %y: !tirx.buffer<1xbf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tirx.alloc : !tirx.buffer<4xbf16, local>
    %b = tirx.alloc : !tirx.buffer<1xbf16, local>
    tirx.copy thread %x -> %a : !tirx.buffer<4xbf16, global> -> !tirx.buffer<4xbf16, local>
    tirx.max thread %a -> %b axes [0] {propagate_nan} : !tirx.buffer<4xbf16, local> -> !tirx.buffer<1xbf16, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xbf16, local> -> !tirx.buffer<1xbf16, global>
    gpu.return
  }
}
