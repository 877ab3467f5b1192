"""Memory between the CTAs of a launch: tickets, partial results, the sums of a mean.

Tickets come first, and a kernel leaves them as it finds them, zero: launches in the order of a
stream share one workspace, which is zeroed when it is made.

A captured CUDA graph can run on any stream, beside others, and for as long as it lives. Every
launch that is captured therefore has memory of its own: from a reserve that is zeroed beforehand,
or else, zeroed as a part of the graph, from the library's allocator.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pto.runtime.array import cupy

from .libraries import Library, Stream

_BYTE = np.dtype(np.uint8)
_RESERVE = 8 << 20
_SMALLEST = 1 << 17
_ALIGNMENT = 256


class _Reserve:
    """Zeroed bytes of one device that are given out once."""

    def __init__(self, library: Library, device: int, stream: Stream) -> None:
        self.memory = _zeros(library, _RESERVE, device)
        # A graph may run on a stream that has not waited for the zeros.
        cupy().cuda.runtime.streamSynchronize(stream.ptr)
        self.next = library.address(self.memory)
        self.end = self.next + _RESERVE

    def take(self, size: int) -> int | None:
        size = -(-size // _ALIGNMENT) * _ALIGNMENT
        if self.end - self.next < size:
            return None
        self.next += size
        return self.next - size


class Workspaces:
    """All workspaces of this process."""

    def __init__(self) -> None:
        self._of_streams: dict[tuple[int, int], tuple[Any, int, int]] = {}
        self._reserves: dict[int, _Reserve] = {}
        self._of_graphs: list[Any] = []

    def address(self, library: Library, device: int, stream: Stream, size: int) -> int:
        """Of `size` bytes for the next launches on a stream. `device` is the current one."""
        if capturing(stream.ptr):
            return self._captured(library, device, size)
        key = (device, stream.ptr)
        found = self._of_streams.get(key)
        if found is None or found[2] < size:
            # One that is too small goes back to its library, which reuses memory in the order of
            # the stream.
            if device not in self._reserves:
                self._reserves[device] = _Reserve(library, device, stream)
            size = max(size, _SMALLEST)
            memory = _zeros(library, size, device)
            found = self._of_streams[key] = memory, library.address(memory), size
        return found[1]

    def _captured(self, library: Library, device: int, size: int) -> int:
        reserve = self._reserves.get(device)
        address = reserve.take(size) if reserve else None
        if address is None:
            memory = _zeros(library, size, device)
            if library.name == "cupy":
                # Its pool does not know of graphs, and would lend the memory again. PyTorch keeps
                # what is allocated in a capture for the graph.
                self._of_graphs.append(memory)
            address = library.address(memory)
        return address


def _zeros(library: Library, size: int, device: int) -> Any:
    memory = library.empty((size,), _BYTE, device)
    library.fill(memory, 0)
    return memory


@cache
def _is_capturing() -> Any:
    return cupy().cuda.runtime.streamIsCapturing


def capturing(stream: int) -> bool:
    """Whether the stream is being captured, which the default one, 0, cannot be."""
    return stream != 0 and bool(_is_capturing()(stream))
