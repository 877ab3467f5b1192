//===- TIRXTypes.cpp - how buffers and layouts are written and checked ----===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// `EXTENT : STRIDE` or `EXTENT : STRIDE@AXIS`, kept as three integers.
static ParseResult parseShard(AsmParser &parser,
                              SmallVectorImpl<int64_t> &shards) {
  int64_t extent, stride;
  StringAttr name;
  if (parser.parseInteger(extent) || parser.parseColon() ||
      parser.parseInteger(stride))
    return failure();
  Axis axis = Axis::Memory;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalSymbolName(name))) {
    std::optional<Axis> found = symbolizeAxis(name.getValue());
    if (!found)
      return parser.emitError(loc) << "unknown axis '@" << name.getValue()
                                   << "'; it is one of @laneid, @warpid, @m";
    axis = *found;
  }
  shards.append({extent, stride, static_cast<int64_t>(axis)});
  return success();
}

FailureOr<LayoutAttr> LayoutAttr::parseBody(AsmParser &parser) {
  SmallVector<int64_t> strides, shards, replicas, swizzle;
  auto stride = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(strides.emplace_back());
  };
  do {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (key != "strides" && key != "shards" && key != "replicas" &&
        key != "swizzle")
      return parser.emitError(loc)
             << "unknown layout parameter '" << key
             << "'; it is strides, shards, replicas or swizzle";
    if (!(key == "strides"    ? strides
          : key == "shards"   ? shards
          : key == "replicas" ? replicas
                              : swizzle)
             .empty())
      return parser.emitError(loc) << "'" << key << "' is given twice";
    auto element = [&]() -> ParseResult {
      if (key == "swizzle")
        return parser.parseInteger(swizzle.emplace_back());
      return key == "strides"  ? stride()
             : key == "shards" ? parseShard(parser, shards)
                               : parseShard(parser, replicas);
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, element))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (!strides.empty() && !shards.empty())
    return parser.emitError(parser.getNameLoc())
           << "a layout has strides or shards, not both";
  return LayoutAttr::get(parser.getContext(), strides, shards, replicas,
                         swizzle);
}

static void printShards(AsmPrinter &printer, StringRef key,
                        ArrayRef<int64_t> shards) {
  printer << key << " = [";
  for (size_t i = 0; i < shards.size(); i += 3) {
    printer << (i ? ", " : "") << shards[i] << " : " << shards[i + 1];
    auto axis = static_cast<Axis>(shards[i + 2]);
    if (axis != Axis::Memory)
      printer << "@" << stringifyAxis(axis);
  }
  printer << "]";
}

void LayoutAttr::printBody(AsmPrinter &printer) const {
  StringRef separator = "";
  auto begin = [&] {
    printer << separator;
    separator = ", ";
  };
  auto number = [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      printer << "?";
    else
      printer << value;
  };
  auto numbers = [&](StringRef key, ArrayRef<int64_t> values) {
    begin();
    printer << key << " = [";
    llvm::interleaveComma(values, printer, number);
    printer << "]";
  };
  if (!getShards().empty()) {
    begin();
    printShards(printer, "shards", getShards());
  } else if (getReplicas().empty() &&
             (getSwizzle().empty() || !getStrides().empty())) {
    numbers("strides", getStrides());
  }
  if (!getReplicas().empty()) {
    begin();
    printShards(printer, "replicas", getReplicas());
  }
  if (!getSwizzle().empty())
    numbers("swizzle", getSwizzle());
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
  if (hasShards())
    return {};
  LayoutAttr layout = getLayout();
  if (layout && layout.getStrides().size() == getShape().size())
    return SmallVector<int64_t>(layout.getStrides());
  return rowMajorStrides(getShape());
}

ArrayRef<int64_t> BufferType::getSwizzle() const {
  return getLayout() ? getLayout().getSwizzle() : ArrayRef<int64_t>();
}

static SmallVector<BufferType::Shard> unpack(ArrayRef<int64_t> triples) {
  SmallVector<BufferType::Shard> shards;
  for (size_t i = 0; i < triples.size(); i += 3)
    shards.push_back(
        {-1, triples[i], triples[i + 1], static_cast<Axis>(triples[i + 2])});
  return shards;
}

/// Gives shards to dimensions from the outermost in; false if the extents do
/// not multiply to the shape.
static bool assignDims(ArrayRef<int64_t> shape,
                       MutableArrayRef<BufferType::Shard> shards) {
  size_t next = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t product = 1;
    while (next < shards.size() &&
           (product < size || shards[next].extent == 1)) {
      shards[next].dim = dim;
      product *= shards[next++].extent;
    }
    if (product != size)
      return false;
  }
  while (next < shards.size() && shards[next].extent == 1)
    ++next;
  return next == shards.size();
}

SmallVector<BufferType::Shard> BufferType::getShards() const {
  SmallVector<Shard> shards;
  if (hasShards()) {
    shards = unpack(getLayout().getShards());
    assignDims(getShape(), shards);
  }
  return shards;
}

