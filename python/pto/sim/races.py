"""Data races on shared memory, found by happens-before whatever order the threads ran in.

Every warp has a vector clock over the warps of its CTA. A barrier joins the clocks of the warps
that meet there; `bar.warp.sync` and its like advance the warp's own clock. An access is stamped
with its warp's own time, and a later access by another thread is ordered after it if that warp has
since learnt of a greater time. Two unordered accesses to one byte, one of them a write, are a race;
two atomics never are. Of the readers of a byte, the latest two are remembered.

The scheme is that of FastTrack (Flanagan and Freund, PLDI 2009), with warps for its threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .grid import Chunk
from .types import Array

if TYPE_CHECKING:
    from .memory import Access


# What a detector holds for each byte that it watches.
RACE_BYTES = 3 * (4 + 4 + 4 + 1)


class Race(NamedTuple):
    """The later of two unordered accesses, as a message."""

    lane: int
    text: str


class _Stamps:
    """Per byte: who accessed it (lane, or -1), at which time of its warp, and by which line."""

    def __init__(self, size: int) -> None:
        self.lane = np.full(size, -1, np.int32)
        self.time = np.zeros(size, np.int32)
        self.where = np.zeros(size, np.int32)
        self.atomic = np.zeros(size, np.bool_)

    def set(self, at: Array, lane: Array, time: Array, where: int, atomic: bool) -> None:
        self.lane[at] = lane
        self.time[at] = time
        self.where[at] = where
        self.atomic[at] = atomic

    def copy(self, at: Array, source: _Stamps) -> None:
        for name in ("lane", "time", "where", "atomic"):
            getattr(self, name)[at] = getattr(source, name)[at]


class RaceDetector:
    """Watches `stride` bytes of shared memory for each CTA of a chunk."""

    def __init__(self, chunk: Chunk, stride: int) -> None:
        self._chunk = chunk
        self._stride = stride
        size = chunk.ctas * stride
        self._writer, self._reader, self._other_reader = (_Stamps(size) for _ in range(3))
        self._wheres: list[str] = []
        warps = chunk.warps_per_cta
        # [ctas, warp, other warp]: the time of the other warp that this warp has learnt of.
        self._clock = np.zeros((chunk.ctas, warps, warps), np.int32)
        own = np.arange(warps)
        self._clock[:, own, own] = 1
        self._warp = chunk.thread // 32

    def join(self, lanes: Array) -> None:
        """These lanes, some or all warps of their CTAs, have met at a barrier of their CTA."""
        pairs = np.unique(self._chunk.warp[lanes])
        warps = self._chunk.warps_per_cta
        for cta in np.unique(pairs // warps):
            met = pairs[pairs // warps == cta] % warps
            self._clock[cta, met] = self._clock[cta, met].max(axis=0)
            self._clock[cta, met, met] += 1

    def tick(self, lanes: Array) -> None:
        """The lanes of each of these warps have met."""
        pairs = np.unique(self._chunk.warp[lanes])
        cta, warp = np.divmod(pairs, self._chunk.warps_per_cta)
        self._clock[cta, warp, warp] += 1

    def access(self, lanes: Array, index: Array, access: Access) -> Race | None:
        """Records an access to elements `index` (in units of the access's width)."""
        at = (index[:, None] * access.width + np.arange(access.bytes)).ravel()
        lane = np.repeat(lanes, access.bytes).astype(np.int32)
        if access.where not in self._wheres:
            self._wheres.append(access.where)
        where = self._wheres.index(access.where)
        atomic = access.kind == "atomic"
        found = self._conflict(self._writer, at, lane, atomic, access, "wrote")
        if access.kind != "read":
            for readers in (self._reader, self._other_reader):
                found = found or self._conflict(readers, at, lane, atomic, access, "read")
        if found is not None:
            return found
        time = self._own_time(lane)
        if access.kind == "read":
            self._record_readers(at, lane, time, where)
            return None
        self._writer.set(at, lane, time, where, atomic)
        clash = self._writer.lane[at] != lane
        if clash.any() and not atomic:
            return self._race(self._writer, at, lane, clash, access, "wrote")
        return None

    def _record_readers(self, at: Array, lane: Array, time: Array, where: int) -> None:
        changed = self._reader.lane[at] != lane
        self._other_reader.copy(at[changed], self._reader)
        self._reader.set(at, lane, time, where, False)
        # Lanes that read one byte together: assignment kept the last of them; keep the first too.
        first = slice(None, None, -1)
        shared = self._reader.lane[at] != lane
        self._other_reader.set(
            at[shared][first], lane[shared][first], time[shared][first], where, False
        )

    def _own_time(self, lane: Array) -> Array:
        warp = self._warp[lane]
        return self._clock[self._chunk.cta[lane], warp, warp]

    def _conflict(
        self, earlier: _Stamps, at: Array, lane: Array, atomic: bool, access: Access, did: str
    ) -> Race | None:
        other = earlier.lane[at]
        own, others = self._warp[lane], self._warp[other]
        learnt = self._clock[self._chunk.cta[lane], own, others] - (own == others)
        unordered = (other >= 0) & (other != lane) & (earlier.time[at] > learnt)
        if atomic:
            unordered &= ~earlier.atomic[at]
        return self._race(earlier, at, lane, unordered, access, did) if unordered.any() else None

    def _race(
        self, earlier: _Stamps, at: Array, lane: Array, bad: Array, access: Access, did: str
    ) -> Race:
        k = np.flatnonzero(bad)[0]
        byte, other = at[k], int(earlier.lane[at[k]])
        text = (
            f"race on byte {byte % self._stride} of shared memory: {self._chunk.place(other)} "
            f"{did} it ({self._wheres[earlier.where[byte]]}), and no barrier orders that before "
            f"the {access.kind}"
        )
        return Race(int(lane[k]), text)
