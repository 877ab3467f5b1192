//===- PTODialect.td - the pto dialect -----------------------*- tablegen -*-===//
#ifndef PTO_DIALECT_TD
#define PTO_DIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def PTO_Dialect : Dialect {
  let name = "pto";
  let cppNamespace = "::mlir::pto";
  let summary = "Programs made of operations on tiles";
  let description = [{
    A tile is a small matrix that lives in one memory space of a core. Programs
    load tiles from views of global memory, compute on them and store them.

    Attributes on the module: `pto.target` (the chip, `"sm_90a"`) and
    `pto.profile` (`"a2a3"` or `"a5"`: admit only that profile's element types).
    Attributes on a kernel: `pto.grid` (the default number of CTAs) and
    `pto.block` (threads per CTA).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class PTO_Op<string mnemonic, list<Trait> traits = []>
    : Op<PTO_Dialect, mnemonic, traits>;

#endif // PTO_DIALECT_TD
