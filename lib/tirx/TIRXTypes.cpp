//===- TIRXTypes.cpp - how buffers and layouts are written and checked ----===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

FailureOr<LayoutAttr> LayoutAttr::parseBody(AsmParser &parser) {
  SmallVector<int64_t> strides;
  auto stride = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(strides.emplace_back());
  };
  if (parser.parseKeyword("strides") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, stride))
    return failure();
  return LayoutAttr::get(parser.getContext(), strides);
}

void LayoutAttr::printBody(AsmPrinter &printer) const {
  printer << "strides = [";
  llvm::interleaveComma(getStrides(), printer, [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      printer << "?";
    else
      printer << stride;
  });
  printer << "]";
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<LayoutAttr> layout = parseBody(parser);
  if (failed(layout) || parser.parseGreater())
    return {};
  return *layout;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = ShapedType::isDynamic(strides[i + 1]) ||
                         ShapedType::isDynamic(shape[i + 1])
                     ? ShapedType::kDynamic
                     : strides[i + 1] * shape[i + 1];
  return strides;
}

SmallVector<int64_t> BufferType::getStrides() const {
  if (LayoutAttr layout = getLayout())
    return SmallVector<int64_t>(layout.getStrides());
  return rowMajorStrides(getShape());
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef keyword;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType) || parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<MemoryScope> scope = symbolizeMemoryScope(keyword);
  if (!scope) {
    parser.emitError(loc) << "unknown memory scope '" << keyword
                          << "'; it is one of global, shared, local";
    return {};
  }
  LayoutAttr layout;
  if (succeeded(parser.parseOptionalComma())) {
    FailureOr<LayoutAttr> parsed = LayoutAttr::parseBody(parser);
    if (failed(parsed))
      return {};
    layout = *parsed;
    // A static row-major layout has one spelling: none.
    SmallVector<int64_t> plain = rowMajorStrides(shape);
    if (layout.getStrides() == ArrayRef<int64_t>(plain) &&
        !llvm::is_contained(plain, ShapedType::kDynamic))
      layout = {};
  }
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return getChecked(emitError, parser.getContext(), ArrayRef<int64_t>(shape),
                    elementType, *scope, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << (getShape().empty() ? "" : "x") << getElementType() << ", "
          << stringifyMemoryScope(getScope());
  if (LayoutAttr layout = getLayout()) {
    printer << ", ";
    layout.printBody(printer);
  }
  printer << ">";
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 MemoryScope, LayoutAttr layout) {
  if (!elementType.isIntOrFloat())
    return emitError() << "elements are integers or floats, not " << elementType;
  if (layout && layout.getStrides().size() != shape.size())
    return emitError() << "the layout has " << layout.getStrides().size()
                       << " strides for " << shape.size() << " dimensions";
  return success();
}
