"""Lowerings of `tirx` primitives: one folder per primitive, one file per variant.

A new variant is a file and a line here.
"""

from pto.lowering.copy import registers as _registers
from pto.lowering.copy import scalar as _copy_scalar
from pto.lowering.copy import unrolled as _unrolled
from pto.lowering.copy import vector as _copy_vector
from pto.lowering.fill import scalar as _fill_scalar
from pto.lowering.reduction import (
    f16x2,
    fold,
    levels,
    local,
    redux,
    shared,
    shuffle,
    sm100_packed,
    warps,
)

VARIANTS = (
    _copy_scalar,
    _copy_vector,
    _registers,
    _unrolled,
    _fill_scalar,
    f16x2,
    fold,
    levels,
    local,
    redux,
    shared,
    shuffle,
    sm100_packed,
    warps,
)
