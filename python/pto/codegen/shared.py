"""The pass `nvvm-extern-shared`: the size of shared memory comes from the launch.

MLIR lowers `gpu.dynamic_shared_memory` to an internal array of no elements, which PTX would reserve
as one byte of static shared memory. An external one is what the launch sizes.
"""

from mlir import ir

from pto.lowering.storage import ALIGNMENT


def extern_shared(module: ir.Module) -> None:
    """Gives the dynamic shared memory of every `gpu.module` external linkage."""

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "llvm.mlir.global" and "__dynamic_shmem__" in str(op.attributes["sym_name"]):
            op.attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>")
            op.attributes["alignment"] = ir.IntegerAttr.get(
                ir.IntegerType.get_signless(64), ALIGNMENT
            )
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
