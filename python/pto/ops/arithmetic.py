"""Sums, products and quotients of tiles, element by element.

Meaning: the PTO specification. `tmax` and `tmin` take the number where one element is NaN and order
-0 below +0. An integer divided by zero stops the kernel.
"""

from collections.abc import Callable
from dataclasses import replace

from pto.ops import numeric
from pto.ops.entry import Array, Elementwise


def _binary(name: str, summary: str, function: str, compute: Callable[..., Array]) -> Elementwise:
    return Elementwise(name, summary, "map", compute, ("tile", "tile"), function)


TADD = _binary("pto.tadd", "the sum of two tiles", "add", numeric.add)
TSUB = _binary("pto.tsub", "the difference of two tiles", "sub", numeric.subtract)
TMUL = _binary("pto.tmul", "the product of two tiles", "mul", numeric.multiply)
TMAX = _binary("pto.tmax", "the larger of two elements", "max", numeric.maximum)
TMIN = _binary("pto.tmin", "the smaller of two elements", "min", numeric.minimum)
TDIV = replace(
    _binary("pto.tdiv", "the quotient of two tiles", "div", numeric.divide), fast_error=2**-22
)
TREM = _binary(
    "pto.trem", "the remainder of a division, with the divisor's sign", "rem", numeric.remainder
)
TFMA = Elementwise(
    "pto.tfma",
    "the product of two tiles plus a third, rounded once",
    "map",
    numeric.fused_multiply_add,
    ("tile", "tile", "tile"),
    "fma",
)

OPS = (TADD, TSUB, TMUL, TMAX, TMIN, TDIV, TREM, TFMA)
