//===- TIRXReduction.cpp - reductions over axes ---------------------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

static LogicalResult verifyFlags(Operation *op, BufferType src) {
  Type element = src.getElementType();
  if (op->hasAttr("ftz") && !element.isF32())
    return op->emitOpError() << "flushes subnormals of f32, not of " << element;
  if (op->hasAttr("propagate_nan") && !isa<FloatType>(element))
    return op->emitOpError()
           << "propagates NaN, which " << element << " does not have";
  if (auto accumulate = op->getAttrOfType<TypeAttr>("accumulate"))
    if (accumulate.getValue() != element &&
        !((element.isF16() || element.isBF16()) &&
          accumulate.getValue().isF32()))
      return op->emitOpError()
             << "cannot accumulate " << element << " in "
             << accumulate.getValue()
             << "; it is the element type, or f32 for f16 and bf16";
  return success();
}

static LogicalResult verifyReduction(Operation *op, ExecScope exec,
                                     BufferType src, BufferType dst,
                                     ArrayRef<int64_t> axes) {
  if (failed(verifyFlags(op, src)))
    return failure();
  if (failed(verifyScope(op, exec, {src, dst})))
    return failure();
  int64_t rank = src.getShape().size();
  SmallVector<bool> reduced(rank, false);
  if (axes.empty())
    return op->emitOpError("needs at least one axis");
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return op->emitOpError()
             << "axis " << axis << " is outside 0 to " << rank - 1;
    if (reduced[axis])
      return op->emitOpError() << "axis " << axis << " is repeated";
    reduced[axis] = true;
  }
  for (auto [dim, size] : llvm::enumerate(src.getShape()))
    if (size == 0)
      return op->emitOpError() << "dimension " << dim << " has no elements";
  Type element = src.getElementType();
  bool widens =
      (element.isF16() || element.isBF16()) && dst.getElementType().isF32();
  if (element != dst.getElementType() && !widens)
    return op->emitOpError()
           << "element types differ: source " << src.getElementType()
           << ", destination " << dst.getElementType();
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
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
LogicalResult ProdOp::verify() {
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
LogicalResult MaxOp::verify() {
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
LogicalResult MinOp::verify() {
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
