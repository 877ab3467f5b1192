"""What a caller passes as an array, whatever library it comes from, as one plain description."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from pto.dtypes import DTYPES, name_of
from pto.errors import LaunchError

_DLPACK_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged
_BY_NUMPY_NAME = {dtype.name: name for name, dtype in DTYPES.items()}


@dataclass(frozen=True)
class Array:
    """Memory of the caller. Nothing is copied; `owner` is what was passed."""

    owner: object
    address: int
    """Of element [0, ..., 0]."""
    dtype: str
    """The IR spelling; for an element type that tiles do not hold, the owner's own."""
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    device: int | None
    """The CUDA device, None for memory of the host."""
    writable: bool = True

    @property
    def contiguous(self) -> bool:
        """In row-major order without gaps. A dimension of size 1 can have any stride."""
        if 0 in self.shape:
            return True
        step = self._itemsize
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size > 1 and stride != step:
                return False
            step *= size
        return True

    @property
    def _itemsize(self) -> int:
        return DTYPES[self.dtype].itemsize if self.dtype in DTYPES else 1

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return "in host memory" if self.device is None else f"on CUDA device {self.device}"

    @property
    def type(self) -> str:
        """For messages: `16x16xf32`."""
        return "x".join((*map(str, self.shape), self.dtype))


def describe(value: object) -> Array | None:
    """The description of a NumPy array, or of anything on a CUDA device that says where it lies.

    None for what is no array. Raises `LaunchError` for arrays that no kernel can take: those of
    another library in host memory, and those on a device that is not CUDA.
    """
    if isinstance(value, np.ndarray):
        return _numpy(cast(np.ndarray[Any, Any], value))
    if isinstance(value, np.generic):
        return None
    if hasattr(value, "data_ptr"):
        return _torch(value)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        return _cuda_array_interface(value, interface)
    if hasattr(value, "__dlpack_device__"):
        return _dlpack(value)
    return None


def cupy() -> Any:
    """CuPy, which is needed only to use a GPU."""
    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        raise LaunchError(
            f"using a GPU needs CuPy, which does not import ({error}); pip install 'pto[gpu]'"
        ) from None


def _numpy(value: np.ndarray[Any, Any]) -> Array:
    return Array(
        owner=value,
        address=value.__array_interface__["data"][0],
        dtype=name_of(value.dtype) or str(value.dtype),
        shape=value.shape,
        strides=value.strides,
        device=None,
        writable=value.flags.writeable,
    )


def _torch(value: Any) -> Array:
    """A PyTorch tensor by its own methods: neither of the protocols exports bf16 everywhere."""
    if value.device.type != "cuda":
        raise LaunchError(
            f"a PyTorch tensor on {value.device}: move it to a GPU with .cuda(), "
            "or pass .numpy() to run on the simulator"
        )
    name = str(value.dtype).removeprefix("torch.")
    size = value.element_size()
    return Array(
        owner=value,
        address=value.data_ptr(),
        dtype=_BY_NUMPY_NAME.get(name, name),
        shape=tuple(value.shape),
        strides=tuple(stride * size for stride in value.stride()),
        device=value.device.index,
    )


def _cuda_array_interface(value: Any, interface: dict[str, Any]) -> Array:
    """Version 2 or 3 of the protocol. CuPy's bf16 is a void there, hence `value.dtype` if any."""
    address, read_only = interface["data"]
    dtype = np.dtype(getattr(value, "dtype", interface["typestr"]))
    shape = tuple(interface["shape"])
    return Array(
        owner=value,
        address=address,
        dtype=name_of(dtype) or str(dtype),
        shape=shape,
        strides=interface.get("strides") or _row_major(shape, dtype.itemsize),
        device=_device(value, address),
        writable=not read_only,
    )


def _dlpack(value: Any) -> Array:
    kind = int(value.__dlpack_device__()[0])
    if kind not in _DLPACK_CUDA:
        raise LaunchError(
            f"a {type(value).__name__} on DLPack device {kind}, which is no CUDA device: move it "
            "to a GPU, or pass a NumPy array to run on the simulator"
        )
    array = cupy().from_dlpack(value)
    return _cuda_array_interface(array, array.__cuda_array_interface__)


def _device(value: Any, address: int) -> int:
    """The device of an array: CuPy's say it; for others the driver knows whose an address is."""
    device = getattr(getattr(value, "device", None), "id", None)
    if isinstance(device, int):
        return device
    runtime = cupy().cuda.runtime
    return int(runtime.pointerGetAttributes(address).device if address else runtime.getDevice())


def _row_major(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    return tuple(itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
