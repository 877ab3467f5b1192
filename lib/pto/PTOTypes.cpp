//===- PTOTypes.cpp - how tile and view types are written and checked -----===//
#include "pto/PTO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pto;

TileDesc TileDesc::of(Type type) {
  auto fields = [](auto t) {
    return TileDesc{t.getSpace(),       t.getRows(),      t.getCols(),
                    t.getElementType(), t.getValidRows(), t.getValidCols(),
                    t.getBlayout(),     t.getSlayout(),   t.getFractal(),
                    t.getPad()};
  };
  return TypeSwitch<Type, TileDesc>(type).Case<TileType, TileBufType>(fields);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

template <typename Enum>
static ParseResult parseEnum(AsmParser &parser, Enum &value, StringRef what,
                             std::optional<Enum> (*symbolize)(StringRef),
                             StringRef choices) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> found = symbolize(keyword);
  if (!found)
    return parser.emitError(loc) << "unknown " << what << " '" << keyword
                                 << "'; it is one of " << choices;
  value = *found;
  return success();
}

static ParseResult parseSpace(AsmParser &parser, TileSpace &space) {
  return parseEnum<TileSpace>(parser, space, "tile space", symbolizeTileSpace,
                              "vec, mat, left, right, acc, bias");
}

static ParseResult parseLayout(AsmParser &parser, BoxLayout &layout) {
  return parseEnum<BoxLayout>(parser, layout, "layout", symbolizeBoxLayout,
                              "row_major, col_major, none_box");
}

static ParseResult parseSize(AsmParser &parser, int64_t &size) {
  if (succeeded(parser.parseOptionalQuestion())) {
    size = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(size);
}

static ParseResult parseValid(AsmParser &parser, TileDesc &tile) {
  SmallVector<int64_t> valid;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(valid, /*allowDynamic=*/true,
                                /*withTrailingX=*/false))
    return failure();
  if (valid.size() != 2)
    return parser.emitError(loc,
                            "'valid' is written ROWSxCOLS, as in 8x16 or ?x16");
  tile.validRows = valid[0];
  tile.validCols = valid[1];
  return success();
}

static ParseResult parseShape(AsmParser &parser, TileDesc &tile) {
  SmallVector<int64_t> shape;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(tile.elementType))
    return failure();
  if (shape.size() != 2)
    return parser.emitError(loc)
           << "a tile has 2 dimensions, not " << shape.size();
  tile.rows = shape[0];
  tile.cols = shape[1];
  return success();
}

/// The `value` of `key=value`, in the short or the long form.
static ParseResult parseParameter(AsmParser &parser, SMLoc loc, StringRef key,
                                  TileDesc &tile) {
  if (key == "loc")
    return parseSpace(parser, tile.space);
  if (key == "dtype")
    return parser.parseType(tile.elementType);
  if (key == "rows")
    return parser.parseInteger(tile.rows);
  if (key == "cols")
    return parser.parseInteger(tile.cols);
  if (key == "v_row")
    return parseSize(parser, tile.validRows);
  if (key == "v_col")
    return parseSize(parser, tile.validCols);
  if (key == "valid")
    return parseValid(parser, tile);
  if (key == "blayout")
    return parseLayout(parser, tile.blayout);
  if (key == "slayout")
    return parseLayout(parser, tile.slayout);
  if (key == "fractal")
    return parser.parseInteger(tile.fractal);
  if (key == "pad")
    return parser.parseInteger(tile.pad);
  return parser.emitError(loc)
         << "unknown tile parameter '" << key
         << "'; it is one of loc, dtype, rows, cols, v_row, v_col, valid, "
            "blayout, slayout, fractal, pad";
}

