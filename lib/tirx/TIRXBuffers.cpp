//===- TIRXBuffers.cpp - making buffers and views -------------------------===//
#include "tirx/TIRX.h"

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
  if (countDynamic(type.getShape()) || type.getLayout())
    return emitOpError("needs a static row-major shape");
  if (getAddress() && type.getScope() != MemoryScope::Shared)
    return emitOpError("has an address, which only shared buffers have");
  return success();
}

LogicalResult ViewOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getScope() != result.getScope())
    return emitOpError("keeps the element type and the memory scope");
  if (failed(verifyDynamic(*this, getSizes(), result.getShape(), "sizes")))
    return failure();
  return verifyDynamic(*this, getStrides(), result.getStrides(), "strides");
}

LogicalResult SubviewOp::verify() {
  BufferType source = getSource().getType(), result = getBuffer().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getScope() != result.getScope() ||
      source.getStrides() != result.getStrides())
    return emitOpError("keeps the element type, the memory scope and the strides");
  if (getOffsets().size() != source.getShape().size())
    return emitOpError() << "has " << getOffsets().size() << " offsets for "
                         << source.getShape().size() << " dimensions";
  for (auto [index, whole, part] :
       llvm::enumerate(source.getShape(), result.getShape()))
    if (!ShapedType::isDynamic(whole) && !ShapedType::isDynamic(part) && part > whole)
      return emitOpError() << "takes " << part << " elements of dimension "
                           << index << ", which has " << whole;
  return verifyDynamic(*this, getSizes(), result.getShape(), "sizes");
}

static LogicalResult verifyDim(Operation *op, BufferType type, uint64_t dim) {
  if (dim < type.getShape().size())
    return success();
  return op->emitOpError() << "dimension " << dim << " of a buffer of rank "
                           << type.getShape().size();
}

LogicalResult DimOp::verify() {
  return verifyDim(*this, getBuffer().getType(), getDim());
}
LogicalResult StrideOp::verify() {
  return verifyDim(*this, getBuffer().getType(), getDim());
}
