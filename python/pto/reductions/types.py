"""Which element types a reduction reads, accumulates in and writes: NumPy's rules.

Sums and products of integers narrower than 64 bits, and of bool, are of 64 bits unless `dtype` or
`out` says otherwise; the mean of integers is float64. Sums, products and means of float16 and
bfloat16 have float32 partial results and are rounded once. Elements convert to `dtype`, and results
to `out`, under the rule `same_kind` of `numpy.can_cast`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pto.dtypes import DTYPES, name_of

Operation = Literal["sum", "prod", "max", "min", "argmax", "argmin", "mean"]

BOOL = np.dtype(bool)
_HALVES = (DTYPES["f16"], DTYPES["bf16"])
_I64, _U64, _F32, _F64 = DTYPES["i64"], DTYPES["ui64"], DTYPES["f32"], DTYPES["f64"]


@dataclass(frozen=True)
class Types:
    """The element types of one reduction, as NumPy dtypes."""

    combine: Literal["sum", "prod", "max", "min", "argmax", "argmin"]
    """What partial results are combined by: a mean is a sum, a bool sum a maximum."""
    source: np.dtype
    accumulate: np.dtype
    result: np.dtype


def ir_name(dtype: np.dtype) -> str:
    """The IR spelling of an element type; a bool is a byte that is 0 or 1."""
    name = "ui8" if dtype == BOOL else name_of(dtype)
    assert name is not None
    return name


def supported(dtype: np.dtype) -> bool:
    """Whether arrays can have this element type."""
    return dtype == BOOL or name_of(dtype) is not None


def parse(dtype: Any) -> np.dtype | None:
    """The `dtype` argument: None, a NumPy dtype or what makes one, or a `torch.dtype`.

    Raises `TypeError` for one that is no element type.
    """
    if dtype is None:
        return None
    name = str(dtype)
    try:
        found = np.dtype(name.removeprefix("torch.") if name.startswith("torch.") else dtype)
    except TypeError:
        raise TypeError(f"dtype: {dtype!r:.60} is no element type") from None
    if not supported(found):
        raise TypeError(f"dtype: no reduction computes in {found}; {_choice()}")
    return found


def check_source(dtype: object) -> np.dtype:
    """The element type of `x`; `TypeError` if there is no reduction of it."""
    if isinstance(dtype, np.dtype) and supported(dtype):
        return dtype
    raise TypeError(f"x: there is no reduction of {dtype} elements; {_choice()}")


def resolve(
    operation: Operation, source: np.dtype, dtype: np.dtype | None, out: np.dtype | None
) -> Types:
    """The types of a reduction of `source` elements under the arguments `dtype` and `out` (its
    element type), None for those not given.

    Raises `TypeError`, naming the argument, for a conversion that `same_kind` does not allow.
    """
    if operation in ("argmax", "argmin"):
        if out not in (None, _I64):
            raise TypeError(f"out: {operation} writes indices as int64, not as {out}")
        return Types(operation, source, source, _I64)
    wanted = dtype or out or _default(operation, source)
    argument = "dtype" if dtype is not None else "out"
    if wanted.kind in "biu" and operation == "mean":
        raise TypeError(f"{argument}: a mean is a floating-point number, not of type {wanted}")
    _check_cast(argument, "the elements of x do", source, wanted)
    if out is not None:
        _check_cast("out", "the result does", wanted, out)
    result = out or wanted
    if operation in ("max", "min"):
        return Types(operation, source, source, result)
    if wanted == BOOL:
        return Types("max" if operation == "sum" else "min", source, source, result)
    combine = "prod" if operation == "prod" else "sum"
    return Types(combine, source, _accumulate(source, wanted), result)


def _default(operation: Operation, source: np.dtype) -> np.dtype:
    if source.kind not in "biu" or operation in ("max", "min"):
        return source
    if operation == "mean":
        return _F64
    return _U64 if source.kind == "u" else _I64


def _accumulate(source: np.dtype, wanted: np.dtype) -> np.dtype:
    """The type of partial results: at least as wide as the elements and as what is wanted."""
    if source.kind in "biu" and wanted.kind in "iu":
        # Integers wrap, so that a narrower result is the low part of a wider one.
        size = max(source.itemsize, wanted.itemsize)
        return np.dtype(f"{wanted.kind}{size}")
    if wanted in _HALVES:
        wanted = _F32
    if source in _HALVES:
        source = _F32
    return np.promote_types(source, wanted)


def _check_cast(argument: str, what: str, source: np.dtype, target: np.dtype) -> None:
    if not np.can_cast(source, target, "same_kind"):
        raise TypeError(
            f"{argument}: {what} not convert from {source} to {target} under the rule 'same_kind'"
        )


def _choice() -> str:
    return "it is one of bool, " + ", ".join(str(dtype) for dtype in DTYPES.values())
