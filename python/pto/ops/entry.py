"""What an entry of the op table says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


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
