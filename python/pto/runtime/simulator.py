"""Kernels on the PTX simulator, with NumPy arrays as device memory."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.lib.array_utils import byte_bounds

from pto.errors import LaunchError

from .arguments import Argument, flatten
from .array import Array

if TYPE_CHECKING:
    from pto import sim

    from .kernel import Kernel

DEFAULT_GRID = 8
"""CTAs of a launch that names no grid: several, so that work is shared among them as on a GPU, yet
few enough to be quick."""


def default_grid(cluster: int) -> int:
    """`DEFAULT_GRID` in whole clusters."""
    return -(-DEFAULT_GRID // cluster) * cluster


# How cudaMalloc aligns: the offset of an array within an allocation of the same alignment decides
# which vector accesses are aligned.
_ALLOCATION = 256


def launch(kernel: Kernel, bound: Sequence[Array | np.generic], grid: int) -> None:
    """Run to the end; see `Kernel.__call__`. The order of warps and copies follows the environment
    variable `PTO_SIM_SEED`, an integer; without it, it is the same every time."""
    from pto import sim  # a process that launches on a GPU does not need it

    sim.launch(
        kernel.ptx,
        kernel.name,
        flatten(kernel.arguments, bound, _buffer),
        grid=(grid, 1, 1),
        block=(kernel.block, 1, 1),
        shared_bytes=kernel.shared_bytes,
        seed=_seed(),
    )


def _seed() -> int | None:
    """What `PTO_SIM_SEED` says of the order in which warps run and copies land."""
    text = os.environ.get("PTO_SIM_SEED")
    if text is None:
        return None
    if not text.isdecimal():
        raise LaunchError(f"PTO_SIM_SEED is '{text}'; it must be an integer, 0 or greater")
    return int(text)


def _buffer(argument: Argument, array: Array) -> sim.Buffer:
    """The memory from an array's first to its last element, as bytes.

    Accesses outside of it are out of bounds even where the array is a part of a larger one. It
    begins as far from an aligned address as the array does in its allocation, the larger array.
    """
    from pto import sim

    owner = cast(np.ndarray[Any, Any], array.owner)
    if owner.size == 0:
        return sim.Buffer(argument.name, np.empty(0, np.uint8))
    low, high = byte_bounds(owner)
    allocation = _allocation(owner)
    allocated, _ = byte_bounds(allocation)
    begin = (low - allocated) // _ALLOCATION * _ALLOCATION + allocated
    memory = np.ctypeslib.as_array((ctypes.c_uint8 * (high - begin)).from_address(begin))
    return sim.Buffer(argument.name, memory, array.address - begin)


def _allocation(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array whose memory this one is a part of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
