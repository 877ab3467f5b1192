"""The box over which a copy iterates.

Threads divide a flat number by the sizes of the inner dimensions, which should be constants: the
loop runs over the static bound of the region (the tile around a valid region) and skips what lies
outside.
"""

from collections.abc import Sequence
from typing import Any

from pto.lowering import emit
from pto.lowering.emit import Condition, Index
from pto.lowering.facts import fact
from pto.target import Target


def is_bounded(op: Any, _: Target | None = None) -> str | None:
    """Every dimension of the source or the destination has a known bound."""
    for dim, bound in enumerate(_bounds(op)):
        if bound is None:
            return f"is_bounded: dimension {dim} has no known bound"
    return None


@fact
def _bounds(op: Any) -> list[int | None]:
    """What is known to be enough along each dimension."""
    sides = zip(emit.bounds(op.src), emit.bounds(op.dst), strict=True)
    return [min((size for size in both if size is not None), default=None) for both in sides]


def shape(op: Any) -> list[int]:
    """The sizes of the box."""
    return [size for size in _bounds(op) if size is not None]


def size(op: Any, dim: int) -> Index:
    """The size of the copied region along `dim`, static if either side knows it."""
    for buffer in (op.src, op.dst):
        if buffer.type.shape[dim] is not None:
            return buffer.type.shape[dim]
    return emit.extent(op.dst, dim)


def guard(op: Any, dim: int, position: Index) -> Condition:
    """Whether `position` lies inside the region; True where the box is the region."""
    length = size(op, dim)
    return True if length == shape(op)[dim] else emit.less(position, length)


def inside(op: Any, position: Sequence[Index]) -> Condition:
    """Whether a position, or its outer part, lies inside the region."""
    condition: Condition = True
    for dim, index in enumerate(position):
        condition = emit.both(condition, guard(op, dim, index))
    return condition
