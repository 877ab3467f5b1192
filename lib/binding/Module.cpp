//===- Module.cpp - the extension module pto._pto -------------------------===//
#include "Binding.h"

#include "pto/PTO.h"
#include "tirx/TIRX.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

static std::vector<std::string> elementTypes(MlirContext context,
                                             const std::string &op,
                                             const std::string &profile) {
  auto name = RegisteredOperationName::lookup(op, unwrap(context));
  auto *interface = name ? name->getInterface<pto::TileOpInterface>() : nullptr;
  if (!interface)
    throw nb::value_error(("'" + op + "' is no tile operation").c_str());
  std::vector<std::string> types;
  for (StringRef type : interface->getElementTypes(profile))
    types.push_back(type.str());
  return types;
}

static void loadDialects(MlirContext context,
                         const std::vector<std::string> &names) {
  for (const std::string &name : names)
    if (!unwrap(context)->getOrLoadDialect(name))
      throw nb::value_error(("there is no dialect '" + name + "'").c_str());
}

NB_MODULE(_pto, m) {
  m.doc() = "The pto and tirx dialects, and drivers for Python passes";
  m.def(
      "register_dialects",
      [](MlirDialectRegistry registry) {
        DialectRegistry &dialects = *unwrap(registry);
        dialects.insert<pto::PTODialect, tirx::TIRXDialect>();
        // Python contexts have these; pto-opt's own do not.
        registerBuiltinDialectTranslation(dialects);
        registerGPUDialectTranslation(dialects);
        registerLLVMDialectTranslation(dialects);
        registerNVVMDialectTranslation(dialects);
      },
      nb::arg("registry"), "Makes every later Context know pto and tirx.");
  m.def("load_dialects", loadDialects, nb::arg("context"), nb::arg("names"),
        "Loads dialects into a context, and not their Python classes, which "
        "are loaded when Python first meets one of their operations.");
  m.def("element_types", elementTypes, nb::arg("context"), nb::arg("op"),
        nb::arg("profile") = "",
        "The element types that tile operation `op` admits under `profile` "
        "('a2a3', 'a5', or '' for no profile), spelled as in the IR.");
  pto_binding::bindCodegen(m);
  pto_binding::bindTypes(m);
  pto_binding::bindPasses(m);
  pto_binding::bindTools(m);
}
