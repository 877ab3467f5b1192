"""A tile and a row or a column, which stands for all of its rows or columns.

Meaning: that of the same op on two tiles, after the PTO specification. The power of a difference
of f16 or bf16 may be a tile of f32: it is computed in f32 then.
"""

from dataclasses import replace
from typing import Literal

from pto.ops import arithmetic, numeric, transcendental
from pto.ops.entry import Elementwise

_EXPDIF = Elementwise(
    "",
    "",
    "map",
    numeric.exponential_of_difference,
    ("tile", "tile"),
    "expdif",
    ulp=1,
    fast_error=transcendental.TEXP.fast_error,
    results={
        "f16": ("f16", "f32"),
        "bf16": ("bf16", "f32"),
        "f32": ("f32",),
        "f64": ("f64",),
    },
)

_OPERATIONS = {
    "expdif": (_EXPDIF, "e to the power of a tile minus a {}"),
    "add": (arithmetic.TADD, "a tile plus a {}"),
    "sub": (arithmetic.TSUB, "a tile minus a {}"),
    "mul": (arithmetic.TMUL, "a tile times a {}"),
    "div": (arithmetic.TDIV, "a tile divided by a {}"),
    "max": (arithmetic.TMAX, "the larger of an element and that of a {}"),
    "min": (arithmetic.TMIN, "the smaller of an element and that of a {}"),
}


def _expansions(prefix: str, beside: Literal["row", "column"]) -> list[Elementwise]:
    alone = Elementwise(
        prefix, f"a {beside} in every {beside}", "map", numeric.identity, (beside,), "copy"
    )
    return [
        alone,
        *(
            replace(
                op,
                name=prefix + suffix,
                summary=summary.format(beside),
                operands=("tile", beside),
            )
            for suffix, (op, summary) in _OPERATIONS.items()
        ),
    ]


OPS = (*_expansions("pto.trowexpand", "column"), *_expansions("pto.tcolexpand", "row"))
