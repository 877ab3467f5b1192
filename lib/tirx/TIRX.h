//===- TIRX.h - the tirx dialect ------------------------------------------===//
#ifndef PTO_TIRX_H
#define PTO_TIRX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tirx/TIRXDialect.h.inc"
#include "tirx/TIRXEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tirx/TIRXAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tirx/TIRXTypes.h.inc"

#define GET_OP_CLASSES
#include "tirx/TIRXOps.h.inc"

namespace mlir::tirx {

/// Whether two extents can be the same: one of them is `?`, or they are equal.
inline bool compatible(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

/// Checks that the threads of `exec` are those over which `buffers` lie: a
/// local buffer without shards is one thread's, one with shards a warp's or a
/// CTA's.
LogicalResult verifyScope(Operation *op, ExecScope exec,
                          ArrayRef<BufferType> buffers);

} // namespace mlir::tirx

#endif // PTO_TIRX_H
