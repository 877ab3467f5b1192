"""The canonical form of a reduction: few dimensions, in an order that suits memory.

Many calls are the same loop nest: dimensions of one element say nothing, neighbours that lie
contiguously are one dimension, and, where the order of elements does not matter, a dimension can be
walked from its other end and reduced dimensions can change places. What remains decides the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

VECTOR = 16
"""Bytes of the widest access of one thread that all targets have."""

Case = Literal["flat", "inner", "outer", "general"]


class Dimension(NamedTuple):
    """One loop: its number of iterations, and the steps in elements of source and result."""

    size: int
    source: int
    result: int = 0


@dataclass(frozen=True)
class Problem:
    """A reduction of an array at `x` to one at `y`, both addresses of element [0, ..., 0].

    `y[k . result] = combine over r of x[x_offset + k . source + r . source]`, where `y` begins at
    `y_offset`, `k` runs over `kept` and `r` over `reduced`, each from outermost to innermost.
    """

    kept: tuple[Dimension, ...]
    reduced: tuple[Dimension, ...]
    x_offset: int
    """From the address of the caller's array to that of the first element here, in elements."""
    y_offset: int

    @cached_property
    def outputs(self) -> int:
        """How many results there are."""
        return math.prod(dim.size for dim in self.kept)

    @cached_property
    def length(self) -> int:
        """How many elements each result combines."""
        return math.prod(dim.size for dim in self.reduced)

    @cached_property
    def is_dense(self) -> bool:
        """Whether the results lie together, from the address of the result on."""
        step = 1
        if self.y_offset:
            return False
        for dim in sorted(self.kept, key=lambda dim: dim.result):
            if dim.result != step:
                return False
            step *= dim.size
        return True

    @property
    def case(self) -> Case:
        """Where the innermost contiguous elements lie.

        `flat`: one result of contiguous elements. `inner`: the elements of a result are contiguous
        in the innermost reduced dimension (TROW*). `outer`: neighbouring results have neighbouring
        elements (TCOL*). `general`: neither.
        """
        if self.reduced[-1].source == 1:
            return "inner" if self.kept or len(self.reduced) > 1 else "flat"
        if self.kept and self.kept[-1].source == 1:
            return "outer"
        return "general"

    def aligned(self, address: int, itemsize: int) -> bool:
        """Whether vectors of `VECTOR` bytes can be read along the contiguous dimension, given the
        address of the caller's array: every run begins at a multiple of `VECTOR` bytes, and runs
        of neighbouring results end there too."""
        steps = [dim.source for dim in (*self.kept, *self.reduced) if dim.source != 1]
        if self.case == "outer":
            steps.append(self.kept[-1].size)
        first = address + self.x_offset * itemsize
        return all(place % VECTOR == 0 for place in (first, *(step * itemsize for step in steps)))


def canonical(
    shape: Sequence[int],
    strides: Sequence[int],
    axes: Sequence[int],
    result_strides: Sequence[int],
    *,
    ordered: bool,
) -> Problem:
    """The canonical form of the reduction of an array over `axes` (non-negative, distinct).

    `strides` and `result_strides` are in elements; the latter are those of the kept dimensions of
    the result, in the order of the array's. No size is 0. Under `ordered` the reduced dimensions
    stay in row-major order, as the position of an element in them counts (argmax). There is always
    a reduced dimension, if of one element.
    """
    kept: list[Dimension] = []
    reduced: list[Dimension] = []
    x_offset = y_offset = 0
    results = iter(result_strides)
    for axis, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        result = 0 if axis in axes else next(results)
        if size == 1:
            continue
        if stride < 0 and not (ordered and axis in axes):
            x_offset += (size - 1) * stride
            y_offset += (size - 1) * result
            stride, result = -stride, -result
        (reduced if axis in axes else kept).append(Dimension(size, stride, result))
    kept.sort(key=_outermost_first)
    if not ordered:
        reduced.sort(key=_outermost_first)
    # Where nothing is reduced, a dimension of one element is.
    loops = _merge(reduced) or (Dimension(1, 0 if kept else 1),)
    return Problem(_merge(kept), loops, x_offset, y_offset)


def _outermost_first(dim: Dimension) -> tuple[bool, int]:
    """By decreasing step; a dimension along which an array is repeated has no place in memory."""
    return dim.source != 0, -dim.source


def _merge(dims: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """Joins neighbours of which the outer one's step is the whole length of the inner one."""
    merged: list[Dimension] = []
    for dim in dims:
        outer = merged[-1] if merged else None
        if outer and (outer.source, outer.result) == (dim.size * dim.source, dim.size * dim.result):
            merged[-1] = Dimension(outer.size * dim.size, dim.source, dim.result)
        else:
            merged.append(dim)
    return tuple(merged)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides, in elements, of an array without gaps."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.append(strides[-1] * max(size, 1))
    return tuple(reversed(strides)) if shape else ()
