//===- TIRXReduction.cpp - reductions over axes ---------------------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

static bool isShared(ExecScope exec) {
  return exec == ExecScope::Grid || exec == ExecScope::Cluster;
}

static bool isExtreme(Operation *op) { return isa<MaxOp, MinOp>(op); }

static bool isPosition(Operation *op) { return isa<ArgmaxOp, ArgminOp>(op); }

/// Whether partial results of type `to` hold every value of type `from`, up to
/// rounding.
static bool widens(Type from, Type to) {
  unsigned width = to.getIntOrFloatBitWidth();
  if (isa<IntegerType>(from) && isa<FloatType>(to))
    return width >= 32;
  return isa<IntegerType>(from) == isa<IntegerType>(to) &&
         from.getIntOrFloatBitWidth() < width;
}

static LogicalResult verifyFlags(Operation *op, ExecScope exec,
                                 BufferType src) {
  Type element = src.getElementType();
  if (op->hasAttr("ftz") && !element.isF32())
    return op->emitOpError() << "flushes subnormals of f32, not of " << element;
  if (op->hasAttr("propagate_nan") && !isa<FloatType>(element))
    return op->emitOpError()
           << "propagates NaN, which " << element << " does not have";
  auto attribute = op->getAttrOfType<TypeAttr>("accumulate");
  if (!attribute || attribute.getValue() == element)
    return success();
  Type accumulate = attribute.getValue();
  if (isShared(exec)) {
    if (!accumulate.isIntOrFloat() || accumulate.isSignedInteger() ||
        accumulate.isUnsignedInteger() || !widens(element, accumulate))
      return op->emitOpError()
             << "cannot accumulate " << element << " in " << accumulate
             << "; it is the element type, or a wider one without a sign";
    if (isExtreme(op) || isPosition(op))
      return op->emitOpError() << "compares elements, and has no partial "
                                  "results of another type";
    return success();
  }
  if ((element.isF16() || element.isBF16()) && accumulate.isF32())
    return success();
  return op->emitOpError() << "cannot accumulate " << element << " in "
                           << accumulate
                           << "; it is the element type, or f32 for f16 and "
                              "bf16";
}

static LogicalResult verifyElements(Operation *op, ExecScope exec, Type src,
                                    Type dst) {
  if (isPosition(op)) {
    if (dst.isSignlessInteger(64))
      return success();
    return op->emitOpError()
           << "writes positions, whose type is i64, not " << dst;
  }
  bool fits = src == dst;
  if (isShared(exec))
    fits |= !isExtreme(op) && (isa<FloatType>(dst) || isa<IntegerType>(src));
  else
    fits |= (src.isF16() || src.isBF16()) && dst.isF32();
  if (fits)
    return success();
  return op->emitOpError() << "element types differ: source " << src
                           << ", destination " << dst;
}

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && !(value & (value - 1));
}

static LogicalResult verifyAtomics(Operation *op, bool isAtomic) {
  auto isOneOf = [&](StringRef name, StringRef first, StringRef second) {
    auto value = op->getAttrOfType<StringAttr>(name);
    return !value || value == first || value == second;
  };
  if (!isOneOf("memory_order", "relaxed", "acq_rel"))
    return op->emitOpError("needs memory_order = \"relaxed\" or \"acq_rel\"");
  if (!isOneOf("memory_scope", "gpu", "sys"))
    return op->emitOpError("needs memory_scope = \"gpu\" or \"sys\"");
  if (!isAtomic)
    for (StringRef name : {"memory_order", "memory_scope"})
      if (op->hasAttr(name))
        return op->emitOpError() << "has " << name << ", but no atomic";
  return success();
}

/// What only reductions by several CTAs have.
static LogicalResult verifySchedule(Operation *op, ExecScope exec,
                                    BufferType src, BufferType dst) {
  if (!isShared(exec)) {
    if (op->getNumOperands() > 2)
      return op->emitOpError("has a workspace, which is for 'grid'");
    for (StringRef name : {"threads", "vector", "unroll", "split", "waiting",
                           "streaming", "deterministic"})
      if (op->hasAttr(name))
        return op->emitOpError()
               << "has " << name << ", which is for 'grid' and 'cluster'";
    if (isPosition(op))
      return op->emitOpError("is for 'grid' and 'cluster'");
    bool isAtomic = op->hasAttr("atomic");
    if (isAtomic &&
        (dst.getScope() != MemoryScope::Global || !op->hasAttr("accum")))
      return op->emitOpError(
          "is atomic, which needs accum and a destination in global memory");
    return verifyAtomics(op, isAtomic);
  }
  for (BufferType buffer : {src, dst})
    if (buffer.getScope() != MemoryScope::Global)
      return op->emitOpError() << "is executed by several CTAs, and " << buffer
                               << " is not in global memory";
  if (auto threads = op->getAttrOfType<DenseI64ArrayAttr>("threads"))
    if (threads.size() != 2 || !isPowerOfTwo(threads[0]) ||
        !isPowerOfTwo(threads[1]))
      return op->emitOpError("needs threads = [R, K], two powers of two");
  for (StringRef name : {"vector", "unroll", "split", "waiting"})
    if (auto value = op->getAttrOfType<IntegerAttr>(name);
        value && value.getInt() < 1)
      return op->emitOpError() << "needs a positive " << name;
  if (auto vector = op->getAttrOfType<IntegerAttr>("vector")) {
    int64_t most = 128 / src.getElementType().getIntOrFloatBitWidth();
    if (!isPowerOfTwo(vector.getInt()) || vector.getInt() > most)
      return op->emitOpError()
             << "reads vectors of " << vector.getInt() << " "
             << src.getElementType() << "; they are powers of two up to "
             << most << ", 16 bytes";
  }
  if (op->hasAttr("atomic"))
    return op->emitOpError("has atomic, which is for scopes up to 'cta'");
  if (failed(verifyAtomics(op, op->hasAttr("accum"))))
    return failure();
  if (op->hasAttr("accum") && isPosition(op))
    return op->emitOpError("finds positions, and has no use for the old value");
  return success();
}

static LogicalResult verifyReduction(Operation *op, ExecScope exec,
                                     BufferType src, BufferType dst,
                                     ArrayRef<int64_t> axes) {
  if (failed(verifyFlags(op, exec, src)))
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
    if (size == 0 && !isShared(exec))
      return op->emitOpError() << "dimension " << dim << " has no elements";
  if (failed(
          verifyElements(op, exec, src.getElementType(), dst.getElementType())))
    return failure();
  if (failed(verifySchedule(op, exec, src, dst)))
    return failure();
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
LogicalResult ArgmaxOp::verify() {
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
LogicalResult ArgminOp::verify() {
  return verifyReduction(*this, getExec(), getSrc().getType(),
                         getDst().getType(), getAxes());
}
