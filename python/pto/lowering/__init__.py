"""Lowerings of `tirx` primitives: one folder per primitive, one file per variant.

A new variant is a file and a line here.
"""

from pto.lowering.copy import scalar as _copy_scalar
from pto.lowering.copy import vector as _copy_vector
from pto.lowering.fill import scalar as _fill_scalar
from pto.lowering.reduction import fold as _fold
from pto.lowering.reduction import shared as _shared

VARIANTS = (_copy_scalar, _copy_vector, _fill_scalar, _fold, _shared)
