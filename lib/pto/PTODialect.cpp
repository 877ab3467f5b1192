//===- PTODialect.cpp - registration, module attributes -----------===//
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

#define GET_ATTRDEF_CLASSES
#include "pto/PTOAttrs.cpp.inc"

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
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pto/PTOAttrs.cpp.inc"
      >();
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
