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
