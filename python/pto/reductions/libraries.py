"""The array libraries of callers: where an array lies, and how a result of the same kind is made.

NumPy arrays run on the simulator. CuPy arrays and PyTorch tensors are used as they are. Any other
array on a CUDA device (`__cuda_array_interface__`, DLPack) is taken over by CuPy without a copy;
the result goes back through the array's own `__array_namespace__`, if it has one, and is a CuPy
array otherwise.

The methods that a call needs are as few and as cheap as they can be: this is the time that a caller
waits before a kernel of a few microseconds starts.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np

from pto.errors import LaunchError
from pto.runtime.array import Array, cupy, describe


class Library(Protocol):
    """What a reduction asks of an array library; `device` is None for memory of the host."""

    name: str

    def key(self, array: Any) -> Hashable:
        """All that decides how an array is reduced: device, element type, shape, strides, and the
        place within 16 bytes."""
        ...

    def address(self, array: Any) -> int:
        """Of element [0, ..., 0]."""
        ...

    def describe(self, array: Any, argument: str) -> Array:
        """Where an array lies; `ValueError`, which names the argument, for where no kernel runs."""
        ...

    def dtype(self, array: Any) -> object:
        """The element type as a NumPy dtype; anything else for one that NumPy does not have."""
        ...

    def empty(self, shape: Sequence[int], dtype: np.dtype, device: int | None) -> Any: ...

    def fill(self, array: Any, value: Any) -> None: ...

    def stream(self, device: int) -> Stream:
        """The current stream."""
        ...

    def on(self, device: int | None) -> AbstractContextManager[Any]:
        """Makes a device the current one."""
        ...


class Stream(Protocol):
    """A CUDA stream by its address."""

    @property
    def ptr(self) -> int: ...


class NumPy:
    """Arrays of the host; kernels run on the simulator. Subclasses, which change what a sum is, are
    not taken for arrays."""

    name = "numpy"

    def key(self, array: Any) -> Hashable:
        return array.dtype, array.shape, array.strides, self.address(array) % 16

    def address(self, array: Any) -> int:
        return array.__array_interface__["data"][0]

    def describe(self, array: Any, argument: str) -> Array:
        return _described(array, argument)

    def dtype(self, array: Any) -> object:
        return array.dtype

    def empty(self, shape: Sequence[int], dtype: np.dtype, device: int | None) -> Any:
        return np.empty(shape, dtype)

    def fill(self, array: Any, value: Any) -> None:
        array.fill(value)

    def stream(self, device: int) -> Stream:
        raise AssertionError("the simulator has no streams")

    def on(self, device: int | None) -> AbstractContextManager[Any]:
        return nullcontext()


class CuPy:
    """CuPy arrays, on CuPy's current stream."""

    name = "cupy"

    def __init__(self) -> None:
        self.module = cupy()
        self.current_device = self.module.cuda.runtime.getDevice

    def key(self, array: Any) -> Hashable:
        data = array.data
        return data.device_id, array.dtype, array.shape, array.strides, data.ptr % 16

    def address(self, array: Any) -> int:
        return array.data.ptr

    def describe(self, array: Any, argument: str) -> Array:
        return _described(array, argument)

    def dtype(self, array: Any) -> object:
        return array.dtype

    def empty(self, shape: Sequence[int], dtype: np.dtype, device: int | None) -> Any:
        return self.module.ndarray(shape, dtype)

    def fill(self, array: Any, value: Any) -> None:
        array.fill(value)

    def stream(self, device: int) -> Stream:
        return self.module.cuda.get_current_stream()

    def on(self, device: int | None) -> AbstractContextManager[Any]:
        if self.current_device() == device:
            return _NOTHING
        return self.module.cuda.Device(device)


@dataclass(frozen=True)
class _Address:
    """A stream of PyTorch's, as CuPy's launch wants it."""

    ptr: int


class Torch:
    """PyTorch tensors on a CUDA device, on PyTorch's current stream there."""

    name = "torch"

    def __init__(self) -> None:
        self.module = sys.modules["torch"]
        self.current_device = cupy().cuda.runtime.getDevice
        self.current_stream = self.module.cuda.current_stream
        self.streams: dict[int, _Address] = {}

    def key(self, array: Any) -> Hashable:
        return (
            array.device,
            array.dtype,
            array.shape,
            array.stride(),
            array.data_ptr() % 16,
        )

    def address(self, array: Any) -> int:
        return array.data_ptr()

    def describe(self, array: Any, argument: str) -> Array:
        return _described(array, argument)

    def dtype(self, array: Any) -> object:
        name = str(array.dtype).removeprefix("torch.")
        try:
            return np.dtype(name)
        except TypeError:
            return array.dtype

    def empty(self, shape: Sequence[int], dtype: np.dtype, device: int | None) -> Any:
        kind = getattr(self.module, dtype.name)
        return self.module.empty(shape, dtype=kind, device=f"cuda:{device}")

    def fill(self, array: Any, value: Any) -> None:
        array.fill_(value)

    def stream(self, device: int) -> Stream:
        address = self.current_stream(device).cuda_stream
        found = self.streams.get(address)
        if found is None:
            found = self.streams[address] = _Address(address)
        return found

    def on(self, device: int | None) -> AbstractContextManager[Any]:
        if self.current_device() == device:
            return _NOTHING
        return cupy().cuda.Device(device)


_NOTHING = nullcontext()
_known: dict[type, Library] = {np.ndarray: NumPy()}


def of(array: Any) -> Library | None:
    """The library of an array that is used as it is; None for one of another library."""
    kind = cast("type[Any]", type(array))
    if kind not in _known:
        roots = {base.__module__.partition(".")[0] for base in kind.__mro__}
        if issubclass(kind, np.memmap):
            _known[kind] = _known[np.ndarray]
        elif "cupy" in roots and hasattr(array, "__cuda_array_interface__"):
            _known[kind] = CuPy()
        elif "torch" in roots and hasattr(array, "data_ptr"):
            _known[kind] = Torch()
        else:
            return None
    return _known[kind]


def adopt(argument: str, array: Any) -> Any:
    """An array of another library as a CuPy array of the same memory.

    Raises `TypeError` for what is no array, `ValueError` for one that lies where no kernel runs.
    """
    if isinstance(array, np.generic):
        return np.asarray(array)
    if hasattr(array, "__cuda_array_interface__"):
        return cupy().asarray(array)
    if hasattr(array, "__dlpack_device__") and not isinstance(array, np.ndarray):
        _described(array, argument)
        return cupy().from_dlpack(array)
    raise TypeError(
        f"{argument}: expected a NumPy array or one on a CUDA device, not {type(array).__name__} "
        f"{array!r:.60}"
    )


def give_back(result: Any, original: Any) -> Any:
    """A CuPy result in the library of the array that was adopted, without a copy."""
    if isinstance(original, np.generic) or not hasattr(original, "__array_namespace__"):
        return result
    return original.__array_namespace__().from_dlpack(result)


def _described(array: Any, argument: str) -> Array:
    try:
        found = describe(array)
    except LaunchError as error:
        raise ValueError(f"{argument}: {error}") from None
    assert found is not None
    return found
