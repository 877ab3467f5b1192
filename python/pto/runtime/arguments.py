"""Checks what a kernel is called with, and flattens it into the kernel's parameters."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, TypeVar, cast

import numpy as np

from pto.dtypes import DTYPES, name_of
from pto.errors import LaunchError

from .array import Array, describe

Address = TypeVar("Address")

ALIGNMENT = 16
"""Bytes to which arrays of a shape that the kernel fixes are aligned: one vector access."""


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel.

    In PTX a `ptr` is the address (u64) of a row-major array of any shape; an `array` that of one
    of this shape, aligned to `ALIGNMENT`; a `view` of rank r the address of element [0, ..., 0],
    then r sizes, then r strides in elements (all i64); a `scalar` is itself, an `index` an i64.
    """

    name: str
    kind: Literal["ptr", "array", "view", "scalar"]
    dtype: str
    """As in the IR (`pto.dtypes`); a scalar's can be `index` too."""
    shape: tuple[int | None, ...] = ()
    """The sizes of an array or a view; None in a view for one that the array decides."""
    strides: tuple[int | None, ...] = ()
    """A view's strides in elements, where the kernel fixes them; empty for none."""

    @property
    def type(self) -> str:
        """For messages: `?x16xf32`, `ptr<f32>`, `i32`."""
        if self.kind == "ptr":
            return f"ptr<{self.dtype}>"
        sizes = ("?" if size is None else str(size) for size in self.shape)
        return "x".join((*sizes, self.dtype))

    @property
    def scalar_dtype(self) -> np.dtype:
        """What a scalar has as a kernel parameter."""
        return DTYPES["i64" if self.dtype == "index" else self.dtype]


def bind(
    kernel: str, arguments: Sequence[Argument], values: Sequence[object]
) -> list[Array | np.generic]:
    """One checked value per argument: an `Array`, or a scalar of the parameter's type.

    All arrays lie in one memory: the host's, or that of one CUDA device. Raises `LaunchError`,
    which names the argument, for any value that does not fit.
    """
    if len(values) != len(arguments):
        wanted = ", ".join(f"{a.name}: {a.type}" for a in arguments) or "none"
        raise LaunchError(
            f"kernel '{kernel}' takes {_count(len(arguments))} ({wanted}), not {len(values)}"
        )
    bound: list[Array | np.generic] = []
    first: tuple[str, Array] | None = None
    for argument, value in zip(arguments, values, strict=True):
        try:
            bound.append(checked := _check(argument, value))
            if isinstance(checked, Array):
                first = first or (argument.name, checked)
                _check_place(checked, *first)
        except LaunchError as error:
            raise LaunchError(f"kernel '{kernel}', argument '{argument.name}': {error}") from None
    return bound


