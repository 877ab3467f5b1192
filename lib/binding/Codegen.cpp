//===- Codegen.cpp - NVVM to PTX by LLVM passes of our choice -------------===//
//
// MLIR's gpu-module-to-binary runs LLVM's default pipelines, which do for a
// long kernel much that pays on a CPU only.
//
//===----------------------------------------------------------------------===//
#include "Binding.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

static const char *const kTriple = "nvptx64-nvidia-cuda";

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const std::string &chip, const std::string &features) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple(kTriple);
  std::string error;
  const auto *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    throw nb::value_error(error.c_str());
  // PTX is optimized once more when it is assembled, and what LLVM does to it
  // before (addresses kept across loops, completed vectors) costs registers.
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, features, {}, {}, {}, llvm::CodeGenOptLevel::None));
}

/// Links what the module calls of libdevice, NVIDIA's library of mathematical
/// functions; false after a diagnostic.
static bool linkLibdevice(llvm::Module &module, mlir::Operation &gpuModule) {
  bool isNeeded = llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
  if (!isNeeded)
    return true;
  mlir::NVVM::SerializeGPUModuleBase libraries(
      gpuModule, mlir::NVVM::NVVMTargetAttr::get(gpuModule.getContext()));
  auto found = libraries.loadBitcodeFiles(module);
  if (!found)
    return false;
  llvm::Linker linker(module);
  for (std::unique_ptr<llvm::Module> &library : *found) {
    library->setTargetTriple(module.getTargetTriple());
    library->setDataLayout(module.getDataLayout());
    bool failed = linker.linkInModule(
        std::move(library), llvm::Linker::Flags::LinkOnlyNeeded,
        [](llvm::Module &linked, const llvm::StringSet<> &names) {
          llvm::internalizeModule(
              linked, [&names](const llvm::GlobalValue &value) {
                return !value.hasName() || !names.count(value.getName());
              });
        });
    if (failed)
      return false;
  }
  return true;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     const std::string &passes) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes))
    throw nb::value_error(llvm::toString(std::move(error)).c_str());
  manager.run(module, modules);
}

/// None after a diagnostic: an operation has no form in LLVM IR.
static std::optional<MlirAttribute> toPTX(MlirOperation gpuModule,
                                          const std::string &chip,
                                          const std::string &features,
                                          const std::string &passes) {
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  auto module =
      mlir::translateModuleToLLVMIR(unwrap(gpuModule), context, "kernels",
                                    /*disableVerification=*/true);
  if (!module)
    return std::nullopt;
  auto machine = createTargetMachine(chip, features);
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  if (!linkLibdevice(*module, *unwrap(gpuModule)))
    return std::nullopt;
  optimize(*module, *machine, passes);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile,
                                   /*DisableVerify=*/true))
    throw nb::value_error("LLVM's NVPTX target emits no assembly");
  codegen.run(*module);
  mlir::Operation *op = unwrap(gpuModule);
  auto target = op->getAttrOfType<mlir::ArrayAttr>("targets")[0];
  auto object = mlir::gpu::ObjectAttr::get(
      op->getContext(), target, mlir::gpu::CompilationTarget::Assembly,
      mlir::StringAttr::get(op->getContext(), text), {}, {});
  return wrap(mlir::ArrayAttr::get(op->getContext(), object));
}

/// The Python classes of a dialect are loaded when Python meets an attribute of
/// it, which takes longer than most passes.
static void setAttribute(MlirOperation op, const std::string &name,
                         const std::string &text) {
  mlir::Attribute attribute =
      mlir::parseAttribute(text, unwrap(op)->getContext());
  if (!attribute)
    throw nb::value_error(text.c_str());
  unwrap(op)->setAttr(name, attribute);
}

void pto_binding::bindCodegen(nb::module_ &m) {
  m.def("to_ptx", toPTX, nb::arg("gpu_module"), nb::arg("chip"),
        nb::arg("features"), nb::arg("passes"),
        "The PTX of a gpu.module in the NVVM dialect, after the LLVM passes of "
        "a textual pipeline, as the objects of a gpu.binary; None after a "
        "diagnostic.");
  m.def("set_attribute", setAttribute, nb::arg("op"), nb::arg("name"),
        nb::arg("text"), "Sets an attribute that is given as text.");
}
