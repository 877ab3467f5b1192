// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tcolprod
// CHECK-SAME: %[[S:[^:]*]]: !pto.tile<16x16xf32>, %[[SB:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>, %[[DB:[^:]*]]: !pto.tile_buf<vec, 1x16xf32>
// CHECK: pto.tcolprod %[[S]] : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
// CHECK: pto.tcolprod ins(%[[SB]] : !pto.tile_buf<vec, 16x16xf32>) outs(%[[DB]] : !pto.tile_buf<vec, 1x16xf32>){{$}}
func.func @tcolprod(%s: !pto.tile<16x16xf32>, %sb: !pto.tile_buf<vec, 16x16xf32>, %db: !pto.tile_buf<vec, 1x16xf32>) {
  %d = pto.tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  pto.tcolprod ins(%sb : !pto.tile_buf<vec, 16x16xf32>) outs(%db : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @tcolsum
// CHECK-SAME: %[[S:[^:]*]]: !pto.tile<16x16xf32>, %[[SB:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>, %[[DB:[^:]*]]: !pto.tile_buf<vec, 1x16xf32>
// CHECK: pto.tcolsum %[[S]] : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
// CHECK: pto.tcolsum ins(%[[SB]] : !pto.tile_buf<vec, 16x16xf32>) outs(%[[DB]] : !pto.tile_buf<vec, 1x16xf32>){{$}}
func.func @tcolsum(%s: !pto.tile<16x16xf32>, %sb: !pto.tile_buf<vec, 16x16xf32>, %db: !pto.tile_buf<vec, 1x16xf32>) {
  %d = pto.tcolsum %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  pto.tcolsum ins(%sb : !pto.tile_buf<vec, 16x16xf32>) outs(%db : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @tcolmax
// CHECK-SAME: %[[S:[^:]*]]: !pto.tile<16x16xf32>, %[[SB:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>, %[[DB:[^:]*]]: !pto.tile_buf<vec, 1x16xf32>
// CHECK: pto.tcolmax %[[S]] : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
// CHECK: pto.tcolmax ins(%[[SB]] : !pto.tile_buf<vec, 16x16xf32>) outs(%[[DB]] : !pto.tile_buf<vec, 1x16xf32>){{$}}
func.func @tcolmax(%s: !pto.tile<16x16xf32>, %sb: !pto.tile_buf<vec, 16x16xf32>, %db: !pto.tile_buf<vec, 1x16xf32>) {
  %d = pto.tcolmax %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  pto.tcolmax ins(%sb : !pto.tile_buf<vec, 16x16xf32>) outs(%db : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @tcolmin
// CHECK-SAME: %[[S:[^:]*]]: !pto.tile<16x16xf32>, %[[SB:[^:]*]]: !pto.tile_buf<vec, 16x16xf32>, %[[DB:[^:]*]]: !pto.tile_buf<vec, 1x16xf32>
// CHECK: pto.tcolmin %[[S]] : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
// CHECK: pto.tcolmin ins(%[[SB]] : !pto.tile_buf<vec, 16x16xf32>) outs(%[[DB]] : !pto.tile_buf<vec, 1x16xf32>){{$}}
func.func @tcolmin(%s: !pto.tile<16x16xf32>, %sb: !pto.tile_buf<vec, 16x16xf32>, %db: !pto.tile_buf<vec, 1x16xf32>) {
  %d = pto.tcolmin %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  pto.tcolmin ins(%sb : !pto.tile_buf<vec, 16x16xf32>) outs(%db : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @fastmath
// CHECK: pto.tcolprod %{{.*}} fastmath<reassoc> : !pto.tile
// CHECK: pto.tcolprod %{{.*}} fastmath<fast> {dispatch = "shared"} : !pto.tile
// CHECK: pto.tcolprod ins({{.*}}) outs({{.*}}) fastmath<reassoc,nnan> {dispatch = "fold"}
// CHECK: pto.tcolprod %{{.*}} : !pto.tile
func.func @fastmath(%s: !pto.tile<16x16xf32>, %sb: !pto.tile_buf<vec, 16x16xf32>, %db: !pto.tile_buf<vec, 1x16xf32>) {
  %0 = pto.tcolprod %s fastmath<reassoc> : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  %1 = pto.tcolprod %s fastmath<fast> {dispatch = "shared"} : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  pto.tcolprod ins(%sb : !pto.tile_buf<vec, 16x16xf32>) outs(%db : !pto.tile_buf<vec, 1x16xf32>) fastmath<reassoc,nnan> {dispatch = "fold"}
  %2 = pto.tcolprod %s fastmath<none> : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
  return
}

// -----

// The destination may have more rows than the one that becomes valid.

// CHECK-LABEL: func.func @valid_regions
// CHECK-COUNT-4: pto.tcolprod
func.func @valid_regions(
    %s: !pto.tile_buf<vec, 16x64xf32, valid=3x5>, %d: !pto.tile_buf<vec, 4x64xf32, valid=1x5>,
    %x: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %y: !pto.tile_buf<vec, 4x64xf32, valid=?x?>) {
  pto.tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=3x5>) outs(%d : !pto.tile_buf<vec, 4x64xf32, valid=1x5>)
  pto.tcolprod ins(%x : !pto.tile_buf<vec, 16x64xf32, valid=?x?>) outs(%d : !pto.tile_buf<vec, 4x64xf32, valid=1x5>)
  pto.tcolprod ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=3x5>) outs(%y : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
  pto.tcolprod ins(%x : !pto.tile_buf<vec, 16x64xf32, valid=?x?>) outs(%y : !pto.tile_buf<vec, 4x64xf32, valid=?x?>)
  return
}

// -----

// CHECK-LABEL: func.func @empty_valid_regions
// CHECK-COUNT-2: pto.tcolprod
func.func @empty_valid_regions(%s: !pto.tile<16x16xf32, valid=0x16>, %t: !pto.tile<16x16xf32, valid=16x0>) {
  %0 = pto.tcolprod %s : !pto.tile<16x16xf32, valid=0x16> -> !pto.tile<1x16xf32>
  %1 = pto.tcolprod %t : !pto.tile<16x16xf32, valid=16x0> -> !pto.tile<1x16xf32, valid=1x0>
  return
}

// -----

// Without a profile: every type that the GPU computes with.

// CHECK-LABEL: func.func @no_profile
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xbf16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf64>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi8>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi64>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui8>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui64>
func.func @no_profile(%f16: !pto.tile<4x16xf16>, %bf16: !pto.tile<4x16xbf16>, %f32: !pto.tile<4x16xf32>, %f64: !pto.tile<4x16xf64>,
    %i8: !pto.tile<4x16xi8>, %i16: !pto.tile<4x16xi16>, %i32: !pto.tile<4x16xi32>, %i64: !pto.tile<4x16xi64>,
    %ui8: !pto.tile<4x16xui8>, %ui16: !pto.tile<4x16xui16>, %ui32: !pto.tile<4x16xui32>, %ui64: !pto.tile<4x16xui64>) {
  %0 = pto.tcolprod %f16 : !pto.tile<4x16xf16> -> !pto.tile<1x16xf16>
  %1 = pto.tcolprod %bf16 : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
  %2 = pto.tcolprod %f32 : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  %3 = pto.tcolprod %f64 : !pto.tile<4x16xf64> -> !pto.tile<1x16xf64>
  %4 = pto.tcolprod %i8 : !pto.tile<4x16xi8> -> !pto.tile<1x16xi8>
  %5 = pto.tcolprod %i16 : !pto.tile<4x16xi16> -> !pto.tile<1x16xi16>
  %6 = pto.tcolprod %i32 : !pto.tile<4x16xi32> -> !pto.tile<1x16xi32>
  %7 = pto.tcolprod %i64 : !pto.tile<4x16xi64> -> !pto.tile<1x16xi64>
  %8 = pto.tcolprod %ui8 : !pto.tile<4x16xui8> -> !pto.tile<1x16xui8>
  %9 = pto.tcolprod %ui16 : !pto.tile<4x16xui16> -> !pto.tile<1x16xui16>
  %10 = pto.tcolprod %ui32 : !pto.tile<4x16xui32> -> !pto.tile<1x16xui32>
  %11 = pto.tcolprod %ui64 : !pto.tile<4x16xui64> -> !pto.tile<1x16xui64>
  return
}

// -----

// The element types of TCOLPROD in the A2/A3 profile.

// CHECK-LABEL: module attributes {pto.profile = "a2a3"}
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi32>
module attributes {pto.profile = "a2a3"} {
  func.func @profile_a2a3(%f16: !pto.tile<4x16xf16>, %f32: !pto.tile<4x16xf32>, %i16: !pto.tile<4x16xi16>, %i32: !pto.tile<4x16xi32>) {
    %0 = pto.tcolprod %f16 : !pto.tile<4x16xf16> -> !pto.tile<1x16xf16>
    %1 = pto.tcolprod %f32 : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
    %2 = pto.tcolprod %i16 : !pto.tile<4x16xi16> -> !pto.tile<1x16xi16>
    %3 = pto.tcolprod %i32 : !pto.tile<4x16xi32> -> !pto.tile<1x16xi32>
    return
  }
}

// -----

// The element types of TCOLPROD in the A5 profile.

// CHECK-LABEL: module attributes {pto.profile = "a5"}
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xf32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xbf16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui16>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xi32>
// CHECK: pto.tcolprod {{.*}} -> !pto.tile<1x16xui32>
module attributes {pto.profile = "a5"} {
  func.func @profile_a5(%f16: !pto.tile<4x16xf16>, %f32: !pto.tile<4x16xf32>, %bf16: !pto.tile<4x16xbf16>, %i16: !pto.tile<4x16xi16>,
      %ui16: !pto.tile<4x16xui16>, %i32: !pto.tile<4x16xi32>, %ui32: !pto.tile<4x16xui32>) {
    %0 = pto.tcolprod %f16 : !pto.tile<4x16xf16> -> !pto.tile<1x16xf16>
    %1 = pto.tcolprod %f32 : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
    %2 = pto.tcolprod %bf16 : !pto.tile<4x16xbf16> -> !pto.tile<1x16xbf16>
    %3 = pto.tcolprod %i16 : !pto.tile<4x16xi16> -> !pto.tile<1x16xi16>
    %4 = pto.tcolprod %ui16 : !pto.tile<4x16xui16> -> !pto.tile<1x16xui16>
    %5 = pto.tcolprod %i32 : !pto.tile<4x16xi32> -> !pto.tile<1x16xi32>
    %6 = pto.tcolprod %ui32 : !pto.tile<4x16xui32> -> !pto.tile<1x16xui32>
    return
  }
}
