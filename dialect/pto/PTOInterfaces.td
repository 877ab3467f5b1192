//===- PTOInterfaces.td - what the tools ask of every tile op ---*- tablegen -*-===//
#ifndef PTO_INTERFACES_TD
#define PTO_INTERFACES_TD

include "PTODialect.td"

def PTO_TileOpInterface : OpInterface<"TileOpInterface"> {
  let cppNamespace = "::mlir::pto";
  let description = "An operation that computes on tiles.";
  let methods = [StaticInterfaceMethod<[{
      The element types admitted by a profile (`a2a3`, `a5`; empty: no profile),
      spelled as in the IR.
    }], "::llvm::ArrayRef<::llvm::StringRef>", "getElementTypes",
    (ins "::llvm::StringRef":$profile)>];
}

#endif // PTO_INTERFACES_TD
