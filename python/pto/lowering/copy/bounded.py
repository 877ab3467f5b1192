"""The rectangle over which a copy iterates.

Threads divide a flat index by the number of columns, which should be a constant: the loop runs over
the static bound of the region (the tile around a valid region) and skips what lies outside.
"""

from typing import Any

from pto.lowering import emit
from pto.target import Target


def is_bounded(op: Any, _: Target | None = None) -> str | None:
    """Rows and columns of the source or the destination have a known bound."""
    for dim in (0, 1):
        if _bound(op, dim) is None:
            return f"is_bounded: dimension {dim} has no known bound"
    return None


def _bound(op: Any, dim: int) -> int | None:
    bounds = [emit.bound(buffer, dim) for buffer in (op.src, op.dst)]
    return min((bound for bound in bounds if bound is not None), default=None)


def shape(op: Any) -> tuple[int, int]:
    """The rows and columns of the rectangle."""
    rows, columns = _bound(op, 0), _bound(op, 1)
    assert rows is not None and columns is not None
    return rows, columns


def size(op: Any, dim: int) -> emit.Index:
    """The size of the copied region along `dim`, static if either side knows it."""
    for buffer in (op.src, op.dst):
        if buffer.type.shape[dim] is not None:
            return buffer.type.shape[dim]
    return emit.extent(op.dst, dim)


def guard(op: Any, dim: int, position: emit.Index) -> emit.Condition:
    """Whether `position` lies inside the region; True where the rectangle is the region."""
    length = size(op, dim)
    return True if length == shape(op)[dim] else emit.less(position, length)
