"""The pass `pto-to-tirx`: every kernel becomes a `gpu.func` of `tirx` primitives.

A kernel is a `pto.kernel`, or a `func.func` without results whose arguments are pointers, tensor
views and scalars. Other functions are helpers: they are inlined before this pass, and dropped by it.
"""

from typing import Any

from mlir import ir
from mlir.dialects import func, gpu

from pto import target
from pto.buffers import synchronize, views
from pto.buffers.operations import HANDLERS, Kernel
from pto.dialects import pto, tirx
from pto.passes import OpError

BLOCK = 256
"""Threads per CTA of a kernel without `pto.block`."""


def to_tirx(module: ir.Module) -> None:
    """The pass `pto-to-tirx`."""
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp | pto.KernelOp)]
    kernels = [op for op in functions if is_kernel(op)]
    if not functions:
        return
    attributes: Any = module.operation.attributes
    chip = target.find(attributes["pto.target"].value if "pto.target" in attributes else None)
    if not kernels:
        raise OpError(
            functions[0],
            "is no kernel, and the module has none: a kernel takes pointers, tensor views and "
            "scalars, and returns nothing",
        )
    attributes["gpu.container_module"] = ir.UnitAttr.get()
    with ir.InsertionPoint.at_block_begin(module.body):
        gpu_module = gpu.GPUModuleOp("kernels", targets=ir.ArrayAttr.get([target.attribute(chip)]))
    gpu_module.bodyRegion.blocks.append()
    for kernel in kernels:
        with kernel.operation.location, ir.InsertionPoint(gpu_module.bodyRegion.blocks[0]):
            _convert(kernel)
    for function in functions:
        function.operation.erase()


def is_kernel(op: Any) -> bool:
    """Whether a function can be launched."""
    if isinstance(op, pto.KernelOp):
        return True
    types = op.function_type.value
    return not op.is_external and not types.results and all(map(_is_argument, types.inputs))


def _is_argument(kind: ir.Type) -> bool:
    scalars = ir.IntegerType | ir.FloatType | ir.IndexType
    return isinstance(kind, pto.PtrType | pto.TensorViewType | scalars)


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
    for key in ("pto.grid",):
        if key in attributes:
            kernel.operation.attributes[key] = attributes[key]
    kernel.operation.attributes["pto.arguments"] = _signature(function)
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


def _signature(function: Any) -> ir.ArrayAttr:
    """Names and types of the arguments, which the launcher checks arrays against."""
    attributes = function.operation.attributes
    named = attributes["arg_attrs"] if "arg_attrs" in attributes else None
    arguments: list[ir.Attribute] = []
    for i, kind in enumerate(function.function_type.value.inputs):
        name = ir.StringAttr.get(f"arg{i}")
        if named is not None and "pto.name" in named[i]:
            name = named[i]["pto.name"]
        arguments.append(ir.DictAttr.get({"name": name, "type": ir.TypeAttr.get(kind)}))
    return ir.ArrayAttr.get(arguments)


def _rewrite(kernel: gpu.GPUFuncOp, state: Kernel) -> None:
    """Hands every `pto` operation to its handler, in program order, and erases it."""
    found: list[ir.OpView] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith("pto.") or op.name in ("func.return", "func.call"):
            found.append(op.opview)
        return ir.WalkResult.ADVANCE

    kernel.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    for op in found:
        handler = HANDLERS.get(op.operation.name)
        if handler is None:
            raise OpError(op, "has no lowering to tirx")
        with ir.InsertionPoint(op), op.operation.location:
            handler(op, state)
    for op in reversed(found):
        op.operation.erase()
