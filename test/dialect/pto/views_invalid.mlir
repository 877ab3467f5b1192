// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @shape_of_wrong_rank(%p: !pto.ptr<f32>, %n: index) {
  // expected-error @+1 {{'pto.make_tensor_view' op has 1 shape for 2 dimensions}}
  %v = pto.make_tensor_view %p, shape = [%n] strides = [%n, %n] : !pto.tensor_view<?x?xf32>
  return
}

// -----

func.func @strides_of_wrong_rank(%p: !pto.ptr<f32>, %n: index) {
  // expected-error @+1 {{'pto.make_tensor_view' op has 1 strides for 2 dimensions}}
  %v = pto.make_tensor_view %p, shape = [%n, %n] strides = [%n] : !pto.tensor_view<?x?xf32>
  return
}

// -----

func.func @shape_differs_from_type(%p: !pto.ptr<f32>) {
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{'pto.make_tensor_view' op shape[0] is 8, but the type says 16}}
  %v = pto.make_tensor_view %p, shape = [%c8] strides = [%c8] : !pto.tensor_view<16xf32>
  return
}

// -----

func.func @negative_shape(%p: !pto.ptr<f32>) {
  %c = arith.constant -8 : index
  // expected-error @+1 {{'pto.make_tensor_view' op shape[0] is negative: -8}}
  %v = pto.make_tensor_view %p, shape = [%c] strides = [%c] : !pto.tensor_view<?xf32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @pointer_to_other_elements(%p: !pto.ptr<f16>, %n: index) {
  // expected-error @+1 {{use of value '%p' expects different type than prior uses: '!pto.ptr<f32>' vs '!pto.ptr<f16>'}}
  %v = pto.make_tensor_view %p, shape = [%n] strides = [%n] : !pto.tensor_view<?xf32>
  return
}

// -----

func.func @pointer_to_other_elements_in_generic_form(%p: !pto.ptr<f16>, %n: index) {
  // expected-error @+1 {{'pto.make_tensor_view' op makes a view of 'f32' from a pointer to 'f16'}}
  %v = "pto.make_tensor_view"(%p, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 1>}
     : (!pto.ptr<f16>, index, index) -> !pto.tensor_view<?xf32>
  return
}

// -----

func.func @dimension_beyond_rank(%v: !pto.tensor_view<?x?xf32>) {
  // expected-error @+1 {{'pto.tensor_view_dim' op dimension 2 of a view of rank 2}}
  %n = pto.tensor_view_dim %v, 2 : !pto.tensor_view<?x?xf32>
  return
}

// -----

func.func @negative_dimension(%v: !pto.tensor_view<?x?xf32>) {
  // expected-error @+1 {{'pto.tensor_view_dim' op dimension -1 of a view of rank 2}}
  %n = pto.tensor_view_dim %v, -1 : !pto.tensor_view<?x?xf32>
  return
}

// -----

func.func @offsets_of_wrong_rank(%v: !pto.tensor_view<?x?xf32>, %i: index) {
  // expected-error @+1 {{'pto.partition_view' op has 1 offsets for 2 dimensions}}
  %w = pto.partition_view %v, offsets = [%i], sizes = [%i, %i]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  return
}

// -----

func.func @sizes_of_wrong_rank(%v: !pto.tensor_view<?x?xf32>, %i: index) {
  // expected-error @+1 {{'pto.partition_view' op has 1 sizes for 2 dimensions}}
  %w = pto.partition_view %v, offsets = [%i, %i], sizes = [%i]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  return
}

// -----

func.func @window_of_other_rank(%v: !pto.tensor_view<?x?xf32>, %i: index) {
  // expected-error @+1 {{'pto.partition_view' op takes a window of rank 1 from a view of rank 2}}
  %w = pto.partition_view %v, offsets = [%i, %i], sizes = [%i]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?xf32>
  return
}

// -----

func.func @window_of_other_elements(%v: !pto.tensor_view<?xf32>, %i: index) {
  // expected-error @+1 {{'pto.partition_view' op takes a window of 'f16' from a view of 'f32'}}
  %w = pto.partition_view %v, offsets = [%i], sizes = [%i]
     : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<?xf16>
  return
}

// -----

func.func @size_differs_from_type(%v: !pto.tensor_view<?xf32>, %i: index) {
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{'pto.partition_view' op sizes[0] is 8, but the type says 16}}
  %w = pto.partition_view %v, offsets = [%i], sizes = [%c8]
     : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<16xf32>
  return
}

// -----

func.func @negative_offset(%v: !pto.tensor_view<?xf32>, %n: index) {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'pto.partition_view' op offsets[0] is negative: -1}}
  %w = pto.partition_view %v, offsets = [%c], sizes = [%n]
     : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<?xf32>
  return
}

// -----

func.func @window_leaves_view(%v: !pto.tensor_view<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{'pto.partition_view' op window 4 to 20 of dimension 1 leaves the view, whose size is 16}}
  %w = pto.partition_view %v, offsets = [%c0, %c4], sizes = [%c16, %c16]
     : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
  return
}

// -----

func.func @unknown_layout(%p: !pto.ptr<f32>, %n: index) {
  // expected-error @+1 {{unknown layout 'zz'; it is one of nd, dn, nz}}
  %v = pto.make_tensor_view %p, shape = [%n] strides = [%n] {layout = #pto.layout<zz>} : !pto.tensor_view<?xf32>
  return
}
