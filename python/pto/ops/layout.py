"""Tiles moved, turned and filled up.

Meaning: the PTO specification. Elements are copied bit by bit.
"""

from pto.ops.entry import Elementwise
from pto.ops.numeric import identity

TMOV = Elementwise("pto.tmov", "a copy of a tile", "map", identity, ("tile",), "copy")
TTRANS = Elementwise(
    "pto.ttrans",
    "a tile with rows and columns exchanged",
    "map",
    identity,
    ("transposed",),
    "copy",
)
TFILLPAD = Elementwise(
    "pto.tfillpad",
    "a copy of a tile, and the pad value in the rest",
    "map",
    identity,
    ("tile",),
    "copy",
    fills=True,
)

OPS = (TMOV, TTRANS, TFILLPAD)
