//===- PTODialect.cpp - registration, module attributes, shared syntax ----===//
#include "pto/PTO.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pto;

#include "pto/PTODialect.cpp.inc"
#include "pto/PTOEnums.cpp.inc"
#include "pto/PTOInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pto/PTOTypes.cpp.inc"

namespace {
/// Tile code may be inlined into any caller: helpers are only a way to write.
struct PTOInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void PTODialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pto/PTOTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pto/PTOOps.cpp.inc"
      >();
  addInterfaces<PTOInliner>();
}

LogicalResult PTODialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  auto positive = [&](int64_t most) -> LogicalResult {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (value && value.getValue().getSignificantBits() <= 64) {
      int64_t number = value.getValue().getSExtValue();
      if (number >= 1 && number <= most)
        return success();
    }
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' must be an integer from 1 to " << most;
  };
  StringRef name = attr.getName().getValue();
  auto text = dyn_cast<StringAttr>(attr.getValue());
  if (name == "pto.profile" &&
      (!text || (text.getValue() != "a2a3" && text.getValue() != "a5")))
    return op->emitError() << "unknown profile " << attr.getValue()
                           << "; 'pto.profile' is \"a2a3\" or \"a5\"";
  if (name == "pto.target" && !text)
    return op->emitError("'pto.target' must be a string such as \"sm_90a\"");
  if (name == "pto.grid")
    return positive(std::numeric_limits<int32_t>::max());
  if (name == "pto.block")
    return positive(1024);
  return success();
}

std::optional<int64_t> pto::constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

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

static ParseResult parseTyped(OpAsmParser &parser, StringRef keyword,
                              SmallVectorImpl<Value> &operands) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  return failure(parser.parseKeyword(keyword) || parser.parseLParen() ||
                 parser.parseOperand(operand) || parser.parseColonType(type) ||
                 parser.parseRParen() ||
                 parser.resolveOperand(operand, type, operands));
}

static ParseResult parseFastMath(OpAsmParser &parser, OperationState &result) {
  arith::FastMathFlagsAttr flags;
  if (failed(parser.parseOptionalKeyword("fastmath")))
    return success();
  flags = dyn_cast_if_present<arith::FastMathFlagsAttr>(
      arith::FastMathFlagsAttr::parse(parser, {}));
  if (!flags)
    return failure();
  result.addAttribute("fastmath", flags);
  return success();
}

ParseResult pto::parseUnaryTileOp(OpAsmParser &parser, OperationState &result,
                                  bool hasFastMath) {
  auto keywords = [&]() -> ParseResult {
    if (hasFastMath && parseFastMath(parser, result))
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    NamedAttrList attributes;
    if (parser.parseOptionalAttrDict(attributes))
      return failure();
    if (attributes.get("fastmath"))
      return parser.emitError(loc, "fast-math flags are written fastmath<...>");
    result.addAttributes(attributes);
    return success();
  };
  OpAsmParser::UnresolvedOperand source;
  OptionalParseResult isValueForm = parser.parseOptionalOperand(source);
  if (!isValueForm.has_value())
    return failure(parseTyped(parser, "ins", result.operands) ||
                   parseTyped(parser, "outs", result.operands) || keywords());
  Type sourceType, resultType;
  if (*isValueForm || keywords() || parser.parseColonType(sourceType) ||
      parser.parseArrow() || parser.parseType(resultType) ||
      parser.resolveOperand(source, sourceType, result.operands))
    return failure();
  result.addTypes(resultType);
  return success();
}

void pto::printUnaryTileOp(OpAsmPrinter &printer, Operation *op) {
  auto keywords = [&] {
    auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
    if (flags && flags.getValue() != arith::FastMathFlags::none) {
      printer << " fastmath";
      flags.print(printer);
    }
    printer.printOptionalAttrDict(op->getAttrs(), {"fastmath"});
  };
  Value source = op->getOperand(0);
  if (op->getNumResults()) {
    printer << " " << source;
    keywords();
    printer << " : " << source.getType() << " -> "
            << op->getResult(0).getType();
    return;
  }
  Value target = op->getOperand(1);
  printer << " ins(" << source << " : " << source.getType() << ") outs("
          << target << " : " << target.getType() << ")";
  keywords();
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

ArrayRef<StringRef> pto::allElementTypes() {
  static const StringRef all[] = {"f16", "bf16", "f32", "f64",  "i8",   "i16",
                                  "i32", "i64",  "ui8", "ui16", "ui32", "ui64"};
  return all;
}

LogicalResult
pto::verifyElementType(Operation *op, Type type,
                       ArrayRef<StringRef> (*typesOf)(StringRef)) {
  StringRef profile;
  for (Operation *parent = op; parent && profile.empty();
       parent = parent->getParentOp())
    if (auto attr = parent->getAttrOfType<StringAttr>("pto.profile"))
      profile = attr.getValue();
  std::string spelled;
  llvm::raw_string_ostream(spelled) << type;
  ArrayRef<StringRef> admitted = typesOf(profile);
  if (llvm::is_contained(admitted, spelled))
    return success();
  auto error = op->emitOpError() << "does not take elements of type " << type;
  if (!profile.empty())
    error << " in profile '" << profile << "'";
  return error << "; it takes " << llvm::join(admitted, ", ");
}
