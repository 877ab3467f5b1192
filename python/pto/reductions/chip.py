"""What the plan of a reduction needs to know of a device."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from pto import target
from pto.runtime import gpu
from pto.runtime.array import cupy


@dataclass(frozen=True)
class Chip:
    """One device."""

    target: str
    """The chip that programs are compiled for, `sm_90a`."""
    multiprocessors: int
    threads: int
    """That a multiprocessor can hold."""
    shared_bytes: int
    """Shared memory that one CTA can have."""
    bandwidth: float
    """Of its memory, in bytes per microsecond."""
    cache_bytes: int
    """Of its L2 cache."""

    @property
    def has_clusters(self) -> bool:
        return target.find(self.target).sm >= 90


SIMULATOR = Chip(
    "sm_90a",
    multiprocessors=4,
    threads=256,
    shared_bytes=232_448,
    bandwidth=1e5,
    cache_bytes=1 << 10,
)
"""A small one: its plans use few CTAs, yet split and combine as on a GPU."""


def of(device: int | None) -> Chip:
    """The facts about a CUDA device, or about the simulator (None)."""
    return SIMULATOR if device is None else _device(device)


@cache
def _device(device: int) -> Chip:
    attributes = cupy().cuda.Device(device).attributes
    return Chip(
        target=gpu.best_target(device),
        multiprocessors=int(attributes["MultiProcessorCount"]),
        threads=int(attributes["MaxThreadsPerMultiProcessor"]),
        shared_bytes=int(attributes["MaxSharedMemoryPerBlockOptin"]),
        bandwidth=_bandwidth(attributes),
        cache_bytes=int(attributes["L2CacheSize"]),
    )


def _bandwidth(attributes: Any) -> float:
    """Five sixths of what clock (kHz, two transfers) and bus (bits) amount to can be reached."""
    clock = int(attributes["MemoryClockRate"])
    return 5 / 6 * 2e-3 * clock * int(attributes["GlobalMemoryBusWidth"]) / 8
