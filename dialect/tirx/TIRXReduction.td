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
    dimension has at least one element. The order of combination is open unless
    `strict` asks for a left fold in increasing index, rounded to the element
    type at every step.

    ```mlir
    tirx.}] # mnemonic # [{ cta %src -> %dst axes [0] {strict}
      : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec,
    Arg<TIRX_BufferType, "", [MemRead]>:$src, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    DenseI64ArrayAttr:$axes, UnitAttr:$strict, OptionalAttr<StrAttr>:$dispatch);
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
