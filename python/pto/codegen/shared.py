"""The pass `nvvm-extern-shared`: the size of shared memory comes from the launch.

MLIR lowers `gpu.dynamic_shared_memory` to an internal array of no elements, which PTX would reserve
as one byte of static shared memory. An external one is what the launch sizes.
"""

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
