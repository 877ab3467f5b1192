"""Scalars: integers at the width of their type, floats rounded once."""

import math
from typing import Any

import numpy as np
from mlir import ir

from pto.dtypes import DTYPES

INDEX_BITS = 64


def bits_of(type: Any) -> int:
    """The width of an integer or `index` type."""
    return INDEX_BITS if isinstance(type, ir.IndexType) else type.width


def is_integer(type: Any) -> bool:
    return isinstance(type, ir.IndexType | ir.IntegerType)


def dtype_of(type: Any) -> np.dtype[Any] | None:
    """The dtype of a scalar's type, None for one that the reference does not know."""
    return DTYPES.get(str(type))


def element_dtype(type: Any) -> np.dtype[Any]:
    """The dtype of the elements of a tile, pointer or view; the verifiers admit no others."""
    return DTYPES[str(type.element_type)]


def signed(value: int, bits: int) -> int:
    """`value` wrapped to `bits`, read as two's complement; this is how integers are kept."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value: int, bits: int) -> int:
    """`value` wrapped to `bits`, read as a number that is not negative."""
    return value & ((1 << bits) - 1)


def float_from_int(value: int, dtype: np.dtype[Any]) -> Any:
    """An integer of any size as a float of `dtype`, rounded once to nearest even.

    A float64 holds 53 bits. A longer integer is first cut to fewer bits with the last one set if
    anything was lost (rounding to odd), which keeps the second rounding right; see Boldo and
    Melquiond, "Emulation of a FMA and correctly rounded sums", 2008.
    """
    if dtype == np.float64:
        return np.float64(value)
    magnitude = abs(value)
    shift = max(0, magnitude.bit_length() - 50)
    lost = magnitude & ((1 << shift) - 1)
    kept = (magnitude >> shift | bool(lost)) << shift
    return float_from_float64(math.copysign(kept, value), dtype)


def float_from_float64(value: float, dtype: np.dtype[Any]) -> Any:
    """A float64 rounded once to `dtype`, to nearest even.

    `ml_dtypes` goes to bf16 by way of float32; rounding to odd there makes the second rounding
    right, as in `float_from_int`.
    """
    with np.errstate(all="ignore"):
        if dtype != DTYPES["bf16"]:
            return dtype.type(value)
        single = np.float32(value)
        if np.isfinite(single) and float(single) != value:
            if abs(float(single)) > abs(value):
                single = np.nextafter(single, np.float32(0))
            single = (single.view(np.uint32) | np.uint32(1)).view(np.float32)
        return dtype.type(single)


def int_from_float(value: float, low: int, high: int) -> int:
    """`value` cut towards zero and clamped to `low..high`, NaN to 0, as PTX `cvt.rzi` does."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(value), low), high)
