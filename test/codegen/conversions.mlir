// RUN: pto-opt --split-input-file --pto-to-ptx %s | sed -e 's/\\0A/\n/g' -e 's/\\09//g' | FileCheck %s

// Between f16 and f32 there is one instruction for an element, or for two.

// CHECK-LABEL: .visible .entry plain(
// CHECK-COUNT-4: cvt.f32.f16
// CHECK-COUNT-2: cvt.rn.f16x2.f32
// CHECK-NOT: cvt.rn.f16
module attributes {pto.target = "sm_90a"} {
  pto.kernel @plain() attributes {pto.block = 32} {
    %h = alloc_tile : !pto.tile_buf<vec, 4x32xf16>
    %a = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
    tcvt ins(%h : !pto.tile_buf<vec, 4x32xf16>) outs(%a : !pto.tile_buf<vec, 4x32xf32>)
    %b = alloc_tile : !pto.tile_buf<vec, 4x32xf32>
    %g = alloc_tile : !pto.tile_buf<vec, 4x32xf16>
    tcvt ins(%b : !pto.tile_buf<vec, 4x32xf32>) outs(%g : !pto.tile_buf<vec, 4x32xf16>)
  }
}

// -----

// Integers clamp as the instruction does; else whole turns of 2^32 are taken off first.

// CHECK-LABEL: .visible .entry integers(
// CHECK: cvt.rni.f32.f32
// CHECK: cvt.rzi.s32.f32
// CHECK: mul.rn.f32 {{.*}}, 0f2F800000;
// CHECK: cvt.rzi.f32.f32
// CHECK: fma.rn.f32 {{.*}}, 0fCF800000,
// CHECK: cvt.rzi.u32.f32
module attributes {pto.target = "sm_90a"} {
  pto.kernel @integers() attributes {pto.block = 32} {
    %a = alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    %i = alloc_tile : !pto.tile_buf<vec, 1x32xi32>
    tcvt ins(%a : !pto.tile_buf<vec, 1x32xf32>) outs(%i : !pto.tile_buf<vec, 1x32xi32>)
         {rmode = #pto<round_mode RINT>, sat = #pto<sat ON>}
    %j = alloc_tile : !pto.tile_buf<vec, 1x32xi32>
    tcvt ins(%a : !pto.tile_buf<vec, 1x32xf32>) outs(%j : !pto.tile_buf<vec, 1x32xi32>)
  }
}

// -----

// i32 has no exact f32 on the way to bf16: two halves have.

// CHECK-LABEL: .visible .entry halves(
// CHECK-NOT: cvt.rn.f32.s32
// CHECK: cvt.rn.f32.u16
// CHECK: cvt.rn.bf16x2.f32
module attributes {pto.target = "sm_80"} {
  pto.kernel @halves() attributes {pto.block = 32} {
    %i = alloc_tile : !pto.tile_buf<vec, 1x32xi32>
    %b = alloc_tile : !pto.tile_buf<vec, 1x32xbf16>
    tcvt ins(%i : !pto.tile_buf<vec, 1x32xi32>) outs(%b : !pto.tile_buf<vec, 1x32xbf16>)
  }
}
