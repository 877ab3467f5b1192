// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// The sizes and strides of a view argument come with the launch.

// CHECK-LABEL: gpu.func @argument
// CHECK-SAME: (%[[V:[^:]*]]: !tirx.buffer<?x?xf32, global, strides = [?, ?]>) kernel
// CHECK-SAME: pto.arguments = [{name = "arg0", type = !pto.tensor_view<?x?xf32>}]
// CHECK-DAG: %[[S0:.*]] = tirx.stride %[[V]], 0
// CHECK-DAG: %[[S1:.*]] = tirx.stride %[[V]], 1
// CHECK: tirx.view %[[V]] offset %{{.*}} strides{{ ?}}[%[[S0]], %[[S1]]]
// CHECK-SAME: -> !tirx.buffer<4x16xf32, global, strides = [?, ?]>
pto.kernel @argument(%v: !pto.tensor_view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x16xf32>
  %t = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
}

// -----

// A window begins at the sum of offset times stride.

// CHECK-LABEL: gpu.func @offset
// CHECK-SAME: (%[[P:[^:]*]]: !tirx.buffer<f32, global>, %[[I:[^:]*]]: index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[C64]] : index
// CHECK: %[[O:.*]] = arith.addi %[[ROW]], %[[C8]] : index
// CHECK: tirx.view %[[P]] offset %[[O]] : {{.*}} -> !tirx.buffer<4x16xf32, global, strides = [64, 1]>
pto.kernel @offset(%p: !pto.ptr<f32>, %i: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = make_tensor_view %p, shape = [%c64, %c64] strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %w = partition_view %v, offsets = [%i, %c8], sizes = [%c4, %c16]
     : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<4x16xf32>
  %t = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
}

// -----

// What a window of unknown place needs is checked at run time: it lies inside the view.

// CHECK-LABEL: gpu.func @window_check
// CHECK-SAME: %[[I:[^:]*]]: index) kernel
// CHECK-DAG: arith.cmpi sge, %[[I]], %c0
// CHECK: cf.assert %{{.*}}, "'pto.partition_view' op window leaves the view"
pto.kernel @window_check(%v: !pto.tensor_view<64x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%i, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<64x16xf32> -> !pto.partition_tensor_view<4x16xf32>
}

// -----

// A size that is static in the type is checked at run time if its operand is not a constant.

// CHECK-LABEL: gpu.func @size_check
// CHECK-SAME: %[[N:[^:]*]]: index) kernel
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %c16
// CHECK: cf.assert %[[IS]], "'pto.partition_view' op size differs from the type's"
pto.kernel @size_check(%v: !pto.tensor_view<64x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %n]
     : !pto.tensor_view<64x16xf32> -> !pto.partition_tensor_view<4x16xf32>
}

// -----

// Nothing is checked at run time that is known.

// CHECK-LABEL: gpu.func @no_check
// CHECK-NOT: cf.assert
pto.kernel @no_check(%v: !pto.tensor_view<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c4, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<64x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %t = tload %w : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
}

// -----

// Unit dimensions drop out: rows are dimension 1 and columns dimension 3 here.

// CHECK-LABEL: gpu.func @unit_dimensions
// CHECK-SAME: (%[[V:[^:]*]]: !tirx.buffer
// CHECK-DAG: %[[R:.*]] = tirx.stride %[[V]], 1
// CHECK-DAG: %[[C:.*]] = tirx.stride %[[V]], 3
// CHECK: tirx.view %[[V]] offset %{{.*}} strides{{ ?}}[%[[R]], %[[C]]] : {{.*}} -> !tirx.buffer<4x16xf32, global, strides = [?, ?]>
pto.kernel @unit_dimensions(%v: !pto.tensor_view<1x4x1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0, %c0, %c0, %c0], sizes = [%c1, %c4, %c1, %c16]
     : !pto.tensor_view<1x4x1x16xf32> -> !pto.partition_tensor_view<1x4x1x16xf32>
  %t = tload %w : !pto.partition_tensor_view<1x4x1x16xf32> -> !pto.tile<4x16xf32>
}

// -----

// A window of rank 1 is one row.

// CHECK-LABEL: gpu.func @one_dimension
// CHECK: tirx.copy cta {{.*}} : !tirx.buffer<1x16xf32, global{{.*}}> -> !tirx.buffer<1x16xf32, shared>
pto.kernel @one_dimension(%v: !pto.tensor_view<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %w = partition_view %v, offsets = [%c0], sizes = [%c16]
     : !pto.tensor_view<16xf32> -> !pto.partition_tensor_view<16xf32>
  %t = tload %w : !pto.partition_tensor_view<16xf32> -> !pto.tile<1x16xf32>
}

// -----

// CHECK-LABEL: gpu.func @tensor_view_dim
// CHECK-SAME: (%[[V:[^:]*]]: !tirx.buffer<?x16xf32, global, strides = [?, ?]>) kernel
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[M:.*]] = tirx.dim %[[V]], 0
// CHECK: gpu.printf "%d %d", %[[M]], %[[C16]]
pto.kernel @tensor_view_dim(%v: !pto.tensor_view<?x16xf32>) {
  %m = tensor_view_dim %v, 0 : !pto.tensor_view<?x16xf32>
  %n = tensor_view_dim %v, 1 : !pto.tensor_view<?x16xf32>
  gpu.printf "%d %d", %m, %n : index, index
}
