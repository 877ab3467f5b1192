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

#define GET_ATTRDEF_CLASSES
#include "pto/PTOAttrs.h.inc"

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

/// An op that computes from `inputs` operands is written either
///   %d = op %a, %b keywords : A, B -> D           (values, Level 1)
///   op ins(%a, %b : A, B) outs(%d : D) keywords   (buffers, Level 2)
/// With `hasScratch` a tile may follow the inputs, which is checked to be there
/// and then left out.
ParseResult parseTileOp(OpAsmParser &parser, OperationState &result,
                        size_t inputs, bool hasFastMath,
                        bool hasScratch = false);
void printTileOp(OpAsmPrinter &printer, Operation *op);

/// The element types that a profile admits.
using ElementTypes = ArrayRef<StringRef>(StringRef profile);

/// Checks that the element type is one that `op`'s profile admits.
LogicalResult verifyElementType(Operation *op, Type type, ElementTypes typesOf);

/// Checks that exactly one of `outs` and the result is there, and that tiles
/// are values or buffers like it. Gives the type of the destination.
FailureOr<Type> verifyDestination(Operation *op, size_t inputs);

/// Checks that a tile of `op`, which it calls `what`, is plain: of space `vec`,
/// row-major, without boxes.
LogicalResult verifyPlainTile(Operation *op, StringRef what, TileDesc tile);

/// The forms of elementwise ops: what all their tiles have in common.
LogicalResult verifyElementwise(Operation *op, size_t inputs,
                                ElementTypes typesOf);
LogicalResult verifyTileScalar(Operation *op, size_t inputs,
                               ElementTypes typesOf);
LogicalResult verifyRowExpansion(Operation *op, size_t inputs,
                                 ElementTypes typesOf);
LogicalResult verifyColExpansion(Operation *op, size_t inputs,
                                 ElementTypes typesOf);
LogicalResult verifyRowPower(Operation *op, size_t inputs,
                             ElementTypes typesOf);
LogicalResult verifyColPower(Operation *op, size_t inputs,
                             ElementTypes typesOf);
LogicalResult verifyTranspose(Operation *op, size_t inputs,
                              ElementTypes typesOf);
LogicalResult verifyFillPad(Operation *op, size_t inputs, ElementTypes typesOf);
LogicalResult verifyCompare(Operation *op, size_t inputs, ElementTypes typesOf);
LogicalResult verifySelect(Operation *op, size_t inputs, ElementTypes typesOf);
LogicalResult verifySequence(Operation *op, size_t inputs,
                             ElementTypes typesOf);
LogicalResult verifyConversion(Operation *op, size_t inputs,
                               ElementTypes typesOf);

/// The constant behind an integer or index value.
std::optional<int64_t> constantOf(Value value);

/// The element types of loads and stores, and of arithmetic that a GPU has.
ArrayRef<StringRef> allElementTypes();

/// The element types of elementwise ops.
ElementTypes allTypes, arithmeticTypes, fusedTypes, divisionTypes, bitTypes,
    absoluteTypes, negationTypes, rectifierTypes, floatTypes, sequenceTypes;

} // namespace mlir::pto

#endif // PTO_PTO_H
