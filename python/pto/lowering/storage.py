"""Gives buffers their memory: after dispatch, `tirx` values become memrefs.

A CTA's shared memory is one array of bytes, the kernel's dynamic shared memory. Buffers with an
address (manual placement) lie where they say; the others are laid out around them, first fit. The
size goes on the kernel as `pto.shared_bytes`. A buffer argument becomes a pointer, a strided one
a pointer, its sizes and its strides: `pto.arguments` keeps what they were for the launcher.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from mlir import ir
from mlir.dialects import gpu, memref

from pto.dialects import tirx
from pto.lowering import address, emit, intrinsics, temporaries
from pto.lowering.emit import Index
from pto.passes import OpError, find, subject
from pto.passes import place as locate
from pto.target import Target

ALIGNMENT = 128
"""Bytes; a whole line, so that every vector access is aligned."""


def bytes_of(kind: tirx.BufferType) -> int:
    """The size of a buffer of static shape, in bytes, its gaps and whole swizzled blocks
    included."""
    if 0 in kind.shape:
        return 0
    span = 1
    for part in chain(*address.factors(kind)):
        assert part.stride is not None
        span += (part.extent - 1) * part.stride
    block = 1 << sum(kind.swizzle)
    return -(-span // block) * block * emit.size_in_bytes(kind)


def data_bytes(kind: tirx.BufferType) -> int:
    """The bytes of the elements of a buffer of static shape, without gaps."""
    size = emit.size_in_bytes(kind)
    for length in kind.shape:
        assert length is not None
        size *= length
    return size


@dataclass
class _Memory:
    """A buffer after lowering: `memref` begins `offset` elements into `base`."""

    memref: ir.Value
    base: ir.Value
    offset: Index
    sizes: list[Index]
    strides: list[Index]


def assign(kernel: gpu.GPUFuncOp, chip: Target) -> None:
    """Replaces every `tirx` value of a kernel by a memref."""
    ops = temporaries.without(find(kernel, lambda name: name in _BUFFER_OPS))
    entry = kernel.body.blocks[0]
    with ir.InsertionPoint.at_block_begin(entry), kernel.location:
        memories = _arguments(kernel)
        arena = _arena(kernel, [op for op in ops if _is_shared(op)], chip)
    for op in ops:
        with ir.InsertionPoint(op), op.operation.location:
            match op.operation.name:
                case "tirx.alloc":
                    memories[op.buffer] = _alloc(op, arena)
                case "tirx.view":
                    memories[op.buffer] = _view(op, memories[op.source])
                case "tirx.subview":
                    memories[op.buffer] = _subview(op, memories[op.source])
                case "tirx.reshape":
                    memories[op.buffer] = memories[op.source]
                case "tirx.own":
                    memories[op.buffer] = _own(op, memories[op.source])
                case "tirx.mbarrier_at":
                    _mbarrier(op, memories[op.barriers])
                case "tirx.offset":
                    op.value.replace_all_uses_with(emit.index(memories[op.buffer].offset))
                case "tirx.dim":
                    dim: int = op.dim.value
                    size = memories[op.buffer].sizes[dim]
                    op.value.replace_all_uses_with(emit.index(size))
                case _:
                    dim: int = op.dim.value
                    stride = memories[op.buffer].strides[dim]
                    op.value.replace_all_uses_with(emit.index(stride))
    for buffer, memory in memories.items():
        for use in list(buffer.uses):
            if use.owner.name == "builtin.unrealized_conversion_cast":
                use.owner.results[0].replace_all_uses_with(memory.memref)
                use.owner.erase()
    for op in reversed(ops):
        op.operation.erase()
    _retype(kernel)


_BUFFER_OPS = (
    "tirx.alloc",
    "tirx.view",
    "tirx.subview",
    "tirx.own",
    "tirx.reshape",
    "tirx.dim",
    "tirx.stride",
    "tirx.offset",
    "tirx.mbarrier_at",
)


# Views --------------------------------------------------------------------------------------------


def _fill_in(static: Sequence[int | None], dynamic: Sequence[ir.Value]) -> list[Index]:
    """What a type says, with the operands in place of `?`."""
    values = iter(dynamic)
    return [next(values) if size is None else size for size in static]


def _view(op: Any, source: _Memory) -> _Memory:
    kind = op.buffer.type
    sizes, strides = _fill_in(kind.shape, op.sizes), _fill_in(kind.strides, op.strides)
    return _reinterpret(op.buffer, source, op.offset, sizes, strides)


def _subview(op: Any, source: _Memory) -> _Memory:
    sizes = _fill_in(op.buffer.type.shape, op.sizes)
    if op.source.type.shards:
        distance = address.distance(op.source, list(op.offsets))
    else:
        distance = 0
        for offset, stride in zip(op.offsets, source.strides, strict=True):
            distance = emit.add(distance, emit.mul(offset, stride))
    if not emit.has_strides(op.buffer.type):
        # Accesses add the offset themselves (see `address.place`).
        offset = emit.add(source.offset, distance)
        return replace(source, offset=offset, sizes=sizes)
    if emit.known(distance) == 0 and source.strides:
        # Accesses do not ask for sizes.
        return replace(source, sizes=sizes)
    # One element of a buffer with shards has strides, which its source has not.
    strides = source.strides or _fill_in(op.buffer.type.strides, [])
    return _reinterpret(op.buffer, source, distance, sizes, strides)


def _own(op: Any, source: _Memory) -> _Memory:
    kind = op.buffer.type
    sizes, strides = _fill_in(kind.shape, []), _fill_in(kind.strides, [])
    return _reinterpret(op.buffer, source, 0, sizes, strides)


def _reinterpret(
    buffer: Any, source: _Memory, distance: Index, sizes: list[Index], strides: list[Index]
) -> _Memory:
    """The memory `distance` elements into `source`."""
    dynamic = ir.ShapedType.get_dynamic_size()
    offset = emit.add(source.offset, distance)
    view = memref.ReinterpretCastOp(
        emit.memref_type(buffer),
        source.base,
        [emit.index(offset)],
        [size for size in sizes if isinstance(size, ir.Value)],
        [stride for stride in strides if isinstance(stride, ir.Value)],
        [ir.ShapedType.get_dynamic_stride_or_offset()],
        [size if isinstance(size, int) else dynamic for size in sizes],
        [stride if isinstance(stride, int) else dynamic for stride in strides],
    )
    return _Memory(view.result, source.base, offset, sizes, strides)


# Shared and local memory --------------------------------------------------------------------------


def _is_shared(op: Any) -> bool:
    return op.operation.name == "tirx.alloc" and op.buffer.type.scope == "shared"


@dataclass
class _Arena:
    """The shared memory of a CTA, and where in it each buffer begins."""

    memory: ir.Value | None
    offsets: dict[ir.Value, int]


def _arena(kernel: gpu.GPUFuncOp, allocations: Sequence[Any], chip: Target) -> _Arena:
    offsets, total = place(allocations, chip)
    kernel.operation.attributes["pto.shared_bytes"] = ir.IntegerAttr.get(
        ir.IntegerType.get_signless(64), total
    )
    if not allocations:
        return _Arena(None, {})
    space = ir.Attribute.parse("#gpu.address_space<workgroup>")
    byte = ir.IntegerType.get_signless(8)
    kind = ir.MemRefType.get([ir.ShapedType.get_dynamic_size()], byte, None, space)
    buffers = [op.buffer for op in allocations]
    return _Arena(gpu.dynamic_shared_memory(kind), dict(zip(buffers, offsets, strict=True)))


def _alloc(op: Any, arena: _Arena) -> _Memory:
    kind = op.buffer.type
    sizes, strides = list(kind.shape), list(kind.strides)
    if not _is_shared(op):
        memory = memref.alloca(emit.memref_type(op.buffer), [], [])
        return _Memory(memory, memory, 0, sizes, strides)
    assert arena.memory is not None
    start = emit.index(arena.offsets[op.buffer])
    if not emit.is_strided(kind) and emit.has_strides(kind):
        memory = memref.view(emit.memref_type(op.buffer), arena.memory, start, [])
        return _Memory(memory, memory, 0, sizes, strides)
    space = ir.Attribute.parse("#gpu.address_space<workgroup>")
    dynamic = ir.ShapedType.get_dynamic_size()
    flat = ir.MemRefType.get([dynamic], emit.element(kind), None, space)
    length = emit.index(bytes_of(kind) // emit.size_in_bytes(kind))
    memory = memref.view(flat, arena.memory, start, [length])
    whole = _Memory(memory, memory, 0, sizes, strides)
    return _reinterpret(op.buffer, whole, 0, sizes, strides) if emit.has_strides(kind) else whole


def _mbarrier(op: Any, barriers: _Memory) -> None:
    """The address of one mbarrier, for all that use it."""
    start = memref.extract_aligned_pointer_as_index(barriers.memref)
    at = emit.mul(emit.add(barriers.offset, op.position), emit.size_in_bytes(op.barriers.type))
    pointer = intrinsics.pointer(emit.index(emit.add(start, at)), intrinsics.SHARED)
    for use in list(op.barrier.uses):
        use.owner.results[0].replace_all_uses_with(pointer)
        use.owner.erase()


def place(allocations: Sequence[Any], chip: Target) -> tuple[list[int], int]:
    """Byte offsets for shared buffers and the bytes in all; an `OpError` if they do not fit."""
    sizes = [bytes_of(op.buffer.type) for op in allocations]
    taken: list[tuple[int, int]] = []
    for op, size in zip(allocations, sizes, strict=True):
        if op.address is None:
            continue
        start = op.address.value
        if start + size > chip.shared_bytes:
            raise OpError(
                op,
                f"lies at bytes {start} to {start + size}, outside the {chip.shared_bytes} bytes "
                f"of shared memory that a CTA has on {chip.chip}",
            )
        taken.append((start, start + size))
    offsets: list[int] = []
    for op, size in zip(allocations, sizes, strict=True):
        if op.address is not None:
            offsets.append(op.address.value)
            continue
        start = 0
        for begin, end in sorted(taken):
            if start + size <= begin:
                break
            start = max(start, -(-end // ALIGNMENT) * ALIGNMENT)
        offsets.append(start)
        taken.append((start, start + size))
    total = max((end for _, end in taken), default=0)
    if total > chip.shared_bytes:
        raise _too_large(allocations, sizes, total, chip)
    return offsets, total


_NAMED = 5
"""Buffers that the error names."""


def _too_large(
    allocations: Sequence[Any], sizes: Sequence[int], total: int, chip: Target
) -> OpError:
    """At the largest buffer."""
    ranked = sorted(zip(sizes, allocations, strict=True), key=lambda pair: -pair[0])
    lines = [
        f"\n  {size} bytes: '{subject(op)}' at {locate(op.operation.location)}"
        for size, op in ranked[:_NAMED]
    ]
    return OpError(
        ranked[0][1],
        f"is the largest of the kernel's tiles, which need {total} bytes of shared memory; a CTA "
        f"on {chip.chip} has {chip.shared_bytes}:{''.join(lines)}",
    )


# Arguments ----------------------------------------------------------------------------------------


def _arguments(kernel: gpu.GPUFuncOp) -> dict[ir.Value, _Memory]:
    """Gives the entry block the arguments of the launch; the old ones are erased by `_retype`."""
    entry = kernel.body.blocks[0]
    memories: dict[ir.Value, _Memory] = {}
    for old in list(entry.arguments):
        kind = old.type
        if not isinstance(kind, tirx.BufferType):
            old.replace_all_uses_with(entry.add_argument(kind, old.location))
        elif emit.is_strided(kind):
            space = ir.Attribute.parse("#gpu.address_space<global>")
            address = ir.MemRefType.get([], emit.element(kind), None, space)
            types = [address, *[ir.IndexType.get()] * (2 * len(kind.shape))]
            new = [entry.add_argument(type_, old.location) for type_ in types]
            rank = len(kind.shape)
            pointer = _Memory(new[0], new[0], 0, [], [])
            sizes = _known_or(kind.shape, new[1 : 1 + rank])
            strides = _known_or(kind.strides, new[1 + rank :])
            memories[old] = _reinterpret(old, pointer, 0, sizes, strides)
        else:
            new = entry.add_argument(emit.memref_type(old), old.location)
            memories[old] = _Memory(new, new, 0, _known(kind.shape), _known(kind.strides))
    return memories


def _known(static: Sequence[int | None]) -> list[Index]:
    return [size for size in static if size is not None]


def _known_or(static: Sequence[int | None], values: Sequence[ir.Value]) -> list[Index]:
    return [value if size is None else size for size, value in zip(static, values, strict=True)]


def _retype(kernel: gpu.GPUFuncOp) -> None:
    """Drops the old arguments and writes the new types on the function."""
    entry = kernel.body.blocks[0]
    attributes: Any = kernel.operation.attributes
    if "pto.arguments" not in attributes:
        attributes["pto.arguments"] = signature(kernel, kernel.function_type.value.inputs)
    if "arg_attrs" in attributes:
        del attributes["arg_attrs"]
    for _ in range(len(kernel.function_type.value.inputs)):
        entry.erase_argument(0)
    function = ir.FunctionType.get([argument.type for argument in entry.arguments], [])
    attributes["function_type"] = ir.TypeAttr.get(function)


def signature(function: Any, types: Sequence[ir.Type]) -> ir.ArrayAttr:
    """Names and types of a kernel's arguments, which the launcher checks arrays against. A name is
    the argument's attribute `pto.name`, else its position."""
    attributes = function.operation.attributes
    named = attributes.get("arg_attrs")
    arguments: list[ir.Attribute] = []
    for i, kind in enumerate(types):
        name = ir.StringAttr.get(f"arg{i}")
        if named is not None and "pto.name" in named[i]:
            name = named[i]["pto.name"]
            if not isinstance(name, ir.StringAttr):
                raise OpError(function, f"argument {i}: 'pto.name' is no string")
        arguments.append(ir.DictAttr.get({"name": name, "type": ir.TypeAttr.get(kind)}))
    return ir.ArrayAttr.get(arguments)
