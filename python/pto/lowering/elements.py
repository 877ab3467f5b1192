"""Positions in arrays: flat numbers and indices, for regions whose outer size may be unknown."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from pto.lowering import emit
from pto.lowering.emit import Index
from pto.target import Target


def volume(shape: Sequence[int]) -> int:
    """The number of elements."""
    product = 1
    for size in shape:
        product *= size
    return product


def decode(flat: Index, shape: Sequence[Index]) -> list[Index]:
    """The indices of element number `flat` in row-major order. All sizes but the first are known;
    the first is not used."""
    indices: list[Index] = []
    for size in reversed(shape[1:]):
        length = emit.known(size)
        assert length is not None, "inner sizes are static"
        indices.insert(0, emit.rem(flat, length))
        flat = emit.div(flat, length)
    return [flat, *indices] if shape else []


def bounds(buffer: ir.Value) -> list[int] | None:
    """A known bound of every dimension."""
    found = emit.bounds(buffer)
    return [size for size in found if size is not None] if None not in found else None


def static_shapes(op: Any, _: Target | None = None) -> str | None:
    """Every size is known at compile time."""
    for value in op.operands:
        shape = getattr(value.type, "shape", ())
        if None in shape:
            return f"static_shapes: {value.type}"
    return None


LONGEST = 4096
"""Elements of a source; what is longer becomes loops."""


def is_short(op: Any, _: Target) -> str | None:
    """Unrolling stays within reason."""
    if static_shapes(op) is not None:
        return None
    count = volume(op.src.type.shape)
    return f"is_short({LONGEST}): {count} elements" if count > LONGEST else None
