"""A tile and a scalar, in either order, which is the meaning: `tsubs %x, %a` is x - a.

Meaning: that of the same op on two tiles, one of which holds the scalar everywhere.
"""

from dataclasses import replace

from pto.ops import arithmetic, logical, numeric
from pto.ops.entry import Elementwise

_SUMMARIES = (
    (arithmetic.TADD, "the sum of a tile and a scalar"),
    (arithmetic.TSUB, "the difference of a tile and a scalar"),
    (arithmetic.TMUL, "the product of a tile and a scalar"),
    (arithmetic.TMAX, "the larger of an element and a scalar"),
    (arithmetic.TMIN, "the smaller of an element and a scalar"),
    (arithmetic.TDIV, "the quotient of a tile and a scalar"),
    (arithmetic.TREM, "the remainder of a tile and a scalar"),
    (logical.TAND, "the bits that an element and a scalar have"),
    (logical.TOR, "the bits that an element or a scalar has"),
    (logical.TXOR, "the bits in which an element and a scalar differ"),
    (logical.TSHL, "elements shifted left by a scalar, or a scalar by them"),
    (logical.TSHR, "elements shifted right by a scalar, or a scalar by them"),
    (logical.TCMP, "a bit per element: whether a relation with a scalar holds"),
)


def _with_scalar(op: Elementwise, summary: str) -> Elementwise:
    return replace(
        op,
        name=f"{op.name}s",
        summary=summary,
        operands=("tile", "scalar"),
        is_either_order=True,
    )


TSELS = replace(
    logical.TSEL,
    name="pto.tsels",
    summary="the elements of a tile where a bit is set, else a scalar",
    operands=("mask", "tile", "scalar"),
)
TEXPANDS = Elementwise(
    "pto.texpands", "a scalar in every element", "map", numeric.identity, ("scalar",), "copy"
)

OPS = (*(_with_scalar(op, summary) for op, summary in _SUMMARIES), TSELS, TEXPANDS)
