"""Reductions of whole arrays with NumPy's meaning: `sum prod max min argmax argmin mean`.

Arrays are NumPy's (the kernels run on the simulator), CuPy's, PyTorch's, or any others on a CUDA
device (`__cuda_array_interface__`, DLPack), of any rank and strides. Nothing is copied on a device.
The result is of the caller's library, on its current stream, and the call does not wait for it:
after a first call with arguments of the same kind it can be captured in a CUDA graph. Kernels are
compiled when they are first needed, and cached (see `pto.reductions.cache`). PyTorch records no
gradient.

Arguments
    x              f16 bf16 f32 f64, integers of 8 to 64 bits, or bool
    axis           None for all, an int, or a tuple of ints (not for argmax and argmin)
    dtype          in which sums, products and means are computed; by default as in NumPy: 64 bits
                   for the sum of integers, float64 for their mean, float32 partial results for f16
                   and bf16
    out            an array of the result's shape, which gets the result and is returned. `dtype`
                   defaults to its element type. It may not overlap `x`.
    keepdims       reduced dimensions stay, with size 1
    deterministic  the same bits from every call with an array of the same shape and strides on the
                   same kind of device; otherwise the order of additions is open

`max`, `min`, `argmax` and `argmin` take a NaN for the extreme, as NumPy does. Integers wrap.

Errors
    TypeError      for what is no array, element types that there is no reduction of, an axis that
                   is no integer, and conversions that `same_kind` does not allow (`numpy.can_cast`)
    ValueError     for an axis given twice, an `out` of another shape or device, and maxima of
                   nothing; `numpy.exceptions.AxisError`, which is one, for an axis that the array
                   has not
    RuntimeWarning for the mean of nothing, which is NaN

Every message begins with the name of the argument.
"""

from __future__ import annotations

from typing import Any

from .call import reduce


def sum(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The sum of elements over `axis`; 0 for none. See `pto.reductions`."""
    return reduce("sum", x, axis, dtype, out, keepdims, deterministic)


def prod(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The product of elements over `axis`; 1 for none. See `pto.reductions`."""
    return reduce("prod", x, axis, dtype, out, keepdims, deterministic)


def max(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The largest element over `axis`, NaN if one is. See `pto.reductions`."""
    return reduce("max", x, axis, dtype, out, keepdims, deterministic)


def min(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The smallest element over `axis`, NaN if one is. See `pto.reductions`."""
    return reduce("min", x, axis, dtype, out, keepdims, deterministic)


def mean(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The mean of elements over `axis`; NaN, with a warning, for none. See `pto.reductions`."""
    return reduce("mean", x, axis, dtype, out, keepdims, deterministic)


def argmax(
    x: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The index (int64) of the first of the largest elements along `axis`, or in the whole array
    in row-major order. See `pto.reductions`."""
    return reduce("argmax", x, axis, None, out, keepdims, deterministic)


def argmin(
    x: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    deterministic: bool = False,
) -> Any:
    """The index (int64) of the first of the smallest elements along `axis`, or in the whole array
    in row-major order. See `pto.reductions`."""
    return reduce("argmin", x, axis, None, out, keepdims, deterministic)
