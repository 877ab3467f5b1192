"""The pass `nvvm-extern-shared`: the size of shared memory comes from the launch.

MLIR lowers `gpu.dynamic_shared_memory` to an internal array of no elements, which PTX would reserve
as one byte of static shared memory. An external one is what the launch sizes.
"""

from typing import Any

from mlir import ir

from pto.lowering.storage import ALIGNMENT
from pto.passes import find


def extern_shared(module: ir.Module) -> None:
    """Gives the dynamic shared memory of every `gpu.module` external linkage."""

    for op in find(module, lambda name: name == "llvm.mlir.global"):
        attributes = op.operation.attributes
        if "__dynamic_shmem__" in attributes["sym_name"].value:
            attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>")
            attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ALIGNMENT)
    for kernel in find(module, lambda name: name == "llvm.func"):
        if "nvvm.cluster_dim" in kernel.operation.attributes:
            _keep_address(kernel)


def _keep_address(kernel: Any) -> None:
    """Holds the address in a register. An access by the array's name would read the CTA's rank in
    its cluster each time: ptxas computes such addresses from it and leaves them in the loops."""
    from mlir.dialects import llvm  # a large module, which few kernels need

    for op in find(kernel, lambda name: name == "llvm.mlir.addressof"):
        with ir.InsertionPoint.after(op.operation), op.operation.location:
            kept = llvm.inline_asm(op.res.type, [op.res], "mov.b64 $0, $1;", "=l,l")
        op.res.replace_all_uses_except(kept, kept.owner.operation)
