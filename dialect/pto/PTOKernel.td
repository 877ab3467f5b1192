//===- PTOKernel.td - kernels and the grid -------------------*- tablegen -*-===//
#ifndef PTO_KERNEL_TD
#define PTO_KERNEL_TD

include "PTODialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PTO_KernelOp : PTO_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
    SingleBlockImplicitTerminator<"ReturnOp">,
    OpAsmOpInterface]> {
  let summary = "a kernel in the plain assembly form";
  let description = [{
    A function without results in whose body operations of this dialect are
    written without their `pto.` prefix. Its arguments are pointers, scalars and
    tensor views. The body ends with an implicit `pto.return`.

    ```mlir
    pto.kernel @colprod(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
      ...
      %d = tcolprod %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "pto"; }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
}

def PTO_ReturnOp : PTO_Op<"return", [
    HasParent<"KernelOp">, Pure, ReturnLike, Terminator]> {
  let summary = "the end of a kernel";
  let assemblyFormat = "attr-dict";
}

def PTO_GetBlockIdxOp : PTO_Op<"get_block_idx", [Pure]> {
  let summary = "the index of this CTA in the grid";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def PTO_GetBlockNumOp : PTO_Op<"get_block_num", [Pure]> {
  let summary = "the number of CTAs in the grid";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

#endif // PTO_KERNEL_TD
