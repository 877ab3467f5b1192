"""Compiling a program: what the command line and `pto.compile` call.

A source is program text, or a path to a `.pto` or `.mlir` file. Mistakes in it raise
`CompileError`, whose text is one line `file:line:column: error: …` per mistake.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from mlir import ir
from mlir.dialects import gpu

from pto import context, passes, pipeline, target
from pto.codegen import cubin, ptx
from pto.errors import CompileError
from pto.runtime import Kernel
from pto.target import Target

Form = Literal["tirx", "dispatch", "nvvm", "llvm", "ptx", "cubin"]

pipeline.register()


@dataclass(frozen=True)
class Decision:
    """What dispatch chose for one primitive, and why not the variants in `rejected`."""

    kernel: str
    op: str
    location: str
    chosen: str
    detail: str
    rejected: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Barrier:
    """Where all threads of a CTA wait for each other, and why."""

    kernel: str
    op: str
    """The operation that waits: before it begins, or inside of it."""
    location: str
    because: str


def compile(
    source: str | Path,
    *,
    target: str | None = None,
    kernel: str | None = None,
    block: int | None = None,
    cluster: int | None = None,
) -> Kernel:
    """The kernel named `kernel` (the only one, if None), compiled for `target` (the module's
    `pto.target`, if None). `block` threads per CTA and `cluster` CTAs per cluster take the place of
    what the program says."""
    with context.create():
        module, chip = _load(source, target)
        _shape(module, kernel, block, cluster)
        passes.run(module, pipeline.text("nvvm"))
        found = _select(ptx.kernels(module, chip.chip), kernel)
        passes.run(module, f"builtin.module({pipeline.PTX})")
        return replace(found, ptx=ptx.text(module))


def emit(source: str | Path, *, form: Form, target: str | None = None) -> str | bytes:
    """The program in one of the forms it takes on its way to the GPU."""
    with context.create():
        module, chip = _load(source, target)
        match form:
            case "tirx" | "dispatch" | "nvvm":
                passes.run(module, pipeline.text(form))
                return str(module)
            case "llvm":
                passes.run(module, pipeline.text("nvvm"))
                return ptx.llvm_ir(module)
            case "ptx" | "cubin":
                passes.run(module, pipeline.text("ptx"))
                text = ptx.text(module)
                return text if form == "ptx" else cubin.assemble(text, chip.chip)


def explain(source: str | Path, *, target: str | None = None) -> list[Decision]:
    """What dispatch decides for every primitive of every kernel, in program order."""
    with context.create():
        module = _dispatched(source, target)
        return [
            _decision(kernel, entry)
            for kernel in _kernels(module)
            for entry in kernel.operation.attributes["pto.dispatch"]
        ]


def barriers(source: str | Path, *, target: str | None = None) -> list[Barrier]:
    """The barriers of every kernel, in program order."""
    with context.create():
        module = _dispatched(source, target)
        return [
            _barrier(kernel, op)
            for kernel in _kernels(module)
            for op in passes.find(kernel, lambda name: name == "gpu.barrier")
        ]


def _dispatched(source: str | Path, chip: str | None) -> ir.Module:
    module, _ = _load(source, chip)
    passes.run(module, pipeline.text("dispatch"))
    return module


def _kernels(module: ir.Module) -> Iterator[gpu.GPUFuncOp]:
    for gpu_module in module.body.operations:
        if isinstance(gpu_module, gpu.GPUModuleOp):
            for kernel in gpu_module.bodyRegion.blocks[0].operations:
                if isinstance(kernel, gpu.GPUFuncOp):
                    yield kernel


def reference(
    source: str | Path, *, kernel: str | None, arguments: Sequence[Any], grid: int
) -> None:
    """Runs a `pto` kernel on numpy, from the meaning of its operations; arrays change in place."""
    from pto import reference

    with context.create():
        module = parse(source)
        if any(isinstance(op, gpu.GPUModuleOp) for op in module.body.operations):
            raise CompileError(
                "the reference runs tile programs; a gpu.func has no meaning beside its code"
            )
        reference.run(module, kernel, arguments, grid)


# Parsing ------------------------------------------------------------------------------------------


def parse(source: str | Path) -> ir.Module:
    """The module of a source in the current context, its arguments named as in the text."""
    path = _path(source)
    try:
        if path is None:
            text = str(source)
            module = ir.Module.parse(text)
        else:
            text = path.read_text()
            module = ir.Module.parseFile(str(path))
    except passes.MLIRError as error:
        raise CompileError(passes.render(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CompileError(f"{path}: cannot be read: {error}") from None
    _name_arguments(module, text)
    return module


def _path(source: str | Path) -> Path | None:
    if isinstance(source, Path):
        return source
    is_name = "\n" not in source and source.endswith((".pto", ".mlir"))
    return Path(source) if is_name else None


def _name_arguments(module: ir.Module, text: str) -> None:
    """Keeps `%x` as the argument attribute `pto.name`: MLIR drops names, not where they stood."""
    lines = text.splitlines()
    for op in _functions(module):
        attributes: Any = op.operation.attributes
        if not op.regions[0].blocks:
            continue
        given = attributes.get("arg_attrs")
        named: list[ir.DictAttr] = []
        for i, argument in enumerate(op.regions[0].blocks[0].arguments):
            items = {entry.name: entry.attr for entry in given[i]} if given is not None else {}
            name = _name_at(lines, argument.location)
            if name is not None:
                with module.context:
                    items.setdefault("pto.name", ir.StringAttr.get(name))
            named.append(ir.DictAttr.get(items, module.context))
        if named:
            attributes["arg_attrs"] = ir.ArrayAttr.get(named, module.context)


def _functions(module: ir.Module) -> Iterator[Any]:
    """What may be a kernel: functions at the top, and those of every `gpu.module`."""
    for op in module.body.operations:
        if isinstance(op, gpu.GPUModuleOp):
            functions = op.bodyRegion.blocks[0].operations
            yield from (inner for inner in functions if inner.operation.name == "gpu.func")
        elif op.operation.name in ("func.func", "pto.kernel"):
            yield op


def _name_at(lines: Sequence[str], location: ir.Location) -> str | None:
    if not location.is_a_file() or not 1 <= location.start_line <= len(lines):
        return None
    match = re.match(r"%([\w.$-]+)", lines[location.start_line - 1][location.start_col - 1 :])
    return match.group(1) if match else None


def _load(source: str | Path, chip: str | None) -> tuple[ir.Module, Target]:
    module = parse(source)
    attributes: Any = module.operation.attributes
    if chip is None:
        chip = _own_target(module)
    found = target.find(chip)
    with module.context:
        attributes["pto.target"] = ir.StringAttr.get(found.chip)
        for op in module.body.operations:
            if isinstance(op, gpu.GPUModuleOp):
                op.operation.attributes["targets"] = target.attributes(found)
    return module, found


def _own_target(module: ir.Module) -> str | None:
    """The chip that the program names: on the module, or on a `gpu.module` in it."""
    attributes: Any = module.operation.attributes
    if "pto.target" in attributes:
        return attributes["pto.target"].value
    for op in module.body.operations:
        if isinstance(op, gpu.GPUModuleOp) and "targets" in op.operation.attributes:
            return target.of(op).chip
    return None


def _shape(module: ir.Module, name: str | None, block: int | None, cluster: int | None) -> None:
    """Writes block and cluster sizes on the kernel, or on all kernels."""
    for op in _functions(module):
        attributes: Any = op.operation.attributes
        if name not in (None, attributes["sym_name"].value):
            continue
        is_tirx = op.operation.name == "gpu.func"
        if cluster is not None and not is_tirx:
            raise CompileError(f"'{op.operation.name}' has no clusters; a gpu.func does")
        with module.context:
            if cluster is not None:
                attributes["known_cluster_size"] = ir.DenseI32ArrayAttr.get([cluster, 1, 1])
            if block is not None and is_tirx:
                attributes["known_block_size"] = ir.DenseI32ArrayAttr.get([block, 1, 1])
            elif block is not None:
                kind = ir.IntegerType.get_signless(64)
                attributes["pto.block"] = ir.IntegerAttr.get(kind, block)


def _select(kernels: Sequence[Kernel], name: str | None) -> Kernel:
    names = [kernel.name for kernel in kernels]
    if name is None and len(kernels) == 1:
        return kernels[0]
    if not kernels:
        raise CompileError("the program has no kernel")
    if name is None:
        raise CompileError(f"the program has several kernels, name one: {', '.join(names)}")
    if name not in names:
        raise CompileError(f"the program has no kernel '{name}'; it has {', '.join(names)}")
    return kernels[names.index(name)]


def _decision(kernel: gpu.GPUFuncOp, entry: Any) -> Decision:
    rejected = tuple(
        (case["variant"].value, tuple(reason.value for reason in case["reasons"]))
        for case in entry["rejected"]
    )
    return Decision(
        kernel.operation.attributes["sym_name"].value,
        entry["op"].value,
        entry["location"].value,
        entry["chosen"].value,
        entry["detail"].value if "detail" in entry else "",
        rejected,
    )


def _barrier(kernel: gpu.GPUFuncOp, op: Any) -> Barrier:
    attributes: Any = op.operation.attributes
    location = passes.place(op.operation.location)
    if "pto.because" in attributes:
        because = attributes["pto.because"].value
    else:
        decisions: Any = kernel.operation.attributes["pto.dispatch"]
        chosen = [each for each in decisions if each["location"].value == location]
        because = "the program says so"
        if chosen:
            name, variant = chosen[-1]["op"].value, chosen[-1]["chosen"].value
            because = f"inside {name}: the threads of '{variant}' exchange values"
    name = kernel.operation.attributes["sym_name"].value
    return Barrier(name, passes.subject(op), location, because)
