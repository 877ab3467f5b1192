//===- TIRXReduction.cpp - reductions over axes ---------------------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

static LogicalResult verifyReduction(Operation *op, BufferType src, BufferType dst,
                                     ArrayRef<int64_t> axes) {
  int64_t rank = src.getShape().size();
  SmallVector<bool> reduced(rank, false);
  if (axes.empty())
    return op->emitOpError("needs at least one axis");
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return op->emitOpError() << "axis " << axis << " is outside 0 to " << rank - 1;
    if (reduced[axis])
      return op->emitOpError() << "axis " << axis << " is repeated";
    if (src.getShape()[axis] == 0)
      return op->emitOpError() << "axis " << axis << " has no elements";
    reduced[axis] = true;
  }
  if (src.getElementType() != dst.getElementType())
    return op->emitOpError() << "element types differ: source "
                             << src.getElementType() << ", destination "
                             << dst.getElementType();
  SmallVector<int64_t> kept, dropped;
  for (int64_t i = 0; i < rank; ++i) {
    kept.push_back(reduced[i] ? 1 : src.getShape()[i]);
    if (!reduced[i])
      dropped.push_back(src.getShape()[i]);
  }
  auto fits = [&](ArrayRef<int64_t> shape) {
    return shape.size() == dst.getShape().size() &&
           llvm::all_of(llvm::zip(shape, dst.getShape()), [](auto pair) {
             return compatible(std::get<0>(pair), std::get<1>(pair));
           });
  };
  if (fits(kept) || fits(dropped))
    return success();
  return op->emitOpError() << "reduces " << src << " over axes " << axes
                           << "; the destination " << dst << " does not fit";
}

LogicalResult SumOp::verify() {
  return verifyReduction(*this, getSrc().getType(), getDst().getType(), getAxes());
}
LogicalResult ProdOp::verify() {
  return verifyReduction(*this, getSrc().getType(), getDst().getType(), getAxes());
}
LogicalResult MaxOp::verify() {
  return verifyReduction(*this, getSrc().getType(), getDst().getType(), getAxes());
}
LogicalResult MinOp::verify() {
  return verifyReduction(*this, getSrc().getType(), getDst().getType(), getAxes());
}
