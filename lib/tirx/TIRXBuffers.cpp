//===- TIRXBuffers.cpp - making buffers and views -------------------------===//
#include "tirx/TIRX.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tirx;

static size_t countDynamic(ArrayRef<int64_t> values) {
  return llvm::count_if(values, ShapedType::isDynamic);
}

static LogicalResult verifyDynamic(Operation *op, ValueRange given,
                                   ArrayRef<int64_t> values, StringRef what) {
  if (given.size() == countDynamic(values))
    return success();
  return op->emitOpError() << "has " << given.size() << " " << what << " for "
                           << countDynamic(values) << " ? in the result type";
}

LogicalResult AllocOp::verify() {
  BufferType type = getBuffer().getType();
  if (type.getScope() == MemoryScope::Global)
    return emitOpError("allocates shared or local memory; global memory comes "
                       "from the kernel's arguments");
  if (countDynamic(type.getShape()) || countDynamic(type.getStrides()))
    return emitOpError("needs a static shape and layout");
  if (llvm::any_of(type.getStrides(),
                   [](int64_t stride) { return stride < 0; }))
    return emitOpError("needs strides that are not negative");
  if (type.getScope() == MemoryScope::Local && type.getLayout() &&
      !type.isDistributed())
    return emitOpError("of local memory is row-major, or has shards");
  if (getAddress() && type.getScope() != MemoryScope::Shared)
    return emitOpError("has an address, which only shared buffers have");
  if (std::optional<int64_t> address = getAddress()) {
    if (*address < 0)
      return emitOpError() << "has the negative address " << *address;
    Type element = type.getElementType();
    int64_t bytes =
        isa<MBarrierType>(element) ? 8 : element.getIntOrFloatBitWidth() / 8;
    if (bytes && *address % bytes)
      return emitOpError() << "has the address " << *address
                           << ", which is not a multiple of the element's "
                           << bytes << " bytes";
  }
  return success();
}

LogicalResult ViewOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getScope() != result.getScope())
    return emitOpError("keeps the element type and the memory scope");
  if (source.hasShards() || result.hasShards())
    return emitOpError(
        "is of memory with strides, not of a buffer with shards");
  if (!source.getSwizzle().empty() || !result.getSwizzle().empty())
    return emitOpError("is of memory without a swizzle");
  if (failed(verifyDynamic(*this, getSizes(), result.getShape(), "sizes")))
    return failure();
  return verifyDynamic(*this, getStrides(), result.getStrides(), "strides");
}

/// A region takes a dimension of several shards whole, or one element of it.
static LogicalResult verifyShards(SubviewOp op, BufferType source,
                                  BufferType result) {
  SmallVector<std::pair<int64_t, int64_t>> expected, found;
  for (const BufferType::Shard &shard : source.getShards())
    if (shard.extent > 1 && result.getShape()[shard.dim] != 1)
      expected.emplace_back(shard.extent, shard.stride);
  for (const BufferType::Shard &shard : result.getShards())
    if (shard.extent > 1)
      found.emplace_back(shard.extent, shard.stride);
  for (auto [index, whole, part] :
       llvm::enumerate(source.getShape(), result.getShape()))
    if (part != whole && part != 1) {
      InFlightDiagnostic error = op.emitOpError() << "takes ";
      if (ShapedType::isDynamic(part))
        error << "?";
      else
        error << part;
      return error << " of the " << whole << " elements of dimension " << index
                   << "; of a buffer with shards it takes all, or one";
    }
  if (expected == found)
    return success();
  return op.emitOpError() << "keeps the shards of the dimensions that it takes "
                             "whole";
}

LogicalResult SubviewOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getScope() != result.getScope() ||
      source.getSwizzle() != result.getSwizzle() ||
      (!source.hasShards() && source.getStrides() != result.getStrides()))
    return emitOpError("keeps the element type, the memory scope, the strides "
                       "and the swizzle");
  if (source.getShape().size() != result.getShape().size())
    return emitOpError() << "keeps the " << source.getShape().size()
                         << " dimensions";
  if (getOffsets().size() != source.getShape().size())
    return emitOpError() << "has " << getOffsets().size() << " offsets for "
                         << source.getShape().size() << " dimensions";
  if (source.isDistributed())
    return emitOpError(
        "takes a region of a buffer in memory; of a distributed one, "
        "take a region of its source");
  if (source.hasShards() && failed(verifyShards(*this, source, result)))
    return failure();
  for (auto [index, whole, part, offset] :
       llvm::enumerate(source.getShape(), result.getShape(), getOffsets())) {
    APInt constant;
    int64_t start = matchPattern(offset, m_ConstantInt(&constant))
                        ? constant.getSExtValue()
                        : 0;
    if (start < 0)
      return emitOpError() << "begins at " << start << " in dimension "
                           << index;
    if (!ShapedType::isDynamic(whole) && !ShapedType::isDynamic(part) &&
        start + part > whole)
      return emitOpError() << "takes elements " << start << " to "
                           << start + part << " of dimension " << index
                           << ", which has " << whole;
  }
  return verifyDynamic(*this, getSizes(), result.getShape(), "sizes");
}

LogicalResult ReshapeOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  auto places = [](ArrayRef<BufferType::Shard> shards) {
    SmallVector<std::tuple<int64_t, int64_t, Axis>> found;
    for (const BufferType::Shard &shard : shards)
      if (shard.extent > 1)
        found.emplace_back(shard.extent, shard.stride, shard.axis);
    return found;
  };
  if (source.getElementType() == result.getElementType() &&
      source.isDistributed() && result.isDistributed() &&
      places(source.getShards()) == places(result.getShards()) &&
      places(source.getReplicas()) == places(result.getReplicas()))
    return success();
  return emitOpError("keeps the element type, the shards and the replicas of a "
                     "distributed buffer");
}

LogicalResult OwnOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  if (!source.isDistributed())
    return emitOpError("takes a local buffer with shards");
  SmallVector<int64_t> shape, strides;
  for (const BufferType::Shard &shard : source.getShards())
    if (shard.axis == Axis::Memory && shard.extent > 1) {
      shape.push_back(shard.extent);
      strides.push_back(shard.stride);
    }
  if (source.getElementType() == result.getElementType() &&
      result.getScope() == MemoryScope::Local && !result.isDistributed() &&
      result.getShape() == ArrayRef<int64_t>(shape) &&
      result.getStrides() == strides)
    return success();
  return emitOpError() << "makes " << result << " of " << source
                       << "; it keeps the shards over the thread's storage";
}

static LogicalResult verifyDim(Operation *op, BufferType type, uint64_t dim) {
  if (dim < type.getShape().size())
    return success();
  return op->emitOpError() << "dimension " << static_cast<int64_t>(dim)
                           << " of a buffer of rank " << type.getShape().size();
}

LogicalResult DimOp::verify() {
  return verifyDim(*this, getBuffer().getType(), getDim());
}
LogicalResult StrideOp::verify() {
  if (getBuffer().getType().hasShards())
    return emitOpError("asks for one stride of a dimension with shards");
  return verifyDim(*this, getBuffer().getType(), getDim());
}
