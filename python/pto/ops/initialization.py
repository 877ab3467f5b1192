"""Tiles made from scalars.

Meaning: the PTO specification. Integers wrap.
"""

from pto.ops import numeric
from pto.ops.entry import Choice, Elementwise

TCI = Elementwise(
    "pto.tci",
    "consecutive integers in one row, from a scalar on, up or down",
    "iota",
    numeric.sequence,
    ("scalar",),
    result="row",
    attributes={"descending": Choice("{}", ("false", "true"))},
    counts=True,
)

OPS = (TCI,)
