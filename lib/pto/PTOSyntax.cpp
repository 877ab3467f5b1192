//===- PTOSyntax.cpp - how tile ops and their attributes are written ------===//
#include "pto/PTO.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::pto;

/// The type of an SSA value that is already defined. The parser resolves a name
/// only against an expected type, but its complaint about a wrong one carries
/// the right one: ask with a type that no value has, and read the answer.
static Type typeOfDefinedValue(OpAsmParser &parser,
                               OpAsmParser::UnresolvedOperand operand) {
  Type found;
  ScopedDiagnosticHandler handler(
      parser.getContext(), [&](Diagnostic &diagnostic) {
        for (DiagnosticArgument &argument : diagnostic.getArguments())
          if (argument.getKind() ==
              DiagnosticArgument::DiagnosticArgumentKind::Type)
            found = argument.getAsType();
        return success();
      });
  SmallVector<Value> ignored;
  Type impossible = FunctionType::get(parser.getContext(), {}, {});
  (void)parser.resolveOperand(operand, impossible, ignored);
  return found;
}

ParseResult pto::parseDefinedOperand(OpAsmParser &parser,
                                     SmallVectorImpl<Value> &operands) {
  OpAsmParser::UnresolvedOperand operand;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(operand))
    return failure();
  Type type = typeOfDefinedValue(parser, operand);
  if (!type)
    return parser.emitError(loc) << "use of undeclared value '" << operand.name
                                 << "'; a tile must be defined above";
  return parser.resolveOperand(operand, type, operands);
}

ParseResult pto::parseOptionalType(OpAsmParser &parser, Value value) {
  Type type;
  if (failed(parser.parseOptionalColon()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (type != value.getType())
    return parser.emitError(loc) << "the tile is of type " << value.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Tile ops
//===----------------------------------------------------------------------===//

/// An attribute of one of our kinds goes by its kind, whatever its key: `{cmp =
/// #pto<cmp LT>}`. All others are kept as they are.
static ParseResult parseAttributes(OpAsmParser &parser,
                                   OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList attributes;
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  for (NamedAttribute attribute : attributes) {
    if (attribute.getName() == "fastmath")
      return parser.emitError(loc, "fast-math flags are written fastmath<...>");
    if (isa<CompareAttr>(attribute.getValue()))
      result.addAttribute("cmp", attribute.getValue());
    else
      result.attributes.append(attribute);
  }
  return success();
}

static ParseResult parseKeywords(OpAsmParser &parser, OperationState &result,
                                 bool hasFastMath) {
  if (hasFastMath && succeeded(parser.parseOptionalKeyword("fastmath"))) {
    auto flags = dyn_cast_if_present<arith::FastMathFlagsAttr>(
        arith::FastMathFlagsAttr::parse(parser, {}));
    if (!flags)
      return failure();
    result.addAttribute("fastmath", flags);
  }
  return parseAttributes(parser, result);
}

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

namespace {
/// How many operands an op takes, and whether a scratch tile may follow them.
struct Inputs {
  size_t count;
  bool hasScratch;
};
} // namespace

/// `: type, type, ...`, one for each of the operands, which are appended to
/// those of the op. A scratch tile is not.
static ParseResult resolveTyped(OpAsmParser &parser, OperationState &result,
                                SMLoc loc, const Operands &operands,
                                Inputs inputs) {
  bool isScratchThere =
      inputs.hasScratch && operands.size() == inputs.count + 1;
  if (operands.size() != inputs.count && !isScratchThere)
    return parser.emitError(loc) << "takes " << inputs.count << " operands"
                                 << ", not " << operands.size();
  SmallVector<Type> types;
  if (parser.parseColonTypeList(types) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  if (isScratchThere)
    result.operands.pop_back();
  return success();
}

ParseResult pto::parseTileOp(OpAsmParser &parser, OperationState &result,
                             size_t count, bool hasFastMath, bool hasScratch) {
  Inputs inputs{count, hasScratch};
  Operands operands;
  OpAsmParser::UnresolvedOperand first, target;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult isValueForm = parser.parseOptionalOperand(first);
  if (!isValueForm.has_value()) {
    Type type;
    if (parser.parseKeyword("ins") || parser.parseLParen() ||
        parser.parseOperandList(operands) || parseAttributes(parser, result) ||
        resolveTyped(parser, result, loc, operands, inputs))
      return failure();
    return failure(parser.parseRParen() || parser.parseKeyword("outs") ||
                   parser.parseLParen() || parser.parseOperand(target) ||
                   parser.parseColonType(type) || parser.parseRParen() ||
                   parser.resolveOperand(target, type, result.operands) ||
                   parseKeywords(parser, result, hasFastMath));
  }
  operands.push_back(first);
  if (*isValueForm)
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseOperandList(operands))
    return failure();
  Type type;
  if (parseKeywords(parser, result, hasFastMath) ||
      resolveTyped(parser, result, loc, operands, inputs) ||
      parser.parseArrow() || parser.parseType(type))
    return failure();
  result.addTypes(type);
  return success();
}

void pto::printTileOp(OpAsmPrinter &printer, Operation *op) {
  auto keywords = [&] {
    auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
    if (flags && flags.getValue() != arith::FastMathFlags::none) {
      printer << " fastmath";
      flags.print(printer);
    }
    printer.printOptionalAttrDict(op->getAttrs(), {"fastmath"});
  };
  if (op->getNumResults()) {
    printer << " " << op->getOperands();
    keywords();
    printer << " : " << op->getOperandTypes() << " -> "
            << op->getResult(0).getType();
    return;
  }
  ValueRange inputs = op->getOperands().drop_back();
  Value target = op->getOperands().back();
  printer << " ins(" << inputs << " : " << inputs.getTypes() << ") outs("
          << target << " : " << target.getType() << ")";
  keywords();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute CompareAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  if (std::optional<CompareMode> mode = symbolizeCompareMode(word.upper()))
    return CompareAttr::get(parser.getContext(), *mode);
  parser.emitError(loc) << "unknown relation '" << word
                        << "'; it is one of EQ, NE, LT, GT, LE, GE";
  return {};
}

void CompareAttr::print(AsmPrinter &printer) const {
  printer << " " << stringifyCompareMode(getMode());
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<ViewLayout> order = symbolizeViewLayout(word.lower());
  if (!order) {
    parser.emitError(loc) << "unknown layout '" << word
                          << "'; it is one of nd, dn, nz";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), *order);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyViewLayout(getOrder()) << ">";
}
