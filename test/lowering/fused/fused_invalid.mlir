// RUN: pto-opt --split-input-file --verify-diagnostics --tirx-dispatch %s

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown(%a: !tirx.buffer<16xf32, global>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'tirx.fused' op has no variant for sm_90a that applies:}}
    tirx.fused cta {
      tirx.map cta "frobnicate"(%a) -> %a : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, global>
    }
    gpu.return
  }
}
