//===- PTO.h - the pto dialect --------------------------------------------===//
#ifndef PTO_PTO_H
#define PTO_PTO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pto/PTODialect.h.inc"
#include "pto/PTOEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pto/PTOTypes.h.inc"

#include "pto/PTOInterfaces.h.inc"

#define GET_OP_CLASSES
#include "pto/PTOOps.h.inc"

namespace mlir::pto {

/// What a tile value and a tile buffer have in common; `?` is kDynamic.
struct TileDesc {
  TileSpace space = TileSpace::Vec;
  int64_t rows = 0, cols = 0;
  Type elementType;
  int64_t validRows = 0, validCols = 0;
  BoxLayout blayout = BoxLayout::RowMajor, slayout = BoxLayout::NoneBox;
  int64_t fractal = 512, pad = 0;

  /// `type` is a TileType or a TileBufType.
  static TileDesc of(Type type);
};

/// Parses `%operand` without a type: that of the value, which must be defined
/// above.
ParseResult parseDefinedOperand(OpAsmParser &parser,
                                SmallVectorImpl<Value> &operands);

/// Parses `[: type]`, which must be the type of `value`.
ParseResult parseOptionalType(OpAsmParser &parser, Value value);

/// An op that computes from `ins` to `outs` is written either
///   %d = op %s keywords : S -> D           (values, Level 1)
///   op ins(%s : S) outs(%d : D) keywords   (buffers, Level 2)
ParseResult parseUnaryTileOp(OpAsmParser &parser, OperationState &result,
                             bool hasFastMath);
void printUnaryTileOp(OpAsmPrinter &printer, Operation *op);

/// Checks that the element type is one that `op`'s profile admits.
LogicalResult verifyElementType(Operation *op, Type type,
                                ArrayRef<StringRef> (*typesOf)(StringRef));

/// The constant behind an integer or index value.
std::optional<int64_t> constantOf(Value value);

/// The element types of loads and stores, and of arithmetic that a GPU has.
ArrayRef<StringRef> allElementTypes();

} // namespace mlir::pto

#endif // PTO_PTO_H
