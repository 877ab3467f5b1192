//===- PTOElementwise.cpp - tiles combined element by element -------------===//
#include "pto/PTO.h"

using namespace mlir;
using namespace mlir::pto;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

// The published specification lists the types of an instruction once, for all
// profiles. Without a profile every type is admitted that a GPU can do.

static const StringRef integers[] = {"i8",  "i16",  "i32",  "i64",
                                     "ui8", "ui16", "ui32", "ui64"};

ArrayRef<StringRef> pto::allTypes(StringRef) { return allElementTypes(); }

ArrayRef<StringRef> pto::arithmeticTypes(StringRef profile) {
  static const StringRef isa[] = {"f16", "bf16", "f32",  "i8",  "i16",
                                  "i32", "ui8",  "ui16", "ui32"};
  return profile.empty() ? allElementTypes() : isa;
}

ArrayRef<StringRef> pto::fusedTypes(StringRef profile) {
  static const StringRef isa[] = {"f16", "bf16", "f32"};
  return profile.empty() ? allElementTypes() : isa;
}

ArrayRef<StringRef> pto::divisionTypes(StringRef profile) {
  static const StringRef isa[] = {"f16", "bf16", "f32", "i16",
                                  "i32", "ui16", "ui32"};
  return profile.empty() ? allElementTypes() : isa;
}

ArrayRef<StringRef> pto::bitTypes(StringRef) { return integers; }

ArrayRef<StringRef> pto::absoluteTypes(StringRef profile) {
  return fusedTypes(profile);
}

ArrayRef<StringRef> pto::negationTypes(StringRef profile) {
  static const StringRef isa[] = {"f16", "bf16", "f32", "i8", "i16", "i32"};
  return profile.empty() ? allElementTypes() : isa;
}

ArrayRef<StringRef> pto::rectifierTypes(StringRef profile) {
  static const StringRef isa[] = {"f16", "bf16", "f32", "i32"};
  return profile.empty() ? allElementTypes() : isa;
}

ArrayRef<StringRef> pto::floatTypes(StringRef profile) {
  static const StringRef gpu[] = {"f16", "bf16", "f32", "f64"};
  return profile.empty() ? ArrayRef<StringRef>(gpu) : fusedTypes(profile);
}

