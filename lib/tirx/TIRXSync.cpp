//===- TIRXSync.cpp - clusters, mbarriers, groups of copies ---------------===//
#include "tirx/TIRX.h"

using namespace mlir;
using namespace mlir::tirx;

LogicalResult MBarrierAtOp::verify() {
  BufferType type = getBarriers().getType();
  if (isa<MBarrierType>(type.getElementType()) && type.getShape().size() == 1)
    return success();
  return emitOpError() << "takes a buffer of mbarriers with one dimension, not "
                       << type;
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
  if (static_cast<int64_t>(getPending()) < 0)
    return emitOpError("leaves a negative number of groups under way");
  if (getRead() && getKind() != CopyGroup::Bulk)
    return emitOpError("with 'read' is for bulk copies");
  return success();
}
