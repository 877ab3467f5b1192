//===- TIRXReduction.td - reductions over axes ---------------*- tablegen -*-===//
#ifndef TIRX_REDUCTION_TD
#define TIRX_REDUCTION_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TIRX_Reduction<string mnemonic, string what> : TIRX_Op<mnemonic> {
  let summary = what;
  let description = [{
    Reduces `src` over `axes` (counted from 0) into `dst`, which has the other
    dimensions, and 1 or nothing in place of the reduced ones. Every reduced
    dimension has at least one element.

    - `accum`: the old value of `dst` is one more operand.
    - `strict`: a left fold in increasing index, rounded to the element type at
      every step. Otherwise the order of combination is open.
    - `accumulate = f16`: the type of partial results. Without it, and without
      `strict`, sums and products of f16 and bf16 have f32 partial results and are
      rounded once.
    - `propagate_nan`: `max` and `min` are NaN if an element is. Otherwise they are
      the largest or smallest number, and NaN only if every element is.
    - `ftz`: subnormal operands and results of every f32 operation become zero.

    ```mlir
    tirx.}] # mnemonic # [{ cta %src -> %dst axes [0] {strict}
      : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec,
    Arg<TIRX_BufferType, "", [MemRead]>:$src, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    DenseI64ArrayAttr:$axes, UnitAttr:$accum, UnitAttr:$strict,
    OptionalAttr<TypeAttr>:$accumulate, UnitAttr:$propagate_nan, UnitAttr:$ftz,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $src `->` $dst `axes` $axes attr-dict `:` qualified(type($src)) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_SumOp : TIRX_Reduction<"sum", "the sum over axes">;
def TIRX_ProdOp : TIRX_Reduction<"prod", "the product over axes">;
def TIRX_MaxOp : TIRX_Reduction<"max", "the largest element over axes">;
def TIRX_MinOp : TIRX_Reduction<"min", "the smallest element over axes">;

#endif // TIRX_REDUCTION_TD
