//===- TIRXCopy.cpp - moving and filling ----------------------------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

LogicalResult CopyOp::verify() {
  BufferType src = getSrc().getType(), dst = getDst().getType();
  if (src.getElementType() != dst.getElementType())
    return emitOpError() << "copies " << src.getElementType() << " to "
                         << dst.getElementType()
                         << "; the element types must match";
  if (failed(verifyScope(*this, getExec(), {src, dst})))
    return failure();
  bool fits = src.getShape().size() == dst.getShape().size();
  for (auto [from, to] : llvm::zip(src.getShape(), dst.getShape()))
    fits &= compatible(from, to);
  if (!fits)
    return emitOpError() << "copies between different shapes: " << src
                         << " and " << dst;
  return success();
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
