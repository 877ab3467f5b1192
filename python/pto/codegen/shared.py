"""The pass `nvvm-extern-shared`: the size of shared memory comes from the launch.

MLIR lowers `gpu.dynamic_shared_memory` to an internal array of no elements, which PTX would reserve
as one byte of static shared memory. An external one is what the launch sizes.
"""

from typing import Any

from mlir import ir

from pto import _pto
from pto.lowering.storage import ALIGNMENT
from pto.passes import find


def extern_shared(module: ir.Module) -> None:
    """Gives the dynamic shared memory of every `gpu.module` external linkage."""

    # Not `passes.find`, which loads the module of a dialect.
    for op in _pto.find(module.operation, lambda name: name in ("llvm.mlir.global", "llvm.func")):
        if "__dynamic_shmem__" in str(op.attributes["sym_name"]):
            _pto.set_attribute(op, "linkage", "#llvm.linkage<external>")
            _pto.set_attribute(op, "alignment", f"{ALIGNMENT} : i64")
        if "nvvm.cluster_dim" in op.attributes:
            _keep_address(op.opview)


def _keep_address(kernel: Any) -> None:
    """Holds the address in a register. An access by the array's name would read the CTA's rank in
    its cluster each time: ptxas computes such addresses from it and leaves them in the loops."""
    from mlir.dialects import llvm  # a large module, which few kernels need

    for op in find(kernel, lambda name: name == "llvm.mlir.addressof"):
        with ir.InsertionPoint.after(op.operation), op.operation.location:
            kept = llvm.inline_asm(op.res.type, [op.res], "mov.b64 $0, $1;", "=l,l")
        op.res.replace_all_uses_except(kept, kept.owner.operation)
