// RUN: pto-opt --split-input-file --verify-diagnostics --pto-to-tirx %s

// The view has 16 rows at run time too: its shape operand says so.

pto.kernel @window_leaves_view(%p: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %v = make_tensor_view %p, shape = [%c16, %c16] strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
  // expected-error @+1 {{'pto.partition_view' op window leaves the view}}
  %w = partition_view %v, offsets = [%c4, %c4], sizes = [%c16, %c4]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x4xf32>
}

// -----

func.func @view_through_a_block(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  cf.br ^next(%a : !pto.partition_tensor_view<4x16xf32>)
^next(%w: !pto.partition_tensor_view<4x16xf32>):
  // expected-error @+1 {{'pto.tload' op takes a view that this kernel makes, not one passed through another operation}}
  %t = pto.tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  return
}

// -----

func.func @selected_view(%a: !pto.tensor_view<4x16xf32>, %b: !pto.tensor_view<4x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c = arith.cmpi sgt, %n, %c0 : index
  %v = arith.select %c, %a, %b : !pto.tensor_view<4x16xf32>
  // expected-error @+1 {{'pto.partition_view' op takes a view that this kernel makes, not one passed through another operation}}
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  return
}

// -----

func.func @selected_pointer(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c = arith.cmpi sgt, %n, %c0 : index
  %p = arith.select %c, %a, %b : !pto.ptr<f32>
  // expected-error-re @+1 {{'pto.make_tensor_view' op {{.+}}}}
  %v = pto.make_tensor_view %p, shape = [%c4, %c16] strides = [%c16, %c1] : !pto.tensor_view<4x16xf32>
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %t = pto.tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  return
}
