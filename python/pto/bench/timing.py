"""Times on the device: CUDA events, the L2 cache flushed before each call, medians.

Flushing writes a gigabyte, which takes a few hundred microseconds: longer than any library here
needs to enqueue its work. So what lies between the events is work of the device only, of a complete
call: setting results to zero, and every kernel.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Mapping
from typing import Any

TIMED = (
    "a complete call (result initialised) between two CUDA events, with the L2 cache flushed "
    "before by writing 1 GiB, during which the call is enqueued, so that host time does not count"
)
_FLUSHED = 1 << 30


class Timer:
    """Times calls in turns, in random order."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._flushed = cupy.ndarray((_FLUSHED,), "uint8")

    def medians(self, calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
        """The median time of each call in microseconds."""
        names = list(calls)
        for name in names:
            for _ in range(2):
                calls[name]()
        times: dict[str, list[float]] = {name: [] for name in names}
        for number in range(rounds):
            random.shuffle(names)
            for name in names:
                times[name].append(self._once(calls[name], number))
        return {name: statistics.median(found) for name, found in times.items()}

    def _once(self, call: Callable[[], object], value: int) -> float:
        cuda = self._cupy.cuda
        begin, end = cuda.Event(), cuda.Event()
        cuda.runtime.memsetAsync(self._flushed.data.ptr, value % 256, _FLUSHED, 0)
        begin.record()
        call()
        end.record()
        end.synchronize()
        return 1e3 * cuda.get_elapsed_time(begin, end)

    def copy_bandwidth(self, rounds: int) -> float:
        """Bytes read and written per microsecond by a copy of 1 GiB."""
        source, target = (self._cupy.zeros(_FLUSHED // 4, "float32") for _ in range(2))
        copy = self._cupy.cuda.runtime.memcpyAsync
        device_to_device = 3

        def call() -> None:
            copy(target.data.ptr, source.data.ptr, _FLUSHED, device_to_device, 0)

        return 2 * _FLUSHED / self.medians({"copy": call}, rounds)["copy"]
