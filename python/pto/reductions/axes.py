"""The `axis` argument, and the shape that a reduction leaves."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

Axis = int | tuple[int, ...] | None


def parse(axis: Any, *, single: bool) -> Axis:
    """`axis` as None, an int, or (unless `single`) a tuple of ints.

    Raises `TypeError` for anything else.
    """
    if axis is None or type(axis) is int:
        return axis
    if isinstance(axis, tuple) and not single:
        return tuple(_integer(each) for each in axis)
    return _integer(axis)


def _integer(axis: Any) -> int:
    try:
        if isinstance(axis, bool):
            raise TypeError
        return operator.index(axis)
    except TypeError:
        raise TypeError(f"axis: expected None or integers, not {axis!r:.60}") from None


def normalise(axis: Axis, rank: int) -> tuple[int, ...]:
    """The reduced dimensions of an array of `rank` dimensions, counted from 0.

    Raises `numpy.exceptions.AxisError` for one that there is not, and `ValueError` for one that is
    given twice. As in NumPy, a 0-d array has the axes 0 and -1, which reduce nothing.
    """
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, int):
        if rank == 0 and axis in (0, -1):
            return ()
        axis = (axis,)
    for each in axis:
        if not -rank <= each < rank:
            raise np.exceptions.AxisError(each, rank, "axis")
    found = tuple(each % rank for each in axis)
    if len(set(found)) != len(found):
        raise ValueError(f"axis: duplicate value in {axis}")
    return found


def result_shape(shape: Sequence[int], axes: Sequence[int], keepdims: bool) -> tuple[int, ...]:
    """The shape of the result."""
    if keepdims:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)
