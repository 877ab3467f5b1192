// RUN: pto-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: pto-opt --split-input-file --mlir-print-op-generic %s | pto-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @make_tensor_view
// CHECK-SAME: %[[P:[^:]*]]: !pto.ptr<f32>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[S:[^:]*]]: index
// CHECK: pto.make_tensor_view %[[P]], shape = [%[[M]], %[[N]]] strides = [%[[N]], %[[S]]] : !pto.tensor_view<?x?xf32>
func.func @make_tensor_view(%p: !pto.ptr<f32>, %m: index, %n: index, %s: index) {
  %v = pto.make_tensor_view %p, shape = [%m, %n] strides = [%n, %s] : !pto.tensor_view<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @comma_before_strides
// CHECK: pto.make_tensor_view %{{.*}}, shape = [%{{.*}}] strides = [%{{.*}}] : !pto.tensor_view<?xf32>
func.func @comma_before_strides(%p: !pto.ptr<f32>, %n: index) {
  %v = pto.make_tensor_view %p, shape = [%n], strides = [%n] : !pto.tensor_view<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @static_shape
// CHECK: pto.make_tensor_view {{.*}} : !pto.tensor_view<16x?xbf16>
func.func @static_shape(%p: !pto.ptr<bf16>, %n: index) {
  %c16 = arith.constant 16 : index
  %v = pto.make_tensor_view %p, shape = [%c16, %n] strides = [%n, %n] : !pto.tensor_view<16x?xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @tensor_view_dim
// CHECK: pto.tensor_view_dim %{{.*}}, 1 : !pto.tensor_view<?x?xf32>
func.func @tensor_view_dim(%v: !pto.tensor_view<?x?xf32>) -> index {
  %n = pto.tensor_view_dim %v, 1 : !pto.tensor_view<?x?xf32>
  return %n : index
}

// -----

// CHECK-LABEL: func.func @partition_view
// CHECK-SAME: %[[V:[^:]*]]: !pto.tensor_view<?x?xf32>, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index
// CHECK: pto.partition_view %[[V]], offsets = [%[[I]], %[[J]]], sizes = [%{{.*}}, %[[J]]]
// CHECK-SAME: : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x?xf32>
func.func @partition_view(%v: !pto.tensor_view<?x?xf32>, %i: index, %j: index) {
  %c16 = arith.constant 16 : index
  %w = pto.partition_view %v, offsets = [%i, %j], sizes = [%c16, %j]
     : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x?xf32>
  return
}

// -----

// A size that is static in the type need not be a constant: it is checked at run time.

// CHECK-LABEL: func.func @static_size_not_constant
// CHECK-SAME: %[[V:[^:]*]]: !pto.tensor_view<?xf32>, %[[I:[^:]*]]: index
// CHECK: pto.partition_view %[[V]], offsets = [%[[I]]], sizes = [%[[I]]] : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<16xf32>
func.func @static_size_not_constant(%v: !pto.tensor_view<?xf32>, %i: index) {
  %w = pto.partition_view %v, offsets = [%i], sizes = [%i]
     : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @five_dimensions
// CHECK: pto.partition_view {{.*}} : !pto.tensor_view<?x?x?x?x?xf32> -> !pto.partition_tensor_view<?x?x?x?x?xf32>
func.func @five_dimensions(%v: !pto.tensor_view<?x?x?x?x?xf32>, %n: index) {
  %w = pto.partition_view %v, offsets = [%n, %n, %n, %n, %n], sizes = [%n, %n, %n, %n, %n]
     : !pto.tensor_view<?x?x?x?x?xf32> -> !pto.partition_tensor_view<?x?x?x?x?xf32>
  return
}

// -----

// Attributes that the dialect does not know are kept.

// CHECK-LABEL: func.func @unknown_attribute
// CHECK: pto.make_tensor_view {{.*}} {layout = "nd"} : !pto.tensor_view<?xf32>
func.func @unknown_attribute(%p: !pto.ptr<f32>, %n: index) {
  %v = pto.make_tensor_view %p, shape = [%n] strides = [%n] {layout = "nd"} : !pto.tensor_view<?xf32>
  return
}

// -----

// What a program calls the layout of a view is kept; its strides are what holds. So are attributes
// that mean nothing here.

// CHECK-LABEL: func.func @layout
// CHECK: pto.make_tensor_view {{.*}} {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
// CHECK: pto.make_tensor_view {{.*}} {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xf32>
// CHECK: pto.partition_view {{.*}} {hint = "streamed", layout = #pto.layout<nz>}
func.func @layout(%p: !pto.ptr<f32>, %m: index, %n: index, %one: index) {
  %v = pto.make_tensor_view %p, shape = [%m, %n] strides = [%n, %one] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
  %w = pto.make_tensor_view %p, shape = [%m, %n], strides = [%one, %m] {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xf32>
  %u = pto.partition_view %v, offsets = [%one, %one], sizes = [%one, %n] {hint = "streamed", layout = #pto.layout<nz>} : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  return
}
