"""One call: arguments checked as NumPy does, the result made, the prepared reduction run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pto.runtime.array import Array

from . import axes, chip, launch, libraries, prepare, problem, tune, types
from .axes import Axis
from .libraries import Library
from .plan import Plan, Work
from .types import Operation, Types

_LIMIT = 4096
_calls: dict[object, Call] = {}

_NUMPY_NAMES = {"max": "maximum", "min": "minimum"}
_IDENTITIES = {"sum": 0, "prod": 1, "mean": float("nan")}


@dataclass(frozen=True)
class Call:
    """All that is the same for calls with equal arguments but for the addresses of arrays."""

    shape: tuple[int, ...]
    dtype: np.dtype
    device: int | None
    fill: float | None = None
    """What every result is, where none has elements to combine."""
    warning: str | None = None
    on_device: Callable[[int, int], None] | None = None
    on_simulator: launch.Reduction | None = None
    extents: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Where, from their addresses, the memory of `x` and of `out` begins and ends."""


def reduce(
    operation: Operation,
    x: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: bool,
    deterministic: bool,
) -> Any:
    """The reduction; see `pto.reductions` for arguments and errors."""
    library = libraries.of(x)
    if library is None:
        adopted = libraries.adopt("x", x)
        target = out
        if out is not None and libraries.of(out) is None:
            target = libraries.adopt("out", out)
        result = reduce(operation, adopted, axis, dtype, target, keepdims, deterministic)
        return libraries.give_back(result, x) if out is None else out
    if library.name == "numpy" and not x.flags.aligned:
        x = x.copy()  # a GPU has no such arrays
    if axis is not None and type(axis) is not int:
        axis = axes.parse(axis, single=operation in ("argmax", "argmin"))
    if dtype is not None:
        dtype = types.parse(dtype)
    given = None
    if out is not None:
        if libraries.of(out) is not library:
            raise TypeError(
                f"out: expected an array of {library.name}, as x is, not {type(out).__name__}"
            )
        given = library.key(out)
    key = operation, library.key(x), axis, dtype, given, bool(keepdims), bool(deterministic)
    call = _calls.get(key)
    if call is None:
        call = _prepare(library, operation, x, axis, dtype, out, bool(keepdims), deterministic)
        if len(_calls) >= _LIMIT:
            _calls.clear()
        _calls[key] = call
    return _run(call, library, x, out)


def _run(call: Call, library: Library, x: Any, out: Any) -> Any:
    device = call.device
    with library.on(device):
        result = library.empty(call.shape, call.dtype, device) if out is None else out
        if call.warning is not None:
            warnings.warn(call.warning, RuntimeWarning, stacklevel=4)
        if call.fill is not None:
            library.fill(result, call.fill)
        elif call.on_device is not None:
            x_address, y_address = library.address(x), library.address(result)
            if out is not None:
                _check_overlap(call, x_address, y_address)
            call.on_device(x_address, y_address)
        elif call.on_simulator is not None:
            if out is not None:
                _check_overlap(call, library.address(x), library.address(result))
                if not out.flags.writeable:
                    raise ValueError("out: the array is read-only")
            launch.on_simulator(call.on_simulator, x, result)
    if device is None and out is None and not call.shape:
        return result[()]  # NumPy's functions give scalars, where CuPy's give arrays.
    return result


def _check_overlap(call: Call, x: int, y: int) -> None:
    x_begin, x_end, y_begin, y_end = call.extents
    if x + x_begin < y + y_end and y + y_begin < x + x_end:
        raise ValueError("out: its memory overlaps that of x")


# The first call -----------------------------------------------------------------------------------


def _prepare(
    library: Library,
    operation: Operation,
    x: Any,
    axis: Axis,
    dtype: np.dtype | None,
    out: Any,
    keepdims: bool,
    deterministic: bool,
) -> Call:
    source = types.check_source(library.dtype(x))
    array = library.describe(x, "x")
    reduced = axes.normalise(axis, len(array.shape))
    shape = axes.result_shape(array.shape, reduced, keepdims)
    out_dtype, result = None, None
    if out is not None:
        out_dtype = _check_out(library, out, shape, array)
        result = library.describe(out, "out")
    found = types.resolve(operation, source, dtype, out_dtype)
    call = Call(shape, found.result, array.device)
    if any(array.shape[dim] == 0 for dim in reduced):
        return _of_nothing(operation, call)
    if 0 in shape:
        return call
    strides = _strides("x", array, source)
    if result is None:
        result_strides = problem.row_major(shape)
    else:
        result_strides = _strides("out", result, found.result)
    kept = [
        result_strides[position]
        for position, dim in enumerate(
            d for d in range(len(array.shape)) if keepdims or d not in reduced
        )
        if dim not in reduced
    ]
    ordered = operation in ("argmax", "argmin")
    loops = problem.canonical(array.shape, strides, reduced, kept, ordered=ordered)
    device = array.device
    with library.on(device):
        facts = chip.of(device)

        def choose(sought: Types, work: Work) -> Plan:
            return tune.choose(sought, work, facts, library, device, array.address)

        ready = prepare.reduction(
            operation, found, loops, array.address, deterministic, facts, choose
        )
        extents = (
            *_extent(array.shape, strides, source),
            *_extent(shape, result_strides, found.result),
        )
        if device is None:
            return Call(shape, found.result, None, on_simulator=ready, extents=extents)
        on_device = launch.OnDevice(ready, library, device)
    return Call(shape, found.result, device, on_device=on_device, extents=extents)


def _check_out(library: Library, out: Any, shape: Sequence[int], x: Array) -> np.dtype:
    array = library.describe(out, "out")
    if array.device != x.device:
        raise ValueError(f"out: the array is {array.place}, but x {x.place}")
    if array.shape != tuple(shape):
        raise ValueError(f"out: expected shape {tuple(shape)}, got {array.shape}")
    dtype = library.dtype(out)
    if isinstance(dtype, np.dtype) and types.supported(dtype):
        return dtype
    raise TypeError(f"out: no reduction writes {dtype} elements")


def _of_nothing(operation: Operation, call: Call) -> Call:
    """Results that combine no elements."""
    if operation in ("argmax", "argmin"):
        raise ValueError(f"x: attempt to get {operation} of an empty sequence")
    if operation not in _IDENTITIES:
        raise ValueError(
            f"x: zero-size array to reduction operation {_NUMPY_NAMES[operation]} "
            "which has no identity"
        )
    warning = "Mean of empty slice" if operation == "mean" else None
    return Call(call.shape, call.dtype, call.device, _IDENTITIES[operation], warning)


def _strides(argument: str, array: Array, dtype: np.dtype) -> list[int]:
    """In elements; `ValueError` for an array that does not consist of whole elements."""
    size = dtype.itemsize
    if array.address % size:
        raise ValueError(
            f"{argument}: the array begins at 0x{array.address:x}, which is not a multiple of the "
            f"{size} bytes of a {dtype}"
        )
    for axis, (length, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        if length > 1 and stride % size:
            raise ValueError(
                f"{argument}: the stride of dimension {axis} is {stride} bytes, which is no "
                f"multiple of the {size} bytes of a {dtype}"
            )
    return [stride // size for stride in array.strides]


def _extent(shape: Sequence[int], strides: Sequence[int], dtype: np.dtype) -> tuple[int, int]:
    steps = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    below, above = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)
    return below * dtype.itemsize, (above + 1) * dtype.itemsize
