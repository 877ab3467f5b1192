"""Reductions of tiles along one axis.

Meaning: the PTO specification (column reductions), and for NaN and signed zero in `max` and `min`
the PTX ISA instructions `max` and `min` without `.NaN`.
"""

import numpy as np

from pto.ops.entry import Array, Reduction


def _compute_dtype(dtype: np.dtype) -> np.dtype:
    """Where one `+` or `*` of `dtype` is computed before it is rounded.

    float32 for f16 and bf16: its significand has more than 2 p + 2 bits, so that rounding twice is
    rounding once (Figueroa, "When is double rounding innocuous?", 1995).
    """
    narrow_float = dtype.itemsize == 2 and dtype.kind not in "iu"
    return np.dtype(np.float32) if narrow_float else dtype


def _product(accumulator: Array, element: Array) -> Array:
    dtype, wide = element.dtype, _compute_dtype(element.dtype)
    with np.errstate(all="ignore"):
        return np.multiply(accumulator.astype(wide), element.astype(wide)).astype(dtype)


def _sum(accumulator: Array, element: Array) -> Array:
    dtype, wide = element.dtype, _compute_dtype(element.dtype)
    with np.errstate(all="ignore"):
        return np.add(accumulator.astype(wide), element.astype(wide)).astype(dtype)


def _maximum(accumulator: Array, element: Array) -> Array:
    """A NaN loses against a number, and -0 against +0."""
    if element.dtype.kind in "iu":
        return np.maximum(accumulator, element)
    with np.errstate(invalid="ignore"):
        tie = (accumulator == element) & ~np.signbit(accumulator)
        keep = (accumulator > element) | tie | np.isnan(element)
    return np.where(keep, accumulator, element)


def _minimum(accumulator: Array, element: Array) -> Array:
    """A NaN loses against a number, and +0 against -0."""
    if element.dtype.kind in "iu":
        return np.minimum(accumulator, element)
    with np.errstate(invalid="ignore"):
        tie = (accumulator == element) & np.signbit(accumulator)
        keep = (accumulator < element) | tie | np.isnan(element)
    return np.where(keep, accumulator, element)


TCOLPROD = Reduction(
    "pto.tcolprod",
    "the product of each column",
    primitive="prod",
    axis=0,
    identity=1,
    step=_product,
)
TCOLSUM = Reduction(
    "pto.tcolsum",
    "the sum of each column",
    primitive="sum",
    axis=0,
    identity=0,
    step=_sum,
)
TCOLMAX = Reduction(
    "pto.tcolmax",
    "the largest element of each column",
    primitive="max",
    axis=0,
    identity=None,
    step=_maximum,
)
TCOLMIN = Reduction(
    "pto.tcolmin",
    "the smallest element of each column",
    primitive="min",
    axis=0,
    identity=None,
    step=_minimum,
)

OPS = (TCOLPROD, TCOLSUM, TCOLMAX, TCOLMIN)
