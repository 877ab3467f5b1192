// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-ptx %s

// expected-error @+1 {{unknown target 'sm_42'; it is one of sm_80, sm_90, sm_90a, sm_100a, sm_120a}}
module attributes {pto.target = "sm_42"} {
  pto.kernel @unknown(%p: !pto.ptr<f32>) {
  }
}

// -----

// expected-error @+1 {{unknown target 'SM_90A'; it is one of sm_80, sm_90, sm_90a, sm_100a, sm_120a}}
module attributes {pto.target = "SM_90A"} {
  pto.kernel @upper_case(%p: !pto.ptr<f32>) {
  }
}

// -----

// A tile that fits into the shared memory of other chips.

module attributes {pto.target = "sm_120a"} {
  pto.kernel @too_large(%v: !pto.tensor_view<256x128xf32>) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c256, %c128]
       : !pto.tensor_view<256x128xf32> -> !pto.partition_tensor_view<256x128xf32>
    // expected-error @+1 {{is the largest of the kernel's tiles, which need 131072 bytes of shared memory; a CTA on sm_120a has 101376}}
    %t = alloc_tile : !pto.tile_buf<vec, 256x128xf32>
    tload ins(%w : !pto.partition_tensor_view<256x128xf32>) outs(%t : !pto.tile_buf<vec, 256x128xf32>)
  }
}
