"""Reductions of tiles along one axis.

Meaning: the PTO specification, and for NaN and signed zero in `max` and `min` the PTX ISA
instructions `max` and `min` without `.NaN`.
"""

from collections.abc import Callable

from pto.ops.entry import Array, Reduction
from pto.ops.numeric import add, maximum, minimum, multiply


def _pair(word: str, what: str, identity: int | None, step: Callable[[Array, Array], Array]):
    """The reductions of columns and of rows by one operation."""
    return tuple(
        Reduction(f"pto.t{axis}{word}", f"{what} of each {name}", word, dim, identity, step)
        for dim, (axis, name) in enumerate((("col", "column"), ("row", "row")))
    )


TCOLPROD, TROWPROD = _pair("prod", "the product", 1, multiply)
TCOLSUM, TROWSUM = _pair("sum", "the sum", 0, add)
TCOLMAX, TROWMAX = _pair("max", "the largest element", None, maximum)
TCOLMIN, TROWMIN = _pair("min", "the smallest element", None, minimum)

OPS = (TCOLPROD, TCOLSUM, TCOLMAX, TCOLMIN, TROWPROD, TROWSUM, TROWMAX, TROWMIN)
