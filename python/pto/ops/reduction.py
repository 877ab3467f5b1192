"""Reductions of tiles along one axis.

Meaning: the PTO specification (column reductions), and for NaN and signed zero in `max` and `min`
the PTX ISA instructions `max` and `min` without `.NaN`.
"""

from pto.ops.entry import Reduction
from pto.ops.numeric import add, maximum, minimum, multiply

TCOLPROD = Reduction(
    "pto.tcolprod",
    "the product of each column",
    primitive="prod",
    axis=0,
    identity=1,
    step=multiply,
)
TCOLSUM = Reduction(
    "pto.tcolsum",
    "the sum of each column",
    primitive="sum",
    axis=0,
    identity=0,
    step=add,
)
TCOLMAX = Reduction(
    "pto.tcolmax",
    "the largest element of each column",
    primitive="max",
    axis=0,
    identity=None,
    step=maximum,
)
TCOLMIN = Reduction(
    "pto.tcolmin",
    "the smallest element of each column",
    primitive="min",
    axis=0,
    identity=None,
    step=minimum,
)

OPS = (TCOLPROD, TCOLSUM, TCOLMAX, TCOLMIN)
