//===- PTOViews.td - views of global memory ------------------*- tablegen -*-===//
#ifndef PTO_VIEWS_TD
#define PTO_VIEWS_TD

include "PTOTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PTO_MakeTensorViewOp : PTO_Op<"make_tensor_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a pointer with a shape and strides";
  let description = [{
    Strides count elements. A comma before `strides` is optional.

    ```mlir
    %v = pto.make_tensor_view %p, shape = [%m, %n] strides = [%n, %c1]
       : !pto.tensor_view<?x?xf32>
    ```
  }];
  let arguments = (ins PTO_PtrType:$ptr, Variadic<Index>:$shape, Variadic<Index>:$strides);
  let results = (outs PTO_TensorViewType:$view);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_TensorViewDimOp : PTO_Op<"tensor_view_dim", [Pure]> {
  let summary = "the size of a view along one dimension";
  let arguments = (ins PTO_TensorViewType:$view, I64Attr:$dim);
  let results = (outs Index:$size);
  let assemblyFormat = "$view `,` $dim attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
}

def PTO_PartitionViewOp : PTO_Op<"partition_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a window of a view";
  let description = [{
    ```mlir
    %w = pto.partition_view %v, offsets = [%i, %j], sizes = [%r, %c]
       : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    ```
    A size that is static in the result type must be the constant given here.
    The window must lie inside the view.
  }];
  let arguments = (ins PTO_TensorViewType:$source, Variadic<Index>:$offsets, Variadic<Index>:$sizes);
  let results = (outs PTO_PartitionViewType:$window);
  let assemblyFormat = [{
    $source `,` `offsets` `=` `[` $offsets `]` `,` `sizes` `=` `[` $sizes `]`
    attr-dict `:` qualified(type($source)) `->` qualified(type($window))
  }];
  let hasVerifier = 1;
}

#endif // PTO_VIEWS_TD
