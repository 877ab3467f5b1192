"""PTX, and what a launcher must know, out of a compiled module."""

from typing import Any

from mlir import ir
from mlir.dialects import gpu
from mlir.dialects.gpu import ObjectAttr  # pyright: ignore[reportAttributeAccessIssue]

from pto.dialects import pto, tirx
from pto.errors import CompileError
from pto.lowering.emit import is_strided
from pto.runtime import Argument, Kernel


def _gpu_modules(module: ir.Module) -> list[gpu.GPUModuleOp]:
    return [op for op in module.body.operations if isinstance(op, gpu.GPUModuleOp)]


def kernels(module: ir.Module, chip: str) -> list[Kernel]:
    """The kernels of a module in the NVVM dialect, without their PTX."""
    return [
        _kernel(op.operation.attributes, chip)
        for gpu_module in _gpu_modules(module)
        for op in gpu_module.bodyRegion.blocks[0].operations
        if "gpu.kernel" in op.operation.attributes
    ]


def _kernel(attributes: Any, chip: str) -> Kernel:
    known_grid = _known(attributes, "grid")
    asked = attributes["pto.grid"].value if "pto.grid" in attributes else None
    return Kernel(
        name=attributes["sym_name"].value,
        ptx="",
        target=chip,
        arguments=tuple(_argument(argument) for argument in attributes["pto.arguments"]),
        block=attributes["gpu.known_block_size"][0],
        shared_bytes=attributes["pto.shared_bytes"].value,
        grid=asked if known_grid is None else known_grid,
        cluster=_known(attributes, "cluster") or 1,
        has_known_grid=known_grid is not None,
    )


def _known(attributes: Any, what: str) -> int | None:
    """The size of the grid or of clusters, if the program fixes it."""
    name = f"gpu.known_{what}_size"
    return attributes[name][0] if name in attributes else None


def _argument(argument: Any) -> Argument:
    name, kind = argument["name"].value, argument["type"].value
    if isinstance(kind, pto.TensorViewType):
        return Argument(name, "view", str(kind.element_type), tuple(kind.shape))
    if isinstance(kind, pto.PtrType):
        return Argument(name, "ptr", str(kind.element_type))
    if isinstance(kind, tirx.BufferType):
        element = str(kind.element_type)
        if is_strided(kind):
            return Argument(name, "view", element, tuple(kind.shape), tuple(kind.strides))
        return Argument(name, "array" if kind.shape else "ptr", element, tuple(kind.shape))
    return Argument(name, "scalar", str(kind))


def text(module: ir.Module) -> str:
    """The PTX of a module after `nvvm-to-ptx`."""
    binaries = [op for op in module.body.operations if op.operation.name == "gpu.binary"]
    if not binaries:
        raise CompileError("the program has no kernel")
    if len(binaries) > 1:
        raise CompileError(
            f"the program becomes {len(binaries)} PTX modules; put its kernels into one gpu.module"
        )
    attributes: Any = binaries[0].operation.attributes
    assembly: bytes = ObjectAttr(attributes["objects"][0]).object
    return assembly.decode().rstrip("\0")


def llvm_ir(module: ir.Module) -> str:
    """The LLVM IR of a module in the NVVM dialect."""
    from mlir.dialects.llvm import (
        translate_module_to_llvmir,  # pyright: ignore[reportAttributeAccessIssue]
    )

    parts: list[str] = []
    for gpu_module in _gpu_modules(module):
        flat = ir.Module.create(gpu_module.operation.location)
        for op in gpu_module.bodyRegion.blocks[0].operations:
            flat.body.append(op.operation.clone())
        parts.append(translate_module_to_llvmir(flat.operation))
    return "\n".join(parts)
