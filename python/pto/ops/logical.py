"""Bits, signs, comparisons and choices, element by element.

Meaning: the PTO specification. A mask holds a bit per element: that of column c is bit c mod 8 of
the byte in column c / 8 of its row.
"""

from collections.abc import Callable

import numpy as np

from pto.ops import numeric
from pto.ops.entry import Array, Choice, Elementwise


def _unary(name: str, summary: str, function: str, compute: Callable[..., Array]) -> Elementwise:
    return Elementwise(name, summary, "map", compute, ("tile",), function)


def _binary(name: str, summary: str, function: str, compute: Callable[..., Array]) -> Elementwise:
    return Elementwise(name, summary, "map", compute, ("tile", "tile"), function)


TAND = _binary("pto.tand", "the bits that both elements have", "and", np.bitwise_and)
TOR = _binary("pto.tor", "the bits that either element has", "or", np.bitwise_or)
TXOR = _binary("pto.txor", "the bits in which two elements differ", "xor", np.bitwise_xor)
TSHL = _binary("pto.tshl", "elements shifted left", "shl", numeric.shift_left)
TSHR = _binary("pto.tshr", "elements shifted right", "shr", numeric.shift_right)
TNOT = _unary("pto.tnot", "the complement of each element", "not", np.invert)
TABS = _unary("pto.tabs", "the absolute value of each element", "abs", numeric.absolute)
TNEG = _unary("pto.tneg", "each element with the other sign", "neg", numeric.negate)
TRELU = _unary("pto.trelu", "each element, or zero if it is negative", "relu", numeric.rectify)
TCMP = Elementwise(
    "pto.tcmp",
    "a bit per element: whether a relation holds",
    "compare",
    numeric.compare,
    ("tile", "tile"),
    result="mask",
    attributes={"cmp": Choice("#pto<cmp {}>", numeric.RELATIONS)},
)
TSEL = Elementwise(
    "pto.tsel",
    "the elements of one tile where a bit is set, else those of another",
    "select",
    numeric.select,
    ("mask", "tile", "tile"),
)

OPS = (TAND, TOR, TXOR, TSHL, TSHR, TNOT, TABS, TNEG, TRELU, TCMP, TSEL)
