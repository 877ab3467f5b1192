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

/// What reductions along rows and columns have in common: the types of `tiles`,
/// source and destination.
static LogicalResult verifyTiles(Operation *op, ElementTypes typesOf,
                                 std::pair<TileDesc, TileDesc> &tiles) {
  FailureOr<Type> dstType = verifyDestination(op, /*inputs=*/1);
  if (failed(dstType))
    return failure();
  tiles = {TileDesc::of(op->getOperand(0).getType()), TileDesc::of(*dstType)};
  auto [src, dst] = tiles;
  if (failed(verifyPlainTile(op, "source", src)) ||
      failed(verifyPlainTile(op, "destination", dst)))
    return failure();
  if (src.elementType != dst.elementType)
    return op->emitOpError()
           << "element types differ: source " << src.elementType
           << ", destination " << dst.elementType;
  return verifyElementType(op, src.elementType, typesOf);
}

static bool differ(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// The constraints of TCOLPROD, which all column reductions share.
static LogicalResult verifyColumnReduction(Operation *op) {
  std::pair<TileDesc, TileDesc> tiles;
  if (failed(verifyTiles(op, reductionTypes, tiles)))
    return failure();
  auto [src, dst] = tiles;
  if (differ(dst.validRows, 1))
    return op->emitOpError()
           << "destination must have 1 valid row, not " << dst.validRows;
  if (differ(src.validCols, dst.validCols))
    return op->emitOpError() << "valid columns differ: source " << src.validCols
                             << ", destination " << dst.validCols;
  return success();
}

static LogicalResult verifyRowReduction(Operation *op, ElementTypes typesOf) {
  std::pair<TileDesc, TileDesc> tiles;
  if (failed(verifyTiles(op, typesOf, tiles)))
    return failure();
  auto [src, dst] = tiles;
  if (differ(dst.validCols, 1))
    return op->emitOpError()
           << "destination must have 1 valid column, not " << dst.validCols;
  if (differ(src.validRows, dst.validRows))
    return op->emitOpError() << "valid rows differ: source " << src.validRows
                             << ", destination " << dst.validRows;
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

#define ROW_REDUCTION(Op, typesOf)                                             \
  ArrayRef<StringRef> Op::getElementTypes(StringRef profile) {                 \
    return typesOf(profile);                                                   \
  }                                                                            \
  ParseResult Op::parse(OpAsmParser &parser, OperationState &result) {         \
    return parseTileOp(parser, result, /*inputs=*/1, /*hasFastMath=*/true,     \
                       /*hasScratch=*/true);                                   \
  }                                                                            \
  void Op::print(OpAsmPrinter &printer) { printTileOp(printer, *this); }       \
  LogicalResult Op::verify() { return verifyRowReduction(*this, typesOf); }

ROW_REDUCTION(TRowProdOp, divisionTypes)
ROW_REDUCTION(TRowSumOp, arithmeticTypes)
ROW_REDUCTION(TRowMaxOp, arithmeticTypes)
ROW_REDUCTION(TRowMinOp, arithmeticTypes)

#undef ROW_REDUCTION
