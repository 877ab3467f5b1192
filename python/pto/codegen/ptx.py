"""PTX, and what a launcher must know, out of a compiled module."""

from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import gpu
from mlir.dialects.gpu import ObjectAttr  # pyright: ignore[reportAttributeAccessIssue]

from pto.dialects import pto, tirx
from pto.runtime import Argument, Kernel


@dataclass(frozen=True)
class Entry:
    """What the NVVM module says about one kernel."""

    name: str
    arguments: tuple[Argument, ...]
    block: int
    shared_bytes: int
    grid: int | None


def _gpu_modules(module: ir.Module) -> list[gpu.GPUModuleOp]:
    return [op for op in module.body.operations if isinstance(op, gpu.GPUModuleOp)]


def entries(module: ir.Module) -> list[Entry]:
    """The kernels of a module in the NVVM dialect."""
    found: list[Entry] = []
    for gpu_module in _gpu_modules(module):
        for op in gpu_module.bodyRegion.blocks[0].operations:
            attributes: Any = op.operation.attributes
            if "gpu.kernel" in attributes:
                found.append(_entry(attributes))
    return found


def _entry(attributes: Any) -> Entry:
    return Entry(
        attributes["sym_name"].value,
        tuple(_argument(argument) for argument in attributes["pto.arguments"]),
        attributes["gpu.known_block_size"][0],
        attributes["pto.shared_bytes"].value,
        attributes["pto.grid"].value if "pto.grid" in attributes else None,
    )


def _argument(argument: Any) -> Argument:
    name, kind = argument["name"].value, argument["type"].value
    if isinstance(kind, pto.TensorViewType):
        return Argument(name, "view", str(kind.element_type), tuple(kind.shape))
    if isinstance(kind, pto.PtrType):
        return Argument(name, "ptr", str(kind.element_type))
    if isinstance(kind, tirx.BufferType):
        is_strided = None in kind.shape or None in kind.strides
        form = "view" if is_strided else "array" if kind.shape else "ptr"
        return Argument(name, form, str(kind.element_type), tuple(kind.shape))
    return Argument(name, "scalar", str(kind))


def text(module: ir.Module) -> str:
    """The PTX of a module after `gpu-module-to-binary`."""
    for op in module.body.operations:
        if op.operation.name == "gpu.binary":
            attributes: Any = op.operation.attributes
            assembly: bytes = ObjectAttr(attributes["objects"][0]).object
            return assembly.decode().rstrip("\0")
    raise AssertionError("the PTX stage leaves a gpu.binary")


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


def kernel(entry: Entry, ptx: str, chip: str) -> Kernel:
    """What the runtime launches."""
    return Kernel(
        name=entry.name,
        ptx=ptx,
        target=chip,
        arguments=entry.arguments,
        block=entry.block,
        shared_bytes=entry.shared_bytes,
        grid=entry.grid,
    )
