//===- PTOMemory.cpp - tiles to and from global memory --------------------===//
#include "pto/PTO.h"

using namespace mlir;
using namespace mlir::pto;

// Profiles restrict arithmetic; data of any width may be moved.
ArrayRef<StringRef> TLoadOp::getElementTypes(StringRef) {
  return allElementTypes();
}
ArrayRef<StringRef> TStoreOp::getElementTypes(StringRef) {
  return allElementTypes();
}

static LogicalResult tooManyDimensions(Operation *op, ArrayRef<int64_t> sizes) {
  auto error = op->emitOpError(
      "takes a window with at most 2 dimensions other than 1; of this one ");
  StringRef separator;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    error << separator << "dimension " << index << " is ";
    if (ShapedType::isDynamic(size))
      error << "?";
    else
      error << size;
    separator = ", ";
  }
  return error;
}

/// What the type of a window says of its sizes, and constants of the others.
static SmallVector<int64_t> knownSizes(Value window) {
  auto type = cast<PartitionTensorViewType>(window.getType());
  SmallVector<int64_t> sizes(type.getShape());
  if (auto view = window.getDefiningOp<PartitionViewOp>())
    if (view.getSizes().size() == sizes.size())
      for (auto [size, operand] : llvm::zip(sizes, view.getSizes()))
        if (ShapedType::isDynamic(size))
          size = constantOf(operand).value_or(ShapedType::kDynamic);
  return sizes;
}

/// The window, unit dimensions aside, has the shape of the valid region.
static LogicalResult verifyTransfer(Operation *op, Type tileType,
                                    Value windowValue) {
  auto window = cast<PartitionTensorViewType>(windowValue.getType());
  TileDesc tile = TileDesc::of(tileType);
  if (tile.space != TileSpace::Vec)
    return op->emitOpError() << "moves tiles of space 'vec', not '"
                             << stringifyTileSpace(tile.space) << "'";
  // One column lies in memory as it does row by row.
  bool isRowMajor = tile.blayout == BoxLayout::RowMajor || tile.cols == 1;
  if (!isRowMajor || tile.slayout != BoxLayout::NoneBox)
    return op->emitOpError(
        "moves row-major tiles without boxes (blayout=row_major, "
        "slayout=none_box)");
  if (tile.elementType != window.getElementType())
    return op->emitOpError() << "moves between a tile of " << tile.elementType
                             << " and a window of " << window.getElementType();
  if (failed(verifyElementType(op, tile.elementType, TLoadOp::getElementTypes)))
    return failure();
  SmallVector<int64_t> shape;
  SmallVector<int64_t> sizes = knownSizes(windowValue);
  // The last two dimensions are rows and columns even if they are 1; before
  // them, a dimension of 1 is no dimension.
  for (auto [index, size] : llvm::enumerate(sizes))
    if (size != 1 || index + 2 >= sizes.size())
      shape.push_back(size);
  while (shape.size() > 2 && llvm::is_contained(shape, 1))
    shape.erase(llvm::find(shape, 1));
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  if (shape.size() > 2)
    return tooManyDimensions(op, sizes);
  for (auto [what, valid, size] :
       {std::tuple("rows", tile.validRows, shape[0]),
        std::tuple("columns", tile.validCols, shape[1])})
    if (!ShapedType::isDynamic(valid) && !ShapedType::isDynamic(size) &&
        valid != size)
      return op->emitOpError() << "the window has " << size << " " << what
                               << ", the tile's valid region " << valid;
  return success();
}

ParseResult TLoadOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseTileOp(parser, result, /*inputs=*/1, /*hasFastMath=*/false);
}

void TLoadOp::print(OpAsmPrinter &printer) { printTileOp(printer, *this); }

LogicalResult TLoadOp::verify() {
  if (bool(getDst()) == bool(getResult()))
    return emitOpError("has either a result or a tile in 'outs'");
  Type tile = getDst() ? Type(getDst().getType()) : Type(getResult().getType());
  return verifyTransfer(*this, tile, getSrc());
}

ParseResult TStoreOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tile, window;
  OptionalParseResult isValueForm = parser.parseOptionalOperand(tile);
  if (!isValueForm.has_value())
    return parseTileOp(parser, result, /*inputs=*/1, /*hasFastMath=*/false);
  Type tileType, windowType;
  return failure(*isValueForm || parser.parseComma() ||
                 parser.parseOperand(window) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 parser.parseColonType(tileType) || parser.parseComma() ||
                 parser.parseType(windowType) ||
                 parser.resolveOperand(tile, tileType, result.operands) ||
                 parser.resolveOperand(window, windowType, result.operands));
}

void TStoreOp::print(OpAsmPrinter &printer) {
  if (isa<TileBufType>(getSrc().getType()))
    return printTileOp(printer, *this);
  printer << " " << getSrc() << ", " << getDst();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getSrc().getType() << ", " << getDst().getType();
}

LogicalResult TStoreOp::verify() {
  std::optional<StringRef> atomic = getAtomicType();
  if (atomic && !llvm::is_contained({"add", "max", "min"}, *atomic))
    return emitOpError() << "has atomicType \"" << *atomic
                         << "\"; it is \"add\", \"max\" or \"min\"";
  return verifyTransfer(*this, getSrc().getType(), getDst());
}
