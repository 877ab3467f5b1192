"""The pass `pto-to-tirx`: every kernel becomes a `gpu.func` of `tirx` primitives.

A kernel is a `pto.kernel`, or a `func.func` without results whose arguments are pointers, tensor
views and scalars. Other functions are helpers: inlined before this pass, and dropped by it.
"""

import itertools
from typing import Any

from mlir import ir
from mlir.dialects import func, gpu

from pto import target
from pto.buffers import carried, fusion, reuse, synchronize, views
from pto.buffers.operations import HANDLERS, Kernel
from pto.dialects import pto, tirx
from pto.errors import CompileError
from pto.lowering import facts
from pto.lowering.storage import signature
from pto.passes import OpError, find, named

SCALARS = ("index", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")

BLOCK = 256
"""Threads per CTA of a kernel without `pto.block`."""


def to_tirx(module: ir.Module) -> None:
    """The pass `pto-to-tirx`."""
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp | pto.KernelOp)]
    kernels = [op for op in functions if is_kernel(op)]
    if not functions:
        _reject_strays(module)
        return
    attributes: Any = module.operation.attributes
    chip = _chip(module)
    if not kernels:
        raise OpError(
            functions[0],
            "is no kernel, and the module has none: a kernel returns nothing and takes pointers, "
            f"tensor views and scalars ({', '.join(SCALARS)})",
        )
    attributes["gpu.container_module"] = ir.UnitAttr.get()
    with ir.InsertionPoint.at_block_begin(module.body):
        gpu_module = gpu.GPUModuleOp(_free_symbol(module), targets=target.attributes(chip))
    gpu_module.bodyRegion.blocks.append()
    for kernel in kernels:
        with kernel.operation.location, ir.InsertionPoint(gpu_module.bodyRegion.blocks[0]):
            _convert(kernel)
    for function in functions:
        function.operation.erase()
    _reject_strays(module)


def _free_symbol(module: ir.Module) -> str:
    """`kernels`, or with a number if the program has that name."""
    taken = {
        str(op.operation.attributes["sym_name"])
        for op in module.body.operations
        if "sym_name" in op.operation.attributes
    }
    names = ("kernels" + (f"_{i}" if i else "") for i in itertools.count())
    return next(name for name in names if f'"{name}"' not in taken)


def _reject_strays(module: ir.Module) -> None:
    """Tile operations stand in kernels at the top of the module."""

    for op in find(module, lambda name: name.startswith("pto.")):
        raise OpError(op, "is not in a kernel at the top of the module")


def is_kernel(op: Any) -> bool:
    """Whether a function can be launched."""
    if isinstance(op, pto.KernelOp):
        return True
    types = op.function_type.value
    return not op.is_external and not types.results and all(map(_is_argument, types.inputs))


def _is_argument(kind: ir.Type) -> bool:
    return isinstance(kind, pto.PtrType | pto.TensorViewType) or str(kind) in SCALARS


def _chip(module: ir.Module) -> target.Target:
    attributes: Any = module.operation.attributes
    try:
        return target.find(attributes["pto.target"].value if "pto.target" in attributes else None)
    except CompileError as error:
        raise OpError(module.operation, f"has an {error}") from None


def _convert(function: Any) -> None:
    attributes = function.operation.attributes
    name = attributes["sym_name"]
    types = function.function_type.value.inputs
    kernel = gpu.GPUFuncOp(
        ir.TypeAttr.get(ir.FunctionType.get([_buffer(kind) for kind in types], [])),
        sym_name=name,
        kernel=True,
        known_block_size=[_integer(attributes, "pto.block", BLOCK), 1, 1],
    )
    if "pto.grid" in attributes:
        kernel.operation.attributes["pto.grid"] = attributes["pto.grid"]
    kernel.operation.attributes["pto.arguments"] = signature(function, types)
    source = function.body if isinstance(function, func.FuncOp) else function.regions[0]
    for block in list(source.blocks):
        block.append_to(kernel.body)
    entry = kernel.body.blocks[0]
    state = Kernel(entry)
    with ir.InsertionPoint.at_block_begin(entry):
        for argument in entry.arguments:
            is_view = isinstance(argument.type, pto.TensorViewType)
            argument.set_type(_buffer(argument.type))
            if is_view:
                state.views[argument] = views.of_argument(argument)
    _rewrite(kernel, state)
    with facts.kept():
        fusion.fuse_maps(kernel)
    reuse.share_memory(kernel, state.own)
    with facts.kept():
        synchronize.insert_barriers(kernel)


def _integer(attributes: Any, name: str, default: int) -> int:
    return attributes[name].value if name in attributes else default


def _buffer(kind: Any) -> ir.Type:
    """The type of a kernel argument in `tirx`."""
    if isinstance(kind, pto.PtrType):
        return tirx.BufferType.get([], kind.element_type, "global")
    if isinstance(kind, pto.TensorViewType):
        return tirx.BufferType.get(
            kind.shape, kind.element_type, "global", [None] * len(kind.shape)
        )
    return kind


_THREADS = ("gpu.thread_id", "gpu.lane_id", "gpu.subgroup_id")
_FUNC = ("func.return", "func.call")


def _rewrite(kernel: gpu.GPUFuncOp, state: Kernel) -> None:
    """Hands every `pto` operation to its handler, in program order, and erases it."""
    for op in find(kernel, lambda name: name in _THREADS):
        raise OpError(op, "is not for tile programs: all threads of a CTA run them alike")
    found = find(kernel, lambda name: name.startswith("pto.") or name in (*_FUNC, *carried.NAMES))
    found = [op for op in found if op.operation.name not in carried.NAMES or carried.carries(op)]
    with facts.kept():
        for op in found:
            handler = HANDLERS.get(op.operation.name)
            if handler is None:
                raise OpError(op, "has no lowering to tirx")
            with ir.InsertionPoint(op), named(op):
                handler(op, state)
    for op in reversed(found):
        if op.operation.name in carried.NAMES:
            carried.strip(op)
            continue
        for result in op.operation.results:
            for use in result.uses:
                raise OpError(use.owner, carried.REFUSAL.format(result.type))
        op.operation.erase()
