//===- PTOTiles.cpp - storage and valid regions of tiles ------------------===//
#include "pto/PTO.h"

using namespace mlir;
using namespace mlir::pto;

//===----------------------------------------------------------------------===//
// alloc_tile
//===----------------------------------------------------------------------===//

ParseResult AllocTileOp::parse(OpAsmParser &parser, OperationState &result) {
  Type index = parser.getBuilder().getIndexType();
  const StringRef keywords[] = {"addr", "valid_row", "valid_col"};
  std::optional<OpAsmParser::UnresolvedOperand> given[3];
  // In any order, with or without commas between them.
  bool hasComma = false;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&keyword, keywords))) {
    auto &operand = given[llvm::find(keywords, keyword) - keywords];
    if (operand)
      return parser.emitError(loc) << "'" << keyword << "' is given twice";
    if (parser.parseEqual() || parser.parseOperand(operand.emplace()))
      return failure();
    hasComma = succeeded(parser.parseOptionalComma());
    loc = parser.getCurrentLocation();
  }
  if (hasComma)
    return parser.emitError(loc, "expected addr, valid_row or valid_col");
  const Type types[] = {parser.getBuilder().getI64Type(), index, index};
  SmallVector<int32_t> segments;
  for (auto [operand, type] : llvm::zip(given, types)) {
    segments.push_back(operand.has_value());
    if (operand && parser.resolveOperand(*operand, type, result.operands))
      return failure();
  }
  Type type;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.getOrAddProperties<Properties>().setOperandSegmentSizes(segments);
  result.addTypes(type);
  return success();
}

void AllocTileOp::print(OpAsmPrinter &printer) {
  for (auto [keyword, operand] :
       {std::pair<StringRef, Value>{"addr", getAddr()},
        {"valid_row", getValidRow()},
        {"valid_col", getValidCol()}})
    if (operand)
      printer << " " << keyword << " = " << operand;
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : " << getTile().getType();
}

/// A valid dimension is given by an operand exactly where the type says `?`.
static LogicalResult verifyValid(Operation *op, StringRef keyword,
                                 Value operand, int64_t valid, int64_t size) {
  if (ShapedType::isDynamic(valid) != bool(operand)) {
    auto error = op->emitOpError();
    if (operand)
      return error << "has '" << keyword << "', but the type fixes it to "
                   << valid;
    return error << "needs '" << keyword << "': the type says ?";
  }
  if (std::optional<int64_t> given = constantOf(operand))
    if (*given < 0 || *given > size)
      return op->emitOpError()
             << "'" << keyword << "' " << *given << " is outside 0 to " << size
             << ", the tile's size";
  return success();
}

static LogicalResult verifyAddress(Operation *op, int64_t address, Type type) {
  // Elements are at most 8 bytes; PTO addresses count bytes of the space.
  int64_t bytes = TileDesc::of(type).elementType.getIntOrFloatBitWidth() / 8;
  if (address < 0)
    return op->emitOpError() << "address " << address << " is negative";
  if (bytes && address % bytes)
    return op->emitOpError()
           << "address " << address << " is not a multiple of the element's "
           << bytes << " bytes";
  return success();
}

LogicalResult AllocTileOp::verify() {
  TileDesc tile = TileDesc::of(getTile().getType());
  if (std::optional<int64_t> address = constantOf(getAddr()))
    if (failed(verifyAddress(*this, *address, getTile().getType())))
      return failure();
  if (failed(verifyValid(*this, "valid_row", getValidRow(), tile.validRows,
                         tile.rows)))
    return failure();
  return verifyValid(*this, "valid_col", getValidCol(), tile.validCols,
                     tile.cols);
}

//===----------------------------------------------------------------------===//
// subview
//===----------------------------------------------------------------------===//

