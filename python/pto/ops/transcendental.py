"""Exponentials, logarithms and roots, element by element.

Meaning: the PTO specification; the reference is the value of the function, rounded once. `tsqrt`
and `trecip` give just that, the others are within one unit in the last place of it, by sums and
products that are the same on every machine. `fastmath<afn>` permits the machine's approximations,
of f32, and of f16 and bf16 through f32; of `tdiv` too.
"""

from collections.abc import Callable

import numpy as np

from pto.ops import numeric
from pto.ops.entry import Array, Elementwise


def _unary(
    name: str,
    summary: str,
    function: str,
    compute: Callable[[Array], Array],
    *,
    ulp: int,
    fast_error: float,
) -> Elementwise:
    return Elementwise(
        name,
        summary,
        "map",
        compute,
        ("tile",),
        function,
        ulp=ulp,
        fast_error=fast_error,
    )


TEXP = _unary(
    "pto.texp",
    "e to the power of each element",
    "exp",
    numeric.exponential,
    ulp=1,
    fast_error=2**-15,
)
TLOG = _unary(
    "pto.tlog",
    "the natural logarithm of each element",
    "log",
    numeric.correctly_rounded(np.log),
    ulp=1,
    fast_error=2**-20,
)
TSQRT = _unary(
    "pto.tsqrt",
    "the square root of each element",
    "sqrt",
    numeric.square_root,
    ulp=0,
    fast_error=2**-22,
)
TRSQRT = _unary(
    "pto.trsqrt",
    "one over the square root of each element",
    "rsqrt",
    numeric.correctly_rounded(lambda a: 1 / np.sqrt(a)),
    ulp=1,
    fast_error=2**-22,
)
TRECIP = _unary(
    "pto.trecip", "one over each element", "recip", numeric.reciprocal, ulp=0, fast_error=2**-22
)

OPS = (TEXP, TLOG, TSQRT, TRSQRT, TRECIP)
