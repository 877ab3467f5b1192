"""Buffers that the maps of a `tirx.fused` only hand on to each other: they need no memory.

Each of their elements is read after it is computed, by the same thread, and nothing else uses the
allocation. One with an address shares its bytes with others, and so is none of them.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from pto.lowering import emit, pointwise

_MARK = "pto.temporary"


def take(op: Any) -> set[ir.Value]:
    """The temporaries of a `tirx.fused`. Its lowering does not store them; `without` drops them."""
    destinations = {part.dst for part in pointwise.parts(op)}
    found = {buffer for buffer in destinations if _is_temporary(op, buffer)}
    for buffer in found:
        emit.root(buffer).owner.attributes[_MARK] = ir.UnitAttr.get()
    return found


def without(ops: Sequence[Any]) -> list[Any]:
    """Erases, of the operations on the buffers of a kernel, the allocations of temporaries and the
    views of them."""
    kept: list[Any] = []
    for op in reversed(ops):
        is_allocation = op.operation.name == "tirx.alloc"
        root = op.buffer if is_allocation else emit.root(op.operation.operands[0])
        allocation = emit.defining(root, "tirx.alloc")
        if allocation is not None and _MARK in allocation.operation.attributes:
            op.operation.erase()
        else:
            kept.append(op)
    return kept[::-1]


def _is_temporary(op: Any, buffer: Any) -> bool:
    root = emit.root(buffer)
    allocation = emit.defining(root, "tirx.alloc")
    if allocation is None or allocation.address is not None:
        return False
    uses: list[str] = []
    for part in pointwise.parts(op):
        for value, use in [*((source, "read") for source in part.srcs), (part.dst, "write")]:
            if pointwise.is_buffer(value) and emit.root(value) == root:
                if value != buffer:
                    return False
                uses.append(use)
    return uses[0] == "write" and uses[-1] == "read" and _is_used_only_in(root, op)


def _is_used_only_in(buffer: Any, op: Any) -> bool:
    """Whether all uses of a buffer and of its windows are operations in `op`."""
    users = [use.owner.operation for use in buffer.uses]
    return all(
        _is_used_only_in(user.results[0], op)
        if user.name == "tirx.subview"
        else user.parent == op.operation
        for user in users
    )
