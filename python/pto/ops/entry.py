"""What an entry of the op table says.

Which element types an op takes, in which profile, and which tiles go together, is said by its line
in `dialect/pto`; `pto.ops.listing` asks the verifier.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Operand = Literal["tile", "scalar", "mask", "row", "column", "transposed"]
"""`row` and `column` are tiles of one row or column, which stands for every one of the others;
a `transposed` tile is read with its rows as columns."""


@dataclass(frozen=True)
class Choice:
    """An attribute that is one of a few words."""

    form: str
    """How a program writes it: `#pto<cmp {}>`."""
    words: tuple[str, ...]
    """The first is the default, of an attribute that has one."""


@dataclass(frozen=True)
class TileOp:
    """One tile op, in all of its forms."""

    name: str
    """As in the IR: `pto.tcolprod`."""
    summary: str
    """One line, without a full stop."""
    primitive: str
    """The `tirx` primitive it becomes, without the `tirx.` prefix."""


@dataclass(frozen=True)
class Reduction(TileOp):
    """A strict left fold over one axis of a tile, in increasing index."""

    axis: int
    """The axis that is folded away: 0 folds the rows of each column."""
    identity: int | None
    """What the fold starts from, `+0` for 0; None: from the first element."""
    step: Callable[[Array, Array], Array]
    """`step(accumulator, element)` on arrays of one dtype and shape (rank 1 or more), rounded to
    that dtype; integers wrap."""

    def fold(self, source: Array) -> Array:
        """`source` folded along `axis`, which stays as a dimension of size 1.

        `source` has at least one element along `axis`; the dtype is kept.
        """
        lines = np.moveaxis(source, self.axis, 0)
        if self.identity is None:
            accumulator, rest = lines[0].copy(), lines[1:]
        else:
            accumulator, rest = np.full_like(lines[0], self.identity), lines
        for line in rest:
            accumulator = self.step(accumulator, line)
        return np.expand_dims(accumulator, self.axis)


@dataclass(frozen=True)
class Elementwise(TileOp):
    """A function of the elements at the same position, over the valid region.

    All tiles have the same valid region; a row has its columns, a column its rows. The sources are
    read before the destination is written.
    """

    compute: Callable[..., Array]
    """The function, on arrays of one dtype that broadcast to one shape; a scalar is an array of
    rank 0, a mask one of `bool`. Attributes come as keywords. Where there is no result (an integer
    divided by zero) it raises `ArithmeticError`."""
    operands: tuple[Operand, ...]
    """What it takes, in order."""
    function: str = ""
    """The function of `tirx.map`, where that is the primitive."""
    ulp: int = 0
    """How far a compiled kernel may be from `compute`, in units in the last place; 0: nowhere."""
    fast_error: float | None = None
    """The relative error of f32 under `fastmath<afn>`, if that changes anything."""
    is_either_order: bool = False
    """A tile and a scalar, which may change places: the order is the meaning."""
    fills: bool = False
    """The valid region of the destination may be larger than the sources'; what lies outside
    theirs becomes its pad value."""
    counts: bool = False
    """`compute` takes, as its last operand, the number of each column."""
    result: Operand = "tile"
    """A tile, a row, or a mask: a bit per element."""
    attributes: Mapping[str, Choice] = field(default_factory=dict[str, Choice])
    """Its attributes, as in `{cmp = #pto<cmp LT>}`; `compute` takes their words as keywords."""
    results: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The element types that the result may have, by that of the tiles; empty: only that one.
    `compute` takes the dtype of the result as the keyword `to` where there is a choice."""

    def result_types(self, element: str) -> tuple[str, ...]:
        """Those of the result beside tiles of `element`; a mask has bytes."""
        return self.results.get(element, (element,))

    def spelled(self, words: Mapping[str, str]) -> str:
        """Attributes as a program writes them: `{cmp = #pto<cmp LT>}`, or nothing."""
        parts = [f"{name} = {self.attributes[name].form.format(words[name])}" for name in words]
        return f"{{{', '.join(parts)}}}" if parts else ""

    def kinds(self, are_tiles: Sequence[bool]) -> list[Operand]:
        """What the operands of one use are, given which of them are tiles."""
        if self.is_either_order:
            return ["tile" if is_tile else "scalar" for is_tile in are_tiles]
        return list(self.operands)
