"""`--check`: compares the result of a run with the reference's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Comparison:
    """How an array differs from the expected one."""

    wrong: tuple[int, ...] | None
    """The first index, in row-major order, of an element that is not accepted."""
    bit_equal: bool
    """Apart from the payload of NaNs."""
    absolute: float
    """The largest |got - expected|; inf where only one of the two is finite."""
    relative: float
    """The largest |got - expected| / |expected|."""


def compare(got: Array, expected: Array, rounding_steps: int | None = None) -> Comparison:
    """Compare two arrays of one shape and dtype.

    Elements are equal if their bits are, or if both are NaN. Only if the order of combination is
    open, `rounding_steps` says how many operations lie between an input and an output, and floats
    are accepted too within `tolerance`.
    """
    same = _bits(got) == _bits(expected)
    floats = got.dtype.kind not in "iu"
    if floats:
        same |= np.isnan(got) & np.isnan(expected)
    with np.errstate(all="ignore"):
        # In float64 the difference of two int64 is rounded, which an error measure can bear.
        wide = expected.astype(np.float64)
        absolute = np.where(same, 0.0, np.abs(got.astype(np.float64) - wide))
        absolute = np.where(np.isnan(absolute), np.inf, absolute)
        relative = np.where(absolute == 0, 0.0, absolute / np.abs(wide))
        relative = np.where(np.isnan(relative), np.inf, relative)
    accepted = same
    if floats and rounding_steps is not None:
        allowed = tolerance(got.dtype, rounding_steps) * np.abs(wide)
        accepted = same | (absolute <= allowed + float(_finfo(got.dtype).tiny))
    wrong = np.argwhere(~accepted)
    return Comparison(
        wrong=tuple(int(i) for i in wrong[0]) if wrong.size else None,
        bit_equal=bool(same.all()),
        absolute=float(absolute.max(initial=0.0)),
        relative=float(relative.max(initial=0.0)),
    )


def tolerance(dtype: np.dtype, rounding_steps: int) -> float:
    """The relative error that two orders of combination can have between them.

    Each step rounds with a relative error of at most eps / 2, in either of the two orders. It holds
    for products, and for sums of numbers of one sign: cancellation can exceed it.
    """
    return rounding_steps * float(_finfo(dtype).eps)


def reassociates(file: Path) -> bool:
    """Whether an op of the program leaves the order of combination open (`fastmath<reassoc>`)."""
    text = re.sub(r"//.*", "", file.read_text(errors="replace"))
    return re.search(r"fastmath\s*<[^>]*\b(reassoc|fast)\b", text) is not None


def _finfo(dtype: np.dtype) -> Any:
    """NumPy's own does not know bf16."""
    return cast(Any, ml_dtypes.finfo(dtype))


def _bits(array: Array) -> Array:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)
