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

LogicalResult FillOp::verify() {
  if (failed(verifyScope(*this, getExec(), {getDst().getType()})))
    return failure();
  Type element = getDst().getType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(getContext(), integer.getWidth());
  if (getValue().getType() == element)
    return success();
  return emitOpError() << "fills " << getDst().getType()
                       << " with a value of type " << getValue().getType()
                       << "; it must be " << element;
}