SmallVector<BufferType::Shard> BufferType::getReplicas() const {
  return isDistributed() ? unpack(getLayout().getReplicas())
                         : SmallVector<Shard>();
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
    if (layout.getShards().empty() && layout.getReplicas().empty() &&
        layout.getStrides() == ArrayRef<int64_t>(plain) &&
        !llvm::is_contained(plain, ShapedType::kDynamic))
      layout = layout.getSwizzle().empty()
                   ? LayoutAttr()
                   : LayoutAttr::get(parser.getContext(), {}, {}, {},
                                     layout.getSwizzle());
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

/// Shards and replicas over `axis` number its threads 0 to N-1, each once.
static LogicalResult verifyAxis(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<BufferType::Shard> shards, Axis axis) {
  SmallVector<BufferType::Shard> over;
  for (const BufferType::Shard &shard : shards)
    if (shard.axis == axis && shard.extent > 1)
      over.push_back(shard);
  llvm::sort(over, [](auto &a, auto &b) { return a.stride < b.stride; });
  int64_t threads = 1;
  for (const BufferType::Shard &shard : over) {
    if (shard.stride != threads)
      return emitError() << "shards and replicas over @" << stringifyAxis(axis)
                         << " leave gaps or overlap: no stride is " << threads;
    threads *= shard.extent;
  }
  if (axis == Axis::Lane && threads != 1 && threads != 32)
    return emitError() << "shards and replicas cover " << threads
                       << " lanes; a warp has 32 (replicas hold copies)";
  return success();
}

/// Shards over a thread's storage may leave gaps, but give each element its own
/// place: each stride reaches beyond all that the smaller ones span.
static LogicalResult verifyStorage(function_ref<InFlightDiagnostic()> emitError,
                                   SmallVector<BufferType::Shard> shards) {
  llvm::sort(shards, [](auto &a, auto &b) { return a.stride < b.stride; });
  int64_t span = 0;
  for (const BufferType::Shard &shard : shards) {
    if (shard.axis != Axis::Memory || shard.extent == 1)
      continue;
    if (shard.stride <= span)
      return emitError() << "shards over memory overlap: stride "
                         << shard.stride << " lies within the " << span + 1
                         << " elements of the others";
    span += (shard.extent - 1) * shard.stride;
  }
  return success();
}

static LogicalResult verifyShards(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, MemoryScope scope,
                                  LayoutAttr layout) {
  if (scope == MemoryScope::Global)
    return emitError() << "shards are for local and shared buffers; global "
                          "memory has strides";
  SmallVector<BufferType::Shard> shards = unpack(layout.getShards());
  SmallVector<BufferType::Shard> replicas = unpack(layout.getReplicas());
  if (scope == MemoryScope::Shared && !replicas.empty())
    return emitError() << "shared memory has no replicas";
  if (scope == MemoryScope::Shared)
    for (const BufferType::Shard &shard : shards)
      if (shard.axis != Axis::Memory)
        return emitError() << "shared memory lies in one CTA; its shards are "
                              "over memory, not @"
                           << stringifyAxis(shard.axis);
  for (ArrayRef<BufferType::Shard> group :
       {ArrayRef(shards), ArrayRef(replicas)})
    for (const BufferType::Shard &shard : group)
      if (shard.extent < 1 || shard.stride < 0)
        return emitError() << "a shard has a positive extent and a stride";
  for (const BufferType::Shard &replica : replicas)
    if (replica.axis == Axis::Memory)
      return emitError() << "replicas are over @laneid or @warpid";
  if (!assignDims(shape, shards))
    return emitError()
           << "the extents of the shards do not multiply to the shape";
  if (failed(verifyStorage(emitError, shards)))
    return failure();
  shards.append(replicas);
  if (failed(verifyAxis(emitError, shards, Axis::Lane)))
    return failure();
  return verifyAxis(emitError, shards, Axis::Warp);
}

/// Bits M to M + B - 1 are changed by the B bits that lie S higher.
static LogicalResult verifySwizzle(function_ref<InFlightDiagnostic()> emitError,
                                   MemoryScope scope,
                                   ArrayRef<int64_t> swizzle) {
  if (scope != MemoryScope::Shared)
    return emitError() << "swizzles are for shared memory";
  if (swizzle.size() == 3 && swizzle[0] >= 1 && swizzle[1] >= 0 &&
      swizzle[2] >= swizzle[0] && swizzle[0] + swizzle[1] + swizzle[2] < 32)
    return success();
  return emitError() << "a swizzle is [B, M, S] with B at least 1, S at least "
                        "B, and B + M + S below 32";
}

static bool isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return !integer.isSigned() &&
           llvm::is_contained({8, 16, 32, 64}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 MemoryScope scope, LayoutAttr layout) {
  if (isa<MBarrierType>(elementType)) {
    if (scope != MemoryScope::Shared || layout)
      return emitError()
             << "mbarriers lie in shared memory, in row-major order";
    return success();
  }
  if (!isElementType(elementType))
    return emitError()
           << "elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, "
              "ui8, ui16, ui32, ui64, not "
           << elementType;
  if (!layout)
    return success();
  if (!layout.getSwizzle().empty()) {
    if (failed(verifySwizzle(emitError, scope, layout.getSwizzle())))
      return failure();
    if (layout.getStrides().empty() && layout.getShards().empty())
      return success();
  }
  if (!layout.getShards().empty() || !layout.getReplicas().empty())
    return verifyShards(emitError, shape, scope, layout);
  if (layout.getStrides().size() != shape.size())
    return emitError() << "the layout has " << layout.getStrides().size()
                       << " strides for " << shape.size() << " dimensions";
  return success();
}
