//===- PTOReduction.cpp - reductions of tiles -----------------------------===//
#include "pto/PTO.h"

using namespace mlir;
using namespace mlir::pto;

static ArrayRef<StringRef> reductionTypes(StringRef profile) {
  static const StringRef a2a3[] = {"f16", "f32", "i16", "i32"};
  static const StringRef a5[] = {"f16",  "f32", "bf16", "i16",
                                 "ui16", "i32", "ui32"};
  if (profile == "a2a3")
    return a2a3;
  if (profile == "a5")
    return a5;
  return allElementTypes();
}

/// The constraints of TCOLPROD, which all column reductions share.
static LogicalResult verifyColumnReduction(Operation *op) {
  FailureOr<Type> dstType = verifyDestination(op, /*inputs=*/1);
  if (failed(dstType))
    return failure();
  TileDesc src = TileDesc::of(op->getOperand(0).getType());
  TileDesc dst = TileDesc::of(*dstType);
  if (failed(verifyPlainTile(op, "source", src)) ||
      failed(verifyPlainTile(op, "destination", dst)))
    return failure();
  if (src.elementType != dst.elementType)
    return op->emitOpError()
           << "element types differ: source " << src.elementType
           << ", destination " << dst.elementType;
  if (failed(verifyElementType(op, src.elementType, reductionTypes)))
    return failure();
  if (!ShapedType::isDynamic(dst.validRows) && dst.validRows != 1)
    return op->emitOpError()
           << "destination must have 1 valid row, not " << dst.validRows;
  if (!ShapedType::isDynamic(src.validCols) &&
      !ShapedType::isDynamic(dst.validCols) && src.validCols != dst.validCols)
    return op->emitOpError() << "valid columns differ: source " << src.validCols
                             << ", destination " << dst.validCols;
  return success();
}

#define COLUMN_REDUCTION(Op)                                                   \
  ArrayRef<StringRef> Op::getElementTypes(StringRef profile) {                 \
    return reductionTypes(profile);                                            \
  }                                                                            \
  ParseResult Op::parse(OpAsmParser &parser, OperationState &result) {         \
    return parseTileOp(parser, result, /*inputs=*/1, /*hasFastMath=*/true);    \
  }                                                                            \
  void Op::print(OpAsmPrinter &printer) { printTileOp(printer, *this); }       \
  LogicalResult Op::verify() { return verifyColumnReduction(*this); }

COLUMN_REDUCTION(TColProdOp)
COLUMN_REDUCTION(TColSumOp)
COLUMN_REDUCTION(TColMaxOp)
COLUMN_REDUCTION(TColMinOp)

#undef COLUMN_REDUCTION
