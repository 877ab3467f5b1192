//===- TIRXCopy.cpp - moving and filling ----------------------------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

/// What `tirx.copy` and `tirx.copy_async` ask of their buffers.
static LogicalResult verifyCopy(Operation *op, ExecScope exec, BufferType src,
                                BufferType dst) {
  if (src.getElementType() != dst.getElementType())
    return op->emitOpError()
           << "copies " << src.getElementType() << " to "
           << dst.getElementType() << "; the element types must match";
  if (failed(verifyScope(op, exec, {src, dst})))
    return failure();
  bool fits = src.getShape().size() == dst.getShape().size();
  for (auto [from, to] : llvm::zip(src.getShape(), dst.getShape()))
    fits &= compatible(from, to);
  if (!fits)
    return op->emitOpError()
           << "copies between different shapes: " << src << " and " << dst;
  return success();
}

LogicalResult CopyOp::verify() {
  return verifyCopy(*this, getExec(), getSrc().getType(), getDst().getType());
}

LogicalResult CopyAsyncOp::verify() {
  return verifyCopy(*this, getExec(), getSrc().getType(), getDst().getType());
}

/// The scalar has the type in which elements of the buffer are computed.
static LogicalResult verifyScalar(Operation *op, Type value, BufferType dst) {
  Type element = dst.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(op->getContext(), integer.getWidth());
  if (value == element)
    return success();
  return op->emitOpError() << "fills " << dst << " with a value of type "
                           << value << "; it must be " << element;
}

LogicalResult FillOp::verify() {
  BufferType dst = getDst().getType();
  if (failed(verifyScope(*this, getExec(), {dst})))
    return failure();
  return verifyScalar(*this, getValue().getType(), dst);
}

LogicalResult IotaOp::verify() {
  BufferType dst = getDst().getType();
  if (failed(verifyScope(*this, getExec(), {dst})))
    return failure();
  if (!isa<IntegerType>(dst.getElementType()) || dst.getShape().empty())
    return emitOpError() << "counts along a dimension of integers, not " << dst;
  return verifyScalar(*this, getValue().getType(), dst);
}
