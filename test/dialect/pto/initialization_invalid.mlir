// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @rows(%x: i32) {
  // expected-error @+1 {{'pto.tci' op gives 1 valid row, not 4}}
  %d = pto.tci %x : i32 -> !pto.tile<4x64xi32>
  return
}

// -----

func.func @start(%x: i32) {
  // expected-error @+1 {{'pto.tci' op takes a scalar of type 'i16' beside a tile of 'ui16', not 'i32'}}
  %d = pto.tci %x : i32 -> !pto.tile<1x64xui16>
  return
}

// -----

func.func @tile(%x: !pto.tile<1x64xi32>) {
  // expected-error @+1 {{'pto.tci' op starts at a scalar, not at a tile}}
  %d = pto.tci %x : !pto.tile<1x64xi32> -> !pto.tile<1x64xi32>
  return
}

// -----

func.func @floats(%x: f32) {
  // expected-error @+1 {{'pto.tci' op does not take elements of type 'f32'; it takes i8, i16, i32, i64, ui8, ui16, ui32, ui64}}
  %d = pto.tci %x : f32 -> !pto.tile<1x64xf32>
  return
}

// -----

module attributes {pto.profile = "a5"} {
  func.func @profile(%x: i8) {
    // expected-error @+1 {{'pto.tci' op does not take elements of type 'i8' in profile 'a5'; it takes i16, i32, ui16, ui32}}
    %d = pto.tci %x : i8 -> !pto.tile<1x64xi8>
    return
  }
}
