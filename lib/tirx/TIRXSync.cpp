//===- TIRXSync.cpp - clusters, mbarriers, groups of copies ---------------===//
#include "tirx/TIRX.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tirx;

/// The value of an operand that is a constant.
static std::optional<int64_t> constant(Value value) {
  APInt found;
  if (matchPattern(value, m_ConstantInt(&found)))
    return found.getSExtValue();
  return std::nullopt;
}

LogicalResult MBarrierAtOp::verify() {
  BufferType type = getBarriers().getType();
  if (!isa<MBarrierType>(type.getElementType()) || type.getShape().size() != 1)
    return emitOpError()
           << "takes a buffer of mbarriers with one dimension, not " << type;
  int64_t size = type.getShape()[0];
  std::optional<int64_t> position = constant(getPosition());
  if (position &&
      (*position < 0 || (!ShapedType::isDynamic(size) && *position >= size)))
    return emitOpError() << "takes mbarrier " << *position << " of " << type;
  return success();
}

LogicalResult MBarrierWaitOp::verify() {
  std::optional<int64_t> parity = constant(getParity());
  if (parity && *parity != 0 && *parity != 1)
    return emitOpError() << "waits for parity " << *parity
                         << "; phases alternate between 0 and 1";
  return success();
}

/// What the count of arrivals can hold (PTX ISA, mbarrier contents).
static constexpr int64_t mostArrivals = (1 << 20) - 1;

LogicalResult MBarrierInitOp::verify() {
  int64_t count = getCount();
  if (count >= 1 && count <= mostArrivals)
    return success();
  return emitOpError() << "expects 1 to " << mostArrivals
                       << " arrivals per phase, not " << count;
}

LogicalResult WaitGroupOp::verify() {
  int64_t pending = getPending();
  if (pending < 0 || pending > INT32_MAX)
    return emitOpError() << "leaves " << pending << " groups under way";
  if (getRead() && getKind() != CopyGroup::Bulk)
    return emitOpError("with 'read' is for bulk copies");
  return success();
}
