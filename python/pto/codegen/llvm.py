"""The pass `nvvm-to-ptx`: every `gpu.module` becomes the PTX of its kernels, in a `gpu.binary`.

MLIR's own `gpu-module-to-binary` runs LLVM's default pipeline, which was half of the compile time,
most of it in passes that look for what these kernels do not have (calls, globals, induction
variables worth vectors), or undo what the lowerings chose (vectors of memory accesses). Ours runs
the passes below, and selects instructions without those that LLVM's code generation adds: ptxas
does that work again, and knows the machine.
"""

from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto import _pto, target
from pto.errors import CompileError
from pto.passes import OpError

_COMBINE = "instcombine<max-iterations=1;no-verify-fixpoint>"
_SIMPLIFY = "simplifycfg<switch-range-to-icmp>"

PASSES = ",".join(
    [
        # What PTX asks for: the chip of `__nvvm_reflect`, the ranges of thread numbers; functions
        # of libdevice and of the program become parts of the kernels.
        "nvvm-reflect,function(nvvm-intr-range),inline,globaldce,ipsccp",
        "function("
        "sroa<modify-cfg>,early-cse<memssa>,speculative-execution<only-if-divergent-target>",
        f"{_SIMPLIFY},{_COMBINE},reassociate",
        # What does not change in a loop is not moved out of it once more after it is rotated: ptxas
        # moves what pays, and here it would only hold registers.
        "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate)",
        "loop(loop-unroll-full)",
        "sroa<modify-cfg>,early-cse<memssa>",
        "simplifycfg<switch-range-to-icmp;no-keep-loops;hoist-common-insts;sink-common-insts>",
        f"{_COMBINE},infer-alignment,{_SIMPLIFY})",
    ]
)
"""The passes of LLVM, in its notation."""


def to_ptx(module: ir.Module) -> None:
    """The pass `nvvm-to-ptx`."""
    for op in list(module.body.operations):
        if isinstance(op, gpu.GPUModuleOp):
            with ir.InsertionPoint(op), op.operation.location:
                _assemble(op)
            op.operation.erase()


def _assemble(gpu_module: gpu.GPUModuleOp) -> None:
    try:
        chip = target.of(gpu_module)
    except CompileError as error:
        raise OpError(gpu_module, f"has {error}") from None
    objects = _pto.to_ptx(gpu_module.operation, chip.chip, target.features(chip), PASSES)
    if objects is None:
        raise OpError(gpu_module, "has no form in LLVM IR")
    attributes: Any = gpu_module.operation.attributes
    handler = ir.Attribute.parse("#gpu.select_object")
    gpu.BinaryOp(attributes["sym_name"], objects, offloadingHandler=handler)
