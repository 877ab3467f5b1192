//===- TIRXDialect.td - the tirx dialect ---------------------*- tablegen -*-===//
#ifndef TIRX_DIALECT_TD
#define TIRX_DIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def TIRX_Dialect : Dialect {
  let name = "tirx";
  let cppNamespace = "::mlir::tirx";
  let summary = "Buffers and the primitives that threads execute on them together";
  let description = [{
    A primitive names the scope that executes it (`thread`, `warp`, `warpgroup`,
    `cta`, `cluster`, `grid`): all threads of that scope reach it and share the
    work. How they share it is left to dispatch, which picks one of the
    primitive's variants. `dispatch = "name"` on an op picks it by hand.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class TIRX_Op<string mnemonic, list<Trait> traits = []>
    : Op<TIRX_Dialect, mnemonic, traits>;

#endif // TIRX_DIALECT_TD
