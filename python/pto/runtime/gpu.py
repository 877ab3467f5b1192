"""Kernels on a GPU, through CuPy, which is imported on first use."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pto.errors import CompileError, LaunchError
from pto.target import find

from .arguments import Argument, flatten
from .array import Array, cupy

if TYPE_CHECKING:
    from .kernel import Kernel

# More dynamic shared memory per CTA than this has to be asked for (CUDA programming guide).
_SHARED_WITHOUT_ASKING = 48 * 1024
# So have clusters of more CTAs than this; CuPy has no name for the attribute (cuda.h).
_CLUSTER_WITHOUT_ASKING = 8
_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14


@dataclass(frozen=True)
class _Stream:
    """All that CuPy's launch wants to know of a stream."""

    ptr: int


def launch(
    kernel: Kernel, bound: Sequence[Array | np.generic], grid: int, device: int, stream: Any
) -> None:
    """Enqueue on the caller's stream; see `Kernel.__call__`."""
    parameters = flatten(kernel.arguments, bound, _address)
    with cupy().cuda.Device(device):
        function = load(kernel, device)
        try:
            function(
                (grid, 1, 1),
                (kernel.block, 1, 1),
                tuple(parameters),
                shared_mem=kernel.shared_bytes,
                stream=_Stream(_stream(stream, bound, device)),
            )
        except cupy().cuda.driver.CUDADriverError as error:
            if "CLUSTER" not in str(error):
                raise
            raise LaunchError(
                f"kernel '{kernel.name}' wants clusters of {kernel.cluster} CTAs with "
                f"{kernel.shared_bytes} bytes of shared memory each, which CUDA device {device} "
                f"cannot run: {error}"
            ) from None


def device_count() -> int:
    """How many CUDA devices CuPy finds; 0 without CuPy or without a driver."""
    try:
        runtime = cupy().cuda.runtime
    except LaunchError:
        return 0
    try:
        return int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError:
        return 0


@cache
def multiprocessors(device: int) -> int:
    """How many multiprocessors a CUDA device has."""
    return int(cupy().cuda.Device(device).attributes["MultiProcessorCount"])


def default_grid(device: int, cluster: int) -> int:
    """As many CTAs as a CUDA device has multiprocessors, in whole clusters."""
    return -(-multiprocessors(device) // cluster) * cluster


def capability(device: int) -> int:
    """The compute capability of a CUDA device: 90 for 9.0."""
    return int(cupy().cuda.Device(device).compute_capability)


def runs(target: str, capability: int) -> bool:
    """Whether a device of that compute capability can run PTX for `target`.

    PTX is compiled for the device that loads it, so a newer one will do, but not for a target with
    the suffix `a`, which is for that one capability only (PTX ISA, `.target`).
    """
    match = re.fullmatch(r"sm_(\d+)(a?)", target)
    if match is None:
        return False
    least = int(match[1])
    return capability == least if match[2] else capability >= least


def best_target(device: int) -> str:
    """The newest chip whose programs a CUDA device runs; `LaunchError` if it is older than all."""
    compute_capability = capability(device)
    for chip in (f"sm_{compute_capability}a", f"sm_{compute_capability}", "sm_90", "sm_80"):
        if runs(chip, compute_capability):
            try:
                return find(chip).chip
            except CompileError:
                continue
    raise LaunchError(
        f"CUDA device {device} is an sm_{compute_capability}, older than what is compiled for"
    )


def _address(argument: Argument, array: Array) -> np.uint64:
    return np.uint64(array.address)


def _stream(stream: Any, bound: Sequence[Array | np.generic], device: int) -> int:
    """The address of a CUDA stream: the one given, or the current one of the arrays' library."""
    if stream is None:
        if any(isinstance(value, Array) and hasattr(value.owner, "data_ptr") for value in bound):
            return int(sys.modules["torch"].cuda.current_stream(device).cuda_stream)
        return int(cupy().cuda.get_current_stream().ptr)
    if isinstance(stream, int):
        return stream
    for attribute in ("ptr", "cuda_stream"):  # CuPy's name, PyTorch's name
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    raise LaunchError(
        f"stream is a CuPy or PyTorch stream, or an address as an int, not {stream!r:.60}"
    )


@cache
def load(kernel: Kernel, device: int) -> Any:
    """The kernel as CuPy's function on the current device, which is `device`; `LaunchError` if it
    does not run there. It is called with grid, block, parameters, shared bytes and stream.

    Loaded once per device, and held as long as the process lives: unloading would have to wait for
    the launches that run.
    """
    name, target, shared_bytes = kernel.name, kernel.target, kernel.shared_bytes
    compute_capability = capability(device)
    if not runs(target, compute_capability):
        raise LaunchError(
            f"kernel '{name}' is compiled for {target}, which CUDA device {device} "
            f"(sm_{compute_capability}) does not run; compile it for that device"
        )
    most = int(cupy().cuda.Device(device).attributes["MaxSharedMemoryPerBlockOptin"])
    if shared_bytes > most:
        raise LaunchError(
            f"kernel '{name}' wants {shared_bytes} bytes of shared memory per CTA; "
            f"CUDA device {device} has {most}"
        )
    driver = cupy().cuda.driver
    module = cupy().cuda.function.Module()
    try:
        module.load(kernel.ptx.encode())
        function = module.get_function(name)
    except driver.CUDADriverError as error:
        raise LaunchError(f"the CUDA driver does not load kernel '{name}': {error}") from None
    if shared_bytes > _SHARED_WITHOUT_ASKING:
        attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        driver.funcSetAttribute(function.ptr, attribute, shared_bytes)
    if kernel.cluster > _CLUSTER_WITHOUT_ASKING:
        driver.funcSetAttribute(function.ptr, _NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
    return function
