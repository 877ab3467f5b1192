//===- PTOKernel.cpp - kernels --------------------------------------------===//
#include "pto/PTO.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::pto;

#define GET_OP_CLASSES
#include "pto/PTOOps.cpp.inc"

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto type = [](Builder &builder, ArrayRef<Type> arguments,
                 ArrayRef<Type> results, function_interface_impl::VariadicFlag,
                 std::string &) { return builder.getFunctionType(arguments, results); };
  if (function_interface_impl::parseFunctionOp(
          parser, result, /*allowVariadic=*/false,
          getFunctionTypeAttrName(result.name), type,
          getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name)))
    return failure();
  Region &body = *result.regions.front();
  if (body.empty())
    return parser.emitError(parser.getNameLoc(), "'pto.kernel' needs a body");
  ensureTerminator(body, parser.getBuilder(), result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  if (!getFunctionType().getResults().empty())
    return emitOpError("has no results; write them to its arguments");
  for (Type type : getArgumentTypes())
    if (!isa<PtrType, TensorViewType, IndexType>(type) && !type.isIntOrFloat())
      return emitOpError() << "takes pointers, tensor views and scalars, not "
                           << type;
  return success();
}
