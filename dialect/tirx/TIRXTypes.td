//===- TIRXTypes.td - buffers and their layouts --------------*- tablegen -*-===//
#ifndef TIRX_TYPES_TD
#define TIRX_TYPES_TD

include "TIRXDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TIRX_MemoryScope : I32EnumAttr<"MemoryScope", "where a buffer lives", [
    I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">]> {
  let cppNamespace = "::mlir::tirx";
  let genSpecializedAttr = 0;
}

def TIRX_ExecScope : I32EnumAttr<"ExecScope", "who executes a primitive", [
    I32EnumAttrCase<"Thread", 0, "thread">, I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Warpgroup", 2, "warpgroup">, I32EnumAttrCase<"Cta", 3, "cta">,
    I32EnumAttrCase<"Cluster", 4, "cluster">, I32EnumAttrCase<"Grid", 5, "grid">]> {
  let cppNamespace = "::mlir::tirx";
}

def TIRX_LayoutAttr : AttrDef<TIRX_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "where the elements of a buffer lie";
  let description = [{
    `#tirx.layout<strides = [16, 1]>`: the distance in elements along each
    dimension; `?` is known at run time.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// `strides = [...]`, as written inside `#tirx.layout<...>` and in types.
    static ::mlir::FailureOr<::mlir::tirx::LayoutAttr>
    parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def TIRX_BufferType : TypeDef<TIRX_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "an array in one kind of memory";
  let description = [{
    `!tirx.buffer<128x64xf16, shared>`, or with a layout other than row-major
    `!tirx.buffer<?x?xf32, global, strides = [?, 1]>`. A kernel argument
    `!tirx.buffer<f32, global>` is a plain pointer.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
    EnumParameter<TIRX_MemoryScope>:$scope, "::mlir::tirx::LayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The strides of the layout, those of a row-major array without one.
    ::llvm::SmallVector<int64_t> getStrides() const;
  }];
}

#endif // TIRX_TYPES_TD
