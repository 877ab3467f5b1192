"""Elements in another type.

Meaning: the PTO specification, which leaves open what happens out of range. `rmode` is `RINT`
(to nearest, ties to even), `ROUND` (to nearest, ties away from zero), `FLOOR`, `CEIL`, `TRUNC`
(towards zero), `ODD` (to the neighbour whose last bit is 1), or `NONE`, the default: `TRUNC` from a
float to an integer, else `RINT`. With `sat` `ON` numbers out of range, infinities too, become the
nearest finite number of the type. With `OFF`, the default, integers wrap, also those to which a
float is rounded, and floats overflow as IEEE 754 says for the mode (`ODD`: to the largest number).
In integers NaN is 0, and so is an infinity that is not clamped; among floats NaN stays NaN.
"""

from pto.dtypes import DTYPES
from pto.ops.entry import Choice, Elementwise
from pto.ops.rounding import convert

TCVT = Elementwise(
    "pto.tcvt",
    "the elements in another type",
    "map",
    convert,
    ("tile",),
    "cast",
    attributes={
        "rmode": Choice(
            "#pto<round_mode {}>", ("NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD")
        ),
        "sat": Choice("#pto<sat {}>", ("OFF", "ON")),
    },
    results={name: tuple(DTYPES) for name in DTYPES},
)

OPS = (TCVT,)