/// Both forms are lists of a space, a shape and `key=value` in any order.
static ParseResult parseTile(AsmParser &parser, TileDesc &tile) {
  constexpr int64_t unset = std::numeric_limits<int64_t>::max();
  tile.rows = tile.cols = tile.validRows = tile.validCols = unset;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return failure();
  llvm::StringSet<> given;
  do {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    auto once = [&](ArrayRef<StringRef> names) -> ParseResult {
      for (StringRef name : names)
        if (!given.insert(name).second)
          return parser.emitError(loc) << "'" << name << "' is given twice";
      return success();
    };
    if (failed(parser.parseOptionalKeyword(&key))) {
      if (once({"rows", "cols", "dtype"}) || parseShape(parser, tile))
        return failure();
    } else if (std::optional<TileSpace> space = symbolizeTileSpace(key)) {
      if (once({"loc"}))
        return failure();
      tile.space = *space;
    } else if (parser.parseEqual() || parseParameter(parser, loc, key, tile) ||
               (key == "valid" ? once({"v_row", "v_col"}) : once({key}))) {
      return failure();
    }
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return failure();
  if (tile.rows == unset || tile.cols == unset || !tile.elementType)
    return parser.emitError(start, "a tile type needs a shape and an element "
                                   "type, as in 16x16xf32");
  if (tile.validRows == unset)
    tile.validRows = tile.rows;
  if (tile.validCols == unset)
    tile.validCols = tile.cols;
  return success();
}

static void printTile(AsmPrinter &printer, Type type) {
  TileDesc tile = TileDesc::of(type);
  auto size = [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      printer << "?";
    else
      printer << value;
  };
  printer << "<";
  if (isa<TileBufType>(type) || tile.space != TileSpace::Vec)
    printer << stringifyTileSpace(tile.space) << ", ";
  printer << tile.rows << "x" << tile.cols << "x" << tile.elementType;
  if (tile.validRows != tile.rows || tile.validCols != tile.cols) {
    printer << ", valid=";
    size(tile.validRows);
    printer << "x";
    size(tile.validCols);
  }
  if (tile.blayout != BoxLayout::RowMajor)
    printer << ", blayout=" << stringifyBoxLayout(tile.blayout);
  if (tile.slayout != BoxLayout::NoneBox)
    printer << ", slayout=" << stringifyBoxLayout(tile.slayout);
  if (tile.fractal != 512)
    printer << ", fractal=" << tile.fractal;
  if (tile.pad)
    printer << ", pad=" << tile.pad;
  printer << ">";
}

template <typename TileT> static Type parseTileType(AsmParser &parser) {
  TileDesc tile;
  if (parseTile(parser, tile))
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return TileT::getChecked(emitError, parser.getContext(), tile.space,
                           tile.rows, tile.cols, tile.elementType,
                           tile.validRows, tile.validCols, tile.blayout,
                           tile.slayout, tile.fractal, tile.pad);
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError,
                                   Type elementType) {
  std::string spelled;
  llvm::raw_string_ostream(spelled) << elementType;
  if (llvm::is_contained(allElementTypes(), spelled))
    return success();
  return emitError() << "elements are one of "
                     << llvm::join(allElementTypes(), ", ") << ", not "
                     << elementType;
}

static LogicalResult verifyTile(function_ref<InFlightDiagnostic()> emitError,
                                const TileDesc &tile) {
  if (tile.rows < 1 || tile.cols < 1)
    return emitError() << "a tile has at least one row and one column, not "
                       << tile.rows << "x" << tile.cols;
  if (failed(verifyElement(emitError, tile.elementType)))
    return failure();
  for (auto [valid, size, what] :
       {std::tuple(tile.validRows, tile.rows, "rows"),
        std::tuple(tile.validCols, tile.cols, "columns")})
    if (!ShapedType::isDynamic(valid) && (valid < 0 || valid > size))
      return emitError() << "valid " << what << " " << valid
                         << " are outside 0 to " << size << ", the tile's size";
  if (tile.blayout == BoxLayout::NoneBox)
    return emitError() << "blayout is row_major or col_major";
  if (tile.fractal < 1)
    return emitError() << "fractal is a positive number of bytes";
  if (tile.pad < 0 || tile.pad > 3)
    return emitError()
           << "pad is 0 (none), 1 (zero), 2 (largest) or 3 (smallest)";
  return success();
}

Type TileType::parse(AsmParser &parser) {
  return parseTileType<TileType>(parser);
}
void TileType::print(AsmPrinter &printer) const { printTile(printer, *this); }
Type TileBufType::parse(AsmParser &parser) {
  return parseTileType<TileBufType>(parser);
}
void TileBufType::print(AsmPrinter &printer) const {
  printTile(printer, *this);
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               TileSpace space, int64_t rows, int64_t cols,
                               Type elementType, int64_t validRows,
                               int64_t validCols, BoxLayout blayout,
                               BoxLayout slayout, int64_t fractal,
                               int64_t pad) {
  return verifyTile(emitError, {space, rows, cols, elementType, validRows,
                                validCols, blayout, slayout, fractal, pad});
}

LogicalResult TileBufType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  TileSpace space, int64_t rows, int64_t cols,
                                  Type elementType, int64_t validRows,
                                  int64_t validCols, BoxLayout blayout,
                                  BoxLayout slayout, int64_t fractal,
                                  int64_t pad) {
  return verifyTile(emitError, {space, rows, cols, elementType, validRows,
                                validCols, blayout, slayout, fractal, pad});
}

//===----------------------------------------------------------------------===//
// Pointers and views
//===----------------------------------------------------------------------===//

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type elementType) {
  return verifyElement(emitError, elementType);
}

template <typename ViewT> static Type parseView(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return ViewT::getChecked(emitError, parser.getContext(),
                           ArrayRef<int64_t>(shape), elementType);
}

template <typename ViewT>
static void printView(AsmPrinter &printer, ViewT view) {
  printer << "<";
  printer.printDimensionList(view.getShape());
  printer << "x" << view.getElementType() << ">";
}

static LogicalResult verifyView(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type elementType) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "a view has 1 to 5 dimensions, not " << shape.size();
  return verifyElement(emitError, elementType);
}

Type TensorViewType::parse(AsmParser &parser) {
  return parseView<TensorViewType>(parser);
}
void TensorViewType::print(AsmPrinter &printer) const {
  printView(printer, *this);
}
LogicalResult
TensorViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type elementType) {
  return verifyView(emitError, shape, elementType);
}

Type PartitionTensorViewType::parse(AsmParser &parser) {
  return parseView<PartitionTensorViewType>(parser);
}
void PartitionTensorViewType::print(AsmPrinter &printer) const {
  printView(printer, *this);
}
LogicalResult
PartitionTensorViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type elementType) {
  return verifyView(emitError, shape, elementType);
}