ArrayRef<StringRef> pto::sequenceTypes(StringRef profile) {
  static const StringRef isa[] = {"i16", "i32", "ui16", "ui32"};
  return profile.empty() ? ArrayRef<StringRef>(integers) : isa;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

FailureOr<Type> pto::verifyDestination(Operation *op, size_t inputs) {
  if (op->getNumOperands() + op->getNumResults() != inputs + 1)
    return op->emitOpError("has either a result or a tile in 'outs'");
  Type dst = op->getNumResults() ? op->getResult(0).getType()
                                 : op->getOperand(inputs).getType();
  for (Type type : op->getOperands().take_front(inputs).getTypes())
    if (isa<TileType, TileBufType>(type) &&
        isa<TileBufType>(type) != isa<TileBufType>(dst))
      return op->emitOpError(
          "takes tile values or tile buffers, not one of each");
  return dst;
}

LogicalResult pto::verifyPlainTile(Operation *op, StringRef what,
                                   TileDesc tile) {
  if (tile.space != TileSpace::Vec)
    return op->emitOpError() << what << " must be a tile of space 'vec', not '"
                             << stringifyTileSpace(tile.space) << "'";
  // One column lies in memory as it does row by row.
  bool isRowMajor = tile.blayout == BoxLayout::RowMajor || tile.cols == 1;
  if (!isRowMajor || tile.slayout != BoxLayout::NoneBox)
    return op->emitOpError()
           << what << " must be row-major without boxes (blayout=row_major, "
           << "slayout=none_box)";
  return success();
}

static bool differ(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

static LogicalResult verifySameElements(Operation *op, TileDesc src,
                                        TileDesc dst) {
  if (src.elementType != dst.elementType)
    return op->emitOpError()
           << "element types differ: source " << src.elementType
           << ", destination " << dst.elementType;
  return success();
}

static LogicalResult verifySameRegion(Operation *op, TileDesc src,
                                      TileDesc dst) {
  for (auto [what, mine, its] :
       {std::tuple("rows", src.validRows, dst.validRows),
        std::tuple("columns", src.validCols, dst.validCols)})
    if (differ(mine, its))
      return op->emitOpError() << "valid " << what << " differ: source " << mine
                               << ", destination " << its;
  return success();
}

static bool isTile(Type type) { return isa<TileType, TileBufType>(type); }

/// A scalar input has the element type, without a sign.
static LogicalResult verifyScalar(Operation *op, Type type, TileDesc dst) {
  Type expected = dst.elementType;
  if (auto integer = dyn_cast<IntegerType>(expected))
    expected = IntegerType::get(op->getContext(), integer.getWidth());
  if (type == expected)
    return success();
  return op->emitOpError() << "takes a scalar of type " << expected
                           << " beside a tile of " << dst.elementType
                           << ", not " << type;
}

/// The tiles among the inputs, each of which is called the source, and scalars.
static LogicalResult verifySources(Operation *op, ValueRange inputs,
                                   TileDesc dst) {
  for (Type type : inputs.getTypes()) {
    if (!isTile(type)) {
      if (failed(verifyScalar(op, type, dst)))
        return failure();
      continue;
    }
    TileDesc src = TileDesc::of(type);
    if (failed(verifyPlainTile(op, "source", src)) ||
        failed(verifySameElements(op, src, dst)) ||
        failed(verifySameRegion(op, src, dst)))
      return failure();
  }
  return success();
}

static LogicalResult verifyOneTile(Operation *op, ValueRange inputs) {
  if (llvm::count_if(inputs.getTypes(), isTile) == 1)
    return success();
  return op->emitOpError("takes one tile and one scalar, in either order");
}

LogicalResult pto::verifyTileScalar(Operation *op, size_t inputs,
                                    ElementTypes typesOf) {
  if (failed(verifyDestination(op, inputs)) ||
      failed(verifyOneTile(op, op->getOperands().take_front(inputs))))
    return failure();
  return verifyElementwise(op, inputs, typesOf);
}

/// One valid row with the columns of `tile`, or one valid column with its rows.
static LogicalResult verifyLine(Operation *op, TileDesc line, TileDesc tile,
                                bool isRow) {
  StringRef what = isRow ? "row" : "column";
  int64_t count = isRow ? line.validRows : line.validCols;
  if (differ(count, 1))
    return op->emitOpError() << "expands 1 valid " << what << ", not " << count;
  int64_t length = isRow ? line.validCols : line.validRows;
  int64_t expected = isRow ? tile.validCols : tile.validRows;
  if (differ(length, expected))
    return op->emitOpError()
           << "valid " << (isRow ? "columns" : "rows") << " differ: " << what
           << " " << length << ", destination " << expected;
  return success();
}

/// All inputs but the last one are as in elementwise ops; that one is a row or
/// a column. If it `widens`, f16 and bf16 may become f32.
static LogicalResult verifyExpansion(Operation *op, size_t inputs,
                                     ElementTypes typesOf, bool isRow,
                                     bool widens) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  TileDesc dst = TileDesc::of(*type);
  TileDesc last = TileDesc::of(op->getOperand(inputs - 1).getType());
  Type element = TileDesc::of(op->getOperand(0).getType()).elementType;
  if (widens && dst.elementType.isF32() && element == last.elementType &&
      (element.isF16() || element.isBF16()))
    dst.elementType = element;
  if (failed(verifyPlainTile(op, "destination", dst)) ||
      failed(
          verifySources(op, op->getOperands().take_front(inputs - 1), dst)) ||
      failed(verifyPlainTile(op, "source", last)) ||
      failed(verifySameElements(op, last, dst)) ||
      failed(verifyLine(op, last, dst, isRow)))
    return failure();
  return verifyElementType(op, dst.elementType, typesOf);
}

LogicalResult pto::verifyRowExpansion(Operation *op, size_t inputs,
                                      ElementTypes typesOf) {
  return verifyExpansion(op, inputs, typesOf, /*isRow=*/false,
                         /*widens=*/false);
}

LogicalResult pto::verifyColExpansion(Operation *op, size_t inputs,
                                      ElementTypes typesOf) {
  return verifyExpansion(op, inputs, typesOf, /*isRow=*/true, /*widens=*/false);
}

LogicalResult pto::verifyRowPower(Operation *op, size_t inputs,
                                  ElementTypes typesOf) {
  return verifyExpansion(op, inputs, typesOf, /*isRow=*/false, /*widens=*/true);
}

LogicalResult pto::verifyColPower(Operation *op, size_t inputs,
                                  ElementTypes typesOf) {
  return verifyExpansion(op, inputs, typesOf, /*isRow=*/true, /*widens=*/true);
}

LogicalResult pto::verifyElementwise(Operation *op, size_t inputs,
                                     ElementTypes typesOf) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  TileDesc dst = TileDesc::of(*type);
  if (failed(verifyPlainTile(op, "destination", dst)) ||
      failed(verifyElementType(op, dst.elementType, typesOf)))
    return failure();
  return verifySources(op, op->getOperands().take_front(inputs), dst);
}

