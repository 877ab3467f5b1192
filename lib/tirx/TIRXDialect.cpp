//===- TIRXDialect.cpp - registration -------------------------------------===//
#include "tirx/TIRX.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tirx;

#include "tirx/TIRXDialect.cpp.inc"
#include "tirx/TIRXEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tirx/TIRXAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tirx/TIRXTypes.cpp.inc"

#define GET_OP_CLASSES
#include "tirx/TIRXOps.cpp.inc"

LogicalResult tirx::verifyScope(Operation *op, ExecScope exec,
                                ArrayRef<BufferType> buffers) {
  for (BufferType buffer : buffers) {
    if (isa<MBarrierType>(buffer.getElementType()))
      return op->emitOpError()
             << "takes data, and " << buffer << " holds mbarriers";
    if (buffer.getScope() != MemoryScope::Local)
      continue;
    if (exec == ExecScope::Thread && buffer.isDistributed())
      return op->emitOpError()
             << "is executed by a thread, but " << buffer
             << " lies in several; take the thread's part with tirx.own";
    if (exec != ExecScope::Thread && !buffer.isDistributed())
      return op->emitOpError()
             << "is executed by a " << stringifyExecScope(exec) << ", but "
             << buffer << " is one thread's; give it shards, or use 'thread'";
    SmallVector<BufferType::Shard> shards = buffer.getShards();
    shards.append(buffer.getReplicas());
    if (exec == ExecScope::Warp && llvm::any_of(shards, [](const auto &shard) {
          return shard.axis == Axis::Warp && shard.extent > 1;
        }))
      return op->emitOpError() << "is executed by a warp, but " << buffer
                               << " lies in several; use 'warpgroup' or 'cta'";
  }
  return success();
}

void TIRXDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tirx/TIRXAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tirx/TIRXTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tirx/TIRXOps.cpp.inc"
      >();
}
