//===- PTOSyntax.cpp - how tile ops and their attributes are written ------===//
#include "pto/PTO.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// The name under which an op has a mode; empty for all other attributes.
static StringRef keyOfMode(Attribute attribute) {
  return TypeSwitch<Attribute, StringRef>(attribute)
      .Case<CompareAttr>([](auto) { return "cmp"; })
      .Case<RoundingAttr>([](auto) { return "rmode"; })
      .Case<SaturationAttr>([](auto) { return "sat"; })
      .Default([](auto) { return ""; });
}

/// A mode goes by its kind, whatever its key: `{cmp = #pto<cmp LT>}`. All other
/// attributes are kept as they are.
static ParseResult parseAttributes(OpAsmParser &parser,
                                   OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList attributes;
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  for (NamedAttribute attribute : attributes) {
    if (attribute.getName() == "fastmath")
      return parser.emitError(loc, "fast-math flags are written fastmath<...>");
    if (StringRef key = keyOfMode(attribute.getValue()); !key.empty())
      result.addAttribute(key, attribute.getValue());
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

/// Whether an attribute says what holds without it.
static bool isDefault(Attribute attribute) {
  if (auto mode = dyn_cast<RoundingAttr>(attribute))
    return mode.getMode() == RoundMode::NONE;
  if (auto mode = dyn_cast<SaturationAttr>(attribute))
    return mode.getMode() == SaturationMode::OFF;
  return false;
}

void pto::printTileOp(OpAsmPrinter &printer, Operation *op) {
  auto keywords = [&] {
    auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
    if (flags && flags.getValue() != arith::FastMathFlags::none) {
      printer << " fastmath";
      flags.print(printer);
    }
    SmallVector<StringRef> hidden{"fastmath"};
    for (NamedAttribute attribute : op->getAttrs())
      if (isDefault(attribute.getValue()))
        hidden.push_back(attribute.getName());
    if (auto sequence = dyn_cast<TCIOp>(op);
        sequence && !sequence.getDescending())
      hidden.push_back("descending");
    printer.printOptionalAttrDict(op->getAttrs(), hidden);
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

/// One of the words of an enum.
template <typename AttrT, typename Mode>
static Attribute parseMode(AsmParser &parser, StringRef what,
                           std::optional<Mode> (*symbolize)(StringRef),
                           StringRef choices) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  if (std::optional<Mode> mode = symbolize(word.upper()))
    return AttrT::get(parser.getContext(), *mode);
  parser.emitError(loc) << "unknown " << what << " '" << word
                        << "'; it is one of " << choices;
  return {};
}

Attribute CompareAttr::parse(AsmParser &parser, Type) {
  return parseMode<CompareAttr, CompareMode>(
      parser, "relation", symbolizeCompareMode, "EQ, NE, LT, GT, LE, GE");
}
void CompareAttr::print(AsmPrinter &printer) const {
  printer << " " << stringifyCompareMode(getMode());
}

Attribute RoundingAttr::parse(AsmParser &parser, Type) {
  return parseMode<RoundingAttr, RoundMode>(
      parser, "rounding mode", symbolizeRoundMode,
      "NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD");
}
void RoundingAttr::print(AsmPrinter &printer) const {
  printer << " " << stringifyRoundMode(getMode());
}

Attribute SaturationAttr::parse(AsmParser &parser, Type) {
  return parseMode<SaturationAttr, SaturationMode>(
      parser, "saturation", symbolizeSaturationMode, "OFF, ON");
}
void SaturationAttr::print(AsmPrinter &printer) const {
  printer << " " << stringifySaturationMode(getMode());
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