/// Source and destination are plain tiles of one element type.
static LogicalResult verifyPair(Operation *op, size_t inputs,
                                ElementTypes typesOf,
                                std::pair<TileDesc, TileDesc> &tiles) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  tiles = {TileDesc::of(op->getOperand(0).getType()), TileDesc::of(*type)};
  auto [src, dst] = tiles;
  if (failed(verifyPlainTile(op, "source", src)) ||
      failed(verifyPlainTile(op, "destination", dst)) ||
      failed(verifySameElements(op, src, dst)))
    return failure();
  return verifyElementType(op, dst.elementType, typesOf);
}

LogicalResult pto::verifyTranspose(Operation *op, size_t inputs,
                                   ElementTypes typesOf) {
  std::pair<TileDesc, TileDesc> tiles;
  if (failed(verifyPair(op, inputs, typesOf, tiles)))
    return failure();
  auto [src, dst] = tiles;
  std::swap(src.validRows, src.validCols);
  return verifySameRegion(op, src, dst);
}

LogicalResult pto::verifyFillPad(Operation *op, size_t inputs,
                                 ElementTypes typesOf) {
  std::pair<TileDesc, TileDesc> tiles;
  if (failed(verifyPair(op, inputs, typesOf, tiles)))
    return failure();
  auto [src, dst] = tiles;
  if (dst.pad == 0)
    return op->emitOpError(
        "fills a destination that has a pad value: pad=1 (zero), 2 (largest) "
        "or 3 (smallest)");
  for (auto [what, mine, its] :
       {std::tuple("rows", src.validRows, dst.validRows),
        std::tuple("columns", src.validCols, dst.validCols)})
    if (differ(mine, its) && mine > its)
      return op->emitOpError() << "source has " << mine << " valid " << what
                               << ", more than the destination's " << its;
  return success();
}

/// A mask has a row of bytes for each row of `tile`, and bits for its columns.
static LogicalResult verifyMask(Operation *op, TileDesc mask, TileDesc tile) {
  if (failed(verifyPlainTile(op, "mask", mask)))
    return failure();
  if (!mask.elementType.isInteger(8))
    return op->emitOpError()
           << "takes a mask of i8 or ui8, not of " << mask.elementType;
  if (differ(mask.validRows, tile.validRows))
    return op->emitOpError() << "valid rows differ: mask " << mask.validRows
                             << ", tile " << tile.validRows;
  if (!ShapedType::isDynamic(mask.validCols) &&
      !ShapedType::isDynamic(tile.validCols) &&
      mask.validCols * 8 < tile.validCols)
    return op->emitOpError()
           << "has " << mask.validCols * 8 << " bits in a row of the mask for "
           << tile.validCols << " columns";
  return success();
}

LogicalResult pto::verifyCompare(Operation *op, size_t inputs,
                                 ElementTypes typesOf) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  // Among the inputs the first tile plays the part of the destination.
  ValueRange sources = op->getOperands().take_front(inputs);
  auto tile = llvm::find_if(sources.getTypes(), isTile);
  if (tile == sources.getTypes().end())
    return op->emitOpError("compares at least one tile");
  TileDesc src = TileDesc::of(*tile);
  if (failed(verifySources(op, sources, src)) ||
      failed(verifyElementType(op, src.elementType, typesOf)))
    return failure();
  return verifyMask(op, TileDesc::of(*type), src);
}

LogicalResult pto::verifySelect(Operation *op, size_t inputs,
                                ElementTypes typesOf) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  TileDesc dst = TileDesc::of(*type);
  if (failed(verifyPlainTile(op, "destination", dst)) ||
      failed(verifySources(op, op->getOperands().slice(1, inputs - 1), dst)) ||
      failed(verifyElementType(op, dst.elementType, typesOf)))
    return failure();
  return verifyMask(op, TileDesc::of(op->getOperand(0).getType()), dst);
}

LogicalResult pto::verifyConversion(Operation *op, size_t inputs,
                                    ElementTypes typesOf) {
  FailureOr<Type> type = verifyDestination(op, inputs);
  if (failed(type))
    return failure();
  TileDesc src = TileDesc::of(op->getOperand(0).getType());
  TileDesc dst = TileDesc::of(*type);
  if (failed(verifyPlainTile(op, "source", src)) ||
      failed(verifyPlainTile(op, "destination", dst)) ||
      failed(verifySameRegion(op, src, dst)) ||
      failed(verifyElementType(op, src.elementType, typesOf)))
    return failure();
  return verifyElementType(op, dst.elementType, typesOf);
}

LogicalResult pto::verifySequence(Operation *op, size_t inputs,
                                  ElementTypes typesOf) {
  if (failed(verifyElementwise(op, inputs, typesOf)))
    return failure();
  TileDesc dst = TileDesc::of(*verifyDestination(op, inputs));
  if (isTile(op->getOperand(0).getType()))
    return op->emitOpError("starts at a scalar, not at a tile");
  if (differ(dst.validRows, 1))
    return op->emitOpError() << "gives 1 valid row, not " << dst.validRows;
  return success();
}
