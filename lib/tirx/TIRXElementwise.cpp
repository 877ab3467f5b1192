//===- TIRXElementwise.cpp - functions of elements ------------------------===//
#include "tirx/TIRX.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tirx;

/// The type in which an element is computed: integers without their sign.
static Type computed(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

/// Sources are buffers, of `shape` or with 1 in its place, or scalars. Those
/// that are buffers are appended to `buffers`.
static LogicalResult verifySources(Operation *op, ValueRange sources,
                                   ArrayRef<int64_t> shape,
                                   SmallVectorImpl<BufferType> &buffers) {
  for (Type type : sources.getTypes()) {
    auto buffer = dyn_cast<BufferType>(type);
    if (!buffer) {
      auto integer = dyn_cast<IntegerType>(type);
      if (isa<FloatType>(type) || (integer && integer.isSignless()))
        continue;
      return op->emitOpError()
             << "takes buffers and scalars (f32, i32, ...), not " << type;
    }
    buffers.push_back(buffer);
    bool fits = buffer.getShape().size() == shape.size();
    for (auto [mine, its] : llvm::zip(buffer.getShape(), shape))
      fits &= mine == 1 || compatible(mine, its);
    if (!fits)
      return op->emitOpError()
             << "source " << buffer << " does not fit a destination of shape ["
             << shape << "]; sizes are equal, or 1 in the source";
  }
  return success();
}

static LogicalResult verifySameElement(Operation *op, ValueRange sources,
                                       Type element) {
  for (Type type : sources.getTypes()) {
    auto buffer = dyn_cast<BufferType>(type);
    Type found = computed(buffer ? buffer.getElementType() : type);
    if (found != computed(element))
      return op->emitOpError()
             << "element types differ: " << type << " beside " << element;
  }
  return success();
}

/// The difference of f16 and bf16 may be taken, and its power given, in f32.
static LogicalResult verifyElements(MapOp op) {
  Type element = op.getDst().getType().getElementType();
  auto first = dyn_cast<BufferType>(op.getSrcs().front().getType());
  if (op.getFunction() == "expdif" && element.isF32() && first &&
      (first.getElementType().isF16() || first.getElementType().isBF16()))
    element = first.getElementType();
  return verifySameElement(op, op.getSrcs(), element);
}

LogicalResult MapOp::verify() {
  SmallVector<BufferType> buffers{getDst().getType()};
  if (getSrcs().empty())
    return emitOpError("takes at least one source");
  if (failed(verifySources(*this, getSrcs(), getDst().getType().getShape(),
                           buffers)) ||
      failed(verifyScope(*this, getExec(), buffers)))
    return failure();
  bool isCast = getFunction() == "cast";
  if (!isCast && (getRounding() || getSaturate()))
    return emitOpError("has 'rounding' and 'saturate' with \"cast\" only");
  static constexpr StringRef roundings[] = {"nearest", "away", "down",
                                            "up",      "zero", "odd"};
  if (getRounding() && !llvm::is_contained(roundings, *getRounding()))
    return emitOpError() << "unknown rounding '" << *getRounding()
                         << "'; it is one of "
                         << llvm::join(ArrayRef(roundings), ", ");
  return isCast ? success() : verifyElements(*this);
}

LogicalResult FusedOp::verifyRegions() {
  if (getBody().front().empty())
    return emitOpError("holds no tirx.map");
  BufferType first = nullptr;
  for (Operation &inner : getBody().front()) {
    auto map = dyn_cast<MapOp>(inner);
    if (!map)
      return inner.emitOpError("is in a tirx.fused, which holds tirx.map only");
    if (map.getExec() != getExec())
      return map.emitOpError()
             << "is executed by a " << stringifyExecScope(map.getExec())
             << " in a tirx.fused of a " << stringifyExecScope(getExec());
    if (map.getDispatch())
      return map.emitOpError("asks for a variant in a tirx.fused, which has "
                             "one for all of its maps");
    BufferType destination = map.getDst().getType();
    if (!first)
      first = destination;
    bool fits = first.getShape().size() == destination.getShape().size();
    for (auto [one, other] :
         llvm::zip(first.getShape(), destination.getShape()))
      fits &= compatible(one, other);
    if (!fits)
      return map.emitOpError()
             << "destination " << destination << " has another shape than "
             << first << ", that of the first in the tirx.fused";
  }
  return success();
}

/// The rows of a mask are those of `shape`, its columns hold bytes of bits.
static LogicalResult verifyMask(Operation *op, BufferType mask,
                                ArrayRef<int64_t> shape) {
  if (!computed(mask.getElementType()).isInteger(8))
    return op->emitOpError() << "takes a mask of i8 or ui8, not " << mask;
  ArrayRef<int64_t> bytes = mask.getShape();
  bool fits = bytes.size() == shape.size() && !shape.empty();
  for (auto [mine, its] : llvm::zip(bytes.drop_back(), shape.drop_back()))
    fits &= compatible(mine, its);
  if (fits && !ShapedType::isDynamic(bytes.back()) &&
      !ShapedType::isDynamic(shape.back()))
    fits = bytes.back() * 8 >= shape.back();
  if (fits)
    return success();
  return op->emitOpError() << "mask " << mask << " has no bit for each element "
                           << "of the shape [" << shape << "]";
}

LogicalResult CompareOp::verify() {
  static constexpr StringRef relations[] = {"eq", "ne", "lt", "gt", "le", "ge"};
  if (!llvm::is_contained(relations, getFunction()))
    return emitOpError() << "unknown relation '" << getFunction()
                         << "'; it is one of eq, ne, lt, gt, le, ge";
  BufferType first = nullptr;
  for (Type type : getSrcs().getTypes())
    if (!first)
      first = dyn_cast<BufferType>(type);
  if (getSrcs().size() != 2 || !first)
    return emitOpError("compares two sources, at least one of them a buffer");
  SmallVector<BufferType> buffers{getDst().getType()};
  if (failed(verifySources(*this, getSrcs(), first.getShape(), buffers)) ||
      failed(verifyScope(*this, getExec(), buffers)) ||
      failed(verifySameElement(*this, getSrcs(), first.getElementType())))
    return failure();
  return verifyMask(*this, getDst().getType(), first.getShape());
}

LogicalResult SelectOp::verify() {
  SmallVector<BufferType> buffers{getMask().getType(), getDst().getType()};
  if (getSrcs().size() != 2)
    return emitOpError("selects from two sources");
  if (failed(verifySources(*this, getSrcs(), getDst().getType().getShape(),
                           buffers)) ||
      failed(verifyScope(*this, getExec(), buffers)) ||
      failed(verifySameElement(*this, getSrcs(),
                               getDst().getType().getElementType())))
    return failure();
  return verifyMask(*this, getMask().getType(), getDst().getType().getShape());
}