def flatten(
    arguments: Sequence[Argument],
    bound: Sequence[Array | np.generic],
    address: Callable[[Argument, Array], Address],
) -> list[Address | np.generic]:
    """The kernel's parameters in PTX order; `address` makes that of an array's first element."""
    parameters: list[Address | np.generic] = []
    for argument, value in zip(arguments, bound, strict=True):
        if not isinstance(value, Array):
            parameters.append(value)
            continue
        parameters.append(address(argument, value))
        if argument.kind == "view":
            itemsize = DTYPES[argument.dtype].itemsize
            parameters += [np.int64(size) for size in value.shape]
            parameters += [np.int64(stride // itemsize) for stride in value.strides]
    return parameters


def check_grid(kernel: str, grid: SupportsIndex, cluster: int, only: int | None = None) -> int:
    """The number of CTAs as an int; `LaunchError` unless the hardware can launch that many, in
    clusters of `cluster`, and they are `only` so many if the kernel relies on that."""
    try:
        ctas = operator.index(grid)
    except TypeError:
        raise LaunchError(
            f"kernel '{kernel}': the grid is a number of CTAs, not {grid!r}"
        ) from None
    if not 1 <= ctas <= 2**31 - 1:
        raise LaunchError(f"kernel '{kernel}': the grid is 1 to 2147483647 CTAs, not {ctas}")
    if ctas % cluster:
        raise LaunchError(
            f"kernel '{kernel}': a grid of {ctas} CTAs is not made of whole clusters of {cluster}"
        )
    if only not in (None, ctas):
        raise LaunchError(
            f"kernel '{kernel}': a grid of {ctas} CTAs, but its known_grid_size is {only}"
        )
    return ctas


def _count(number: int) -> str:
    return f"{number} argument" + ("" if number == 1 else "s")


def _check(argument: Argument, value: object) -> Array | np.generic:
    array = describe(value)
    if argument.kind == "scalar":
        if array is not None:
            raise LaunchError(f"expected a scalar {argument.type}, got an array {array.type}")
        return _scalar(argument, value)
    if array is None:
        hint = " (a NumPy array, or one on a CUDA device)"
        raise LaunchError(
            f"expected an array for {argument.type}{hint}, got {type(value).__name__} {value!r:.60}"
        )
    if array.dtype != argument.dtype:
        raise LaunchError(f"expected elements of type {argument.dtype}, got {array.dtype}")
    if argument.kind != "ptr":
        _check_shape(argument, array)
    if argument.kind == "view":
        _check_strides(argument, array)
    elif not array.contiguous:
        raise LaunchError(
            f"expected a row-major array without gaps for {argument.type}, got shape {array.shape} "
            f"with strides of {array.strides} bytes; pass a contiguous copy"
        )
    itemsize = DTYPES[argument.dtype].itemsize
    if array.address % itemsize:
        raise LaunchError(
            f"the array begins at 0x{array.address:x}, which is not a multiple of its element "
            f"size, {itemsize} bytes; pass an aligned copy"
        )
    if argument.kind == "array" and array.address % ALIGNMENT:
        raise LaunchError(
            f"the array begins at 0x{array.address:x}, which is not a multiple of {ALIGNMENT} "
            "bytes; pass an aligned copy"
        )
    if not array.writable:
        raise LaunchError("the array is read-only, and a kernel may write to it; pass a copy")
    return array


def _check_shape(argument: Argument, array: Array) -> None:
    if len(array.shape) != len(argument.shape):
        raise LaunchError(
            f"expected {len(argument.shape)} dimensions ({argument.type}), "
            f"got {len(array.shape)} ({array.type})"
        )
    for axis, (wanted, size) in enumerate(zip(argument.shape, array.shape, strict=True)):
        if wanted is not None and wanted != size:
            raise LaunchError(
                f"expected size {wanted} in dimension {axis} ({argument.type}), "
                f"got {size} ({array.type})"
            )


def _check_strides(argument: Argument, array: Array) -> None:
    if 0 in array.shape:
        return  # Strides of no elements mean nothing; NumPy has any.
    itemsize = DTYPES[argument.dtype].itemsize
    for axis, (size, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        if size > 1 and stride % itemsize:
            raise LaunchError(
                f"the stride of dimension {axis} is {stride} bytes, which is not a whole number of "
                f"{argument.dtype} elements ({itemsize} bytes); pass a contiguous copy"
            )
    for axis, (wanted, size, stride) in enumerate(
        zip(argument.strides, array.shape, array.strides, strict=False)
    ):
        if wanted is not None and size > 1 and stride != wanted * itemsize:
            raise LaunchError(
                f"expected a stride of {wanted} elements in dimension {axis}, "
                f"got {stride // itemsize}"
            )


def _check_place(array: Array, first_name: str, first: Array) -> None:
    if array.device != first.device:
        raise LaunchError(
            f"the array is {array.place}, but that of '{first_name}' {first.place}; "
            "all arrays of a launch lie in one memory"
        )


def _scalar(argument: Argument, value: object) -> np.generic:
    """A Python number goes by its value; a NumPy scalar must have the parameter's type."""
    dtype = argument.scalar_dtype
    if isinstance(value, np.generic):
        scalar = cast("np.generic[Any]", value)
        if scalar.dtype != dtype:
            got = name_of(scalar.dtype) or str(scalar.dtype)
            raise LaunchError(f"expected a scalar {argument.type}, got {got}")
        return scalar
    if dtype.kind in "iu":
        return _integer(argument, dtype, value)
    if not isinstance(value, int | float):
        raise LaunchError(f"expected a number for {argument.type}, got {value!r:.60}")
    with np.errstate(over="ignore"):
        result = cast(np.generic, dtype.type(value))
    if math.isfinite(value) and not np.isfinite(result.astype(np.float64)):
        raise LaunchError(f"{value} is too large for {argument.type}")
    return result


def _integer(argument: Argument, dtype: np.dtype, value: object) -> np.generic:
    if not isinstance(value, int):
        raise LaunchError(f"expected an integer for {argument.type}, got {value!r:.60}")
    limits = np.iinfo(dtype)
    if not limits.min <= value <= limits.max:
        raise LaunchError(
            f"{value} is no {argument.type}, whose values are {limits.min} to {limits.max}"
        )
    return dtype.type(value)
