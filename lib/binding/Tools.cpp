//===- Tools.cpp - the drivers of pto-opt and pto-lsp-server --------------===//
#include "Binding.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

static std::vector<char *> toArgv(std::vector<std::string> &arguments) {
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  return argv;
}

// Passes written in Python take the GIL when they run.
static int optMain(std::vector<std::string> arguments,
                   MlirDialectRegistry registry) {
  std::vector<char *> argv = toArgv(arguments);
  nb::gil_scoped_release release;
  return asMainReturnCode(MlirOptMain(static_cast<int>(argv.size()),
                                      argv.data(), "pto optimizer driver\n",
                                      *unwrap(registry)));
}

static int lspMain(std::vector<std::string> arguments,
                   MlirDialectRegistry registry) {
  std::vector<char *> argv = toArgv(arguments);
  nb::gil_scoped_release release;
  return asMainReturnCode(MlirLspServerMain(static_cast<int>(argv.size()),
                                            argv.data(), *unwrap(registry)));
}

void pto_binding::bindTools(nb::module_ &m) {
  m.def("opt_main", optMain, nb::arg("argv"), nb::arg("registry"),
        "Runs MlirOptMain; returns the exit status.");
  m.def("lsp_main", lspMain, nb::arg("argv"), nb::arg("registry"),
        "Runs the MLIR language server on stdin and stdout.");
}
