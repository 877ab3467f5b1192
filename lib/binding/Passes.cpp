//===- Passes.cpp - Python passes by name, pipelines, remarks -------------===//
//
// MLIR's own bindings add a Python callable to a pass manager, but give it no
// name in textual pipelines. Here a pass is registered under a name, so that
// pto-opt, crash reproducers and IR printing treat it as any other.
//
//===----------------------------------------------------------------------===//
#include "Binding.h"

#include "tirx/TIRX.h"

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir-c/Pass.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringMap.h"
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TIRX, tirx, mlir::tirx::TIRXDialect)

namespace {
struct PythonPass {
  nb::callable run;
  std::string name, description;
  TypeID id;
};
} // namespace

static MlirStringRef toC(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

static std::unique_ptr<Pass> createPass(PythonPass *pass) {
  MlirExternalPassCallbacks callbacks{};
  callbacks.construct = [](void *) {};
  callbacks.destruct = [](void *) {};
  callbacks.clone = [](void *self) { return self; };
  callbacks.run = [](MlirOperation op, MlirExternalPass handle, void *self) {
    nb::gil_scoped_acquire gil;
    auto *pass = static_cast<PythonPass *>(self);
    // `run` reports mistakes in the program itself and answers whether it
    // succeeded; what it raises is a bug, which must not unwind through MLIR.
    try {
      if (!nb::cast<bool>(pass->run(op)))
        mlirExternalPassSignalFailure(handle);
    } catch (nb::python_error &error) {
      unwrap(op)->emitError()
          << "internal error in pass '" << pass->name << "': " << error.what();
      mlirExternalPassSignalFailure(handle);
    }
  };
  // What Python passes build with; a dialect cannot be loaded while passes run.
  MlirDialectHandle dialects[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__cf__(),
      mlirGetDialectHandle__gpu__(),    mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__memref__(), mlirGetDialectHandle__nvvm__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__tirx__(),
      mlirGetDialectHandle__vector__()};
  MlirPass created = mlirCreateExternalPass(
      MlirTypeID{pass->id.getAsOpaquePointer()}, toC(pass->name),
      toC(pass->name), toC(pass->description),
      mlirStringRefCreateFromCString("builtin.module"), std::size(dialects),
      dialects, callbacks, pass);
  return std::unique_ptr<Pass>(unwrap(created));
}

/// MLIR aborts on a second registration of a name; the latest callable wins.
static void registerPythonPass(const std::string &name, nb::callable run,
                               const std::string &description) {
  // Passes live as long as the process: MLIR's registry has no way to remove
  // one.
  static auto *passes = new llvm::StringMap<PythonPass *>();
  static auto *ids = new TypeIDAllocator();
  PythonPass *&pass = (*passes)[name];
  if (pass) {
    pass->run = std::move(run);
    return;
  }
  pass = new PythonPass{std::move(run), name, description, ids->allocate()};
  registerPass([pass = pass] { return createPass(pass); });
}

static void registerPipeline(const std::string &name, const std::string &passes,
                             const std::string &description) {
  registerPassPipeline(
      name, description,
      [passes](OpPassManager &manager, StringRef,
               function_ref<LogicalResult(const Twine &)>) {
        return parsePassPipeline(passes, manager);
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

/// In program order. `matches` is asked once per name: a kernel has few names
/// and many operations.
static std::vector<MlirOperation>
find(MlirOperation root,
     const std::function<bool(const std::string &)> &matches) {
  llvm::DenseMap<OperationName, bool> known;
  std::vector<MlirOperation> found;
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto [place, isNew] = known.try_emplace(op->getName(), false);
    if (isNew)
      place->second = matches(op->getName().getStringRef().str());
    if (place->second)
      found.push_back(wrap(op));
  });
  return found;
}

void pto_binding::bindPasses(nb::module_ &m) {
  m.def(
      "register_pass", registerPythonPass, nb::arg("name"), nb::arg("run"),
      nb::arg("description"),
      "Gives `run(Operation) -> bool` a name in textual pipelines; it runs on "
      "`builtin.module`.");
  m.def("find", find, nb::arg("root"), nb::arg("matches"),
        "The operations under `root`, itself included, whose names match, in "
        "program order.");
  m.def("register_pipeline", registerPipeline, nb::arg("name"),
        nb::arg("passes"), nb::arg("description"),
        "Gives a textual pipeline a name of its own.");
  m.def(
      "remark",
      [](MlirLocation location, bool applied, const std::string &name,
         const std::string &text) {
        auto options = remark::RemarkOpts::name(name).category("tirx-dispatch");
        if (applied)
          remark::passed(unwrap(location), options) << StringRef(text);
        else
          remark::missed(unwrap(location), options) << StringRef(text);
      },
      nb::arg("location"), nb::arg("applied"), nb::arg("name"), nb::arg("text"),
      "Emits an optimization remark, which --remarks-filter=tirx-dispatch "
      "shows.");
  m.def(
      "warning",
      [](MlirLocation location, const std::string &text) {
        emitWarning(unwrap(location)) << text;
      },
      nb::arg("location"), nb::arg("text"), "Emits a warning.");
}
