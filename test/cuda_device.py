"""The GPU that tests run on; without one the test module that imports this is skipped."""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from op_matrix import Extent, Launch, launches
from pto.ops import TABLE

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)

TARGET = {"90": "sm_90a", "100": "sm_100a", "120": "sm_120a"}.get(
    cupy.cuda.Device().compute_capability, "sm_80"
)


@dataclass(frozen=True)
class Bf16:
    """An array of bf16, which CuPy lacks; `bits` is one of the same bits."""

    bits: Any
    dtype = np.dtype(ml_dtypes.bfloat16)

    @property
    def T(self) -> "Bf16":
        return Bf16(self.bits.T)

    @property
    def device(self) -> Any:
        return self.bits.device

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.bits.__cuda_array_interface__


def on_device(array: np.ndarray) -> Any:
    """A copy of the array on the GPU."""
    if array.dtype == ml_dtypes.bfloat16:
        return Bf16(cupy.asarray(array.view(np.uint16)))
    return cupy.asarray(array)


def to_host(array: Any, dtype: np.dtype) -> np.ndarray:
    """A copy of an array on the GPU, once all launches are done."""
    return cupy.asnumpy(getattr(array, "bits", array)).view(dtype)


def name() -> str:
    """As in `python/pto/ops/status.json`: `H200`."""
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    return properties["name"].decode().removeprefix("NVIDIA ")


def differences(launch: Launch) -> list[str]:
    """Where the GPU departs from the reference; where only an error is stated, from the simulator
    too, by a single bit."""
    compiled = launch.compiled()
    found = launch.found(compiled, on_device, to_host)
    wrong = launch.differences(launch.expected(), found)
    if not launch.is_exact:
        wrong += launch.differences(launch.found(compiled), found, are_bits=True)
    return wrong


def differences_at(op: str, dtype: str, number: int) -> list[str]:
    """`differences` of one launch of the matrix, named by what another process can be sent."""
    return differences(launches(TABLE[op], dtype, Extent.FULL, [TARGET])[number])