LogicalResult SubviewOp::verify() {
  TileDesc tile = TileDesc::of(getSource().getType());
  TileDesc window = TileDesc::of(getWindow().getType());
  if (failed(verifyPlainTile(*this, "source", tile)) ||
      failed(verifyPlainTile(*this, "window", window)))
    return failure();
  if (window.elementType != tile.elementType)
    return emitOpError() << "makes a window of " << window.elementType
                         << " of a tile of " << tile.elementType;
  if (getSizes() != ArrayRef<int64_t>{window.rows, window.cols})
    return emitOpError() << "has sizes [" << getSizes()
                         << "], but the type says " << window.rows << "x"
                         << window.cols;
  for (auto [what, operand, size, extent] :
       {std::tuple("rows", getRowOffset(), window.rows, tile.rows),
        std::tuple("columns", getColOffset(), window.cols, tile.cols)}) {
    std::optional<int64_t> offset = constantOf(operand);
    if (!offset)
      offset = 0;
    if (*offset < 0 || *offset + size > extent)
      return emitOpError() << "window of " << what << " " << *offset << " to "
                           << *offset + size << " leaves the tile, which has "
                           << extent;
  }
  if (failed(verifyValid(*this, "valid_row", getValidRow(), window.validRows,
                         window.rows)))
    return failure();
  return verifyValid(*this, "valid_col", getValidCol(), window.validCols,
                     window.cols);
}

//===----------------------------------------------------------------------===//
// tassign
//===----------------------------------------------------------------------===//

ParseResult TAssignOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr space;
  int64_t address;
  if (parseDefinedOperand(parser, result.operands) || parser.parseComma())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseSymbolName(space) || parser.parseLParen() ||
      parser.parseInteger(address) || parser.parseRParen())
    return failure();
  if (space != "tile")
    return parser.emitError(loc)
           << "an address is written @tile(ADDRESS), not @" << space.getValue();
  result.addAttribute("address",
                      parser.getBuilder().getI64IntegerAttr(address));
  return failure(parser.parseOptionalAttrDict(result.attributes) ||
                 parseOptionalType(parser, result.operands.front()));
}

void TAssignOp::print(OpAsmPrinter &printer) {
  printer << " " << getTile() << ", @tile(0x";
  printer.getStream() << llvm::utohexstr(getAddress());
  printer << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"address"});
}

LogicalResult TAssignOp::verify() {
  return verifyAddress(*this, getAddress(), getTile().getType());
}

//===----------------------------------------------------------------------===//
// set_validshape
//===----------------------------------------------------------------------===//

ParseResult SetValidShapeOp::parse(OpAsmParser &parser,
                                   OperationState &result) {
  OpAsmParser::UnresolvedOperand row, col;
  Type index = parser.getBuilder().getIndexType();
  if (parseDefinedOperand(parser, result.operands) || parser.parseComma() ||
      parser.parseOperand(row) || parser.parseComma() ||
      parser.parseOperand(col) ||
      parser.resolveOperand(row, index, result.operands) ||
      parser.resolveOperand(col, index, result.operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return parseOptionalType(parser, result.operands.front());
}

void SetValidShapeOp::print(OpAsmPrinter &printer) {
  printer << " " << getTile() << ", " << getValidRow() << ", " << getValidCol();
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult SetValidShapeOp::verify() {
  TileDesc tile = TileDesc::of(getTile().getType());
  for (auto [what, operand, valid, size] :
       {std::tuple("rows", getValidRow(), tile.validRows, tile.rows),
        std::tuple("columns", getValidCol(), tile.validCols, tile.cols)}) {
    std::optional<int64_t> given = constantOf(operand);
    if (!ShapedType::isDynamic(valid) && given != valid)
      return emitOpError() << "the tile's type fixes its valid " << what
                           << " to " << valid
                           << "; write ? there to change them";
    if (given && (*given < 0 || *given > size))
      return emitOpError() << "valid " << what << " " << *given
                           << " are outside 0 to " << size
                           << ", the tile's size";
  }
  return success();
}
