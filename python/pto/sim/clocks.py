"""What every thread knows to have happened: vector clocks over the warps of a cluster.

A column of a clock stands for the accesses of a warp, of a single thread (made when that thread
first synchronises without the rest of its warp), or of the copies that complete on one mbarrier.
Threads of a warp share a row of the table; one that synchronises alone has a private row until its
warp meets again. A row has layers, each of which is a clock:

- ORDERED: accesses up to that time happen before whatever the thread does now.
- EXECUTED: points in other threads' execution that have passed, without ordering their accesses.
- FENCED + r: the ordered accesses that a `fence.proxy.async` follows which holds for the shared
  memory of the CTA of rank r.
- RELEASED, the last: what a relaxed operation publishes, since a fence of the thread covers it.

An access is stamped with its warp's `time`, which advances whenever the warp publishes its clock.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .grid import WARP, Chunk, Grid
from .types import Array

ORDERED, EXECUTED, FENCED, RELEASED = 0, 1, 2, -1
# Times 0 and 1 stamp no access: 1 in EXECUTED says that a warp has started.
STARTED, FIRST = 1, 2


def clock_bytes(grid: Grid) -> int:
    """What the table of clocks holds for each CTA, at least."""
    warps = -(-grid.threads_per_cta // WARP)
    return 4 * warps * (3 + grid.cluster_size) * warps * grid.cluster_size


class Clocks:
    """The clocks of all threads of a chunk. `alive` tells which lanes have not exited.

    Lanes are passed as ascending index arrays.
    """

    def __init__(self, chunk: Chunk, alive: Array) -> None:
        size = chunk.grid.cluster_size
        warps = size * chunk.warps_per_cta
        self._chunk = chunk
        self._alive = alive
        self.cluster = chunk.cta // size
        # The column of each lane's warp, and its own column or -1.
        self.warp = chunk.cta % size * chunk.warps_per_cta + chunk.thread // WARP
        self.solo = np.full(chunk.lanes, -1)
        self.time = np.full((chunk.count, warps), FIRST, np.int32)
        self._used = np.full(chunk.count, warps)
        # [clusters, warps, layers, columns]
        self._rows = np.zeros((chunk.count, warps, 3 + size, warps), np.int32)
        self._private: dict[int, Array] = {}
        self._has_private = np.zeros(chunk.lanes, np.bool_)
        self._warp_size = np.bincount(chunk.warp, minlength=chunk.ctas * chunk.warps_per_cta)

    # ---- asking

    def now(self, lane: Array) -> Array:
        """The time with which an access of each of these lanes is stamped."""
        return self.time[self.cluster[lane], self.warp[lane]]

    def row(self, lane: int) -> Array:
        """[layers, columns]: what one thread knows."""
        private = self._private.get(lane)
        return self._rows[self.cluster[lane], self.warp[lane]] if private is None else private

    def knows(self, lane: Array, column: Array, time: Array, layer: int | Array) -> Array:
        """Whether each lane's clock has reached `time` in `column`; no column is -1."""
        found = self._rows[self.cluster[lane], self.warp[lane], layer, column] >= time
        alone = self._has_private[lane]
        if alone.any():
            layers = np.broadcast_to(layer, lane.shape)
            for one in np.unique(lane[alone]).tolist():
                mine = lane == one
                found[mine] = self._private[one][layers[mine], column[mine]] >= time[mine]
        return found & (column >= 0)

    def knows_thread(self, lane: Array, other: Array, time: Array, layer: int | Array) -> Array:
        """The same for what the threads `other` did at `time`."""
        found = self.knows(lane, self.warp[other], time, layer)
        alone = self.solo[other]
        return found | self.knows(lane, alone, time, layer) if (alone >= 0).any() else found

    def knows_start(self, lane: int, rank: int) -> bool:
        """Whether a thread knows that the CTA of that rank in its cluster has started."""
        first = rank * self._chunk.warps_per_cta
        started = self.row(lane)[EXECUTED, first : first + self._chunk.warps_per_cta]
        return bool((started >= STARTED).any())

    def known(self, lanes: Array) -> Array:
        """[columns]: the accesses that are ordered before what any of these lanes of one cluster
        does now."""
        cluster = self.cluster[lanes[0]]
        found = self._rows[cluster, np.unique(self.warp[lanes]), ORDERED].max(axis=0)
        for lane in lanes[self._has_private[lanes]].tolist():
            found = np.maximum(found, self._private[lane][ORDERED])
        return found

    # ---- columns

    def blank(self) -> Array:
        """[layers but RELEASED, columns]: a clock that knows of nothing."""
        return np.zeros((self._rows.shape[-2] - 1, self._rows.shape[-1]), np.int32)

    def column(self, cluster: int) -> int:
        """A new column for a cluster."""
        number = int(self._used[cluster])
        self._used[cluster] += 1
        if number == self._rows.shape[-1]:
            more = max(8, number // 2)
            self._rows = _widened(self._rows, more)
            self._private = {lane: _widened(row, more) for lane, row in self._private.items()}
        return number

    def _own_column(self, lane: int) -> int:
        if self.solo[lane] < 0:
            self.solo[lane] = self.column(self.cluster[lane])
        return int(self.solo[lane])

    # ---- synchronisation

    def publish(self, lanes: Array, *, relaxed: bool = False) -> Array:
        """The joint clock of lanes of one cluster, without RELEASED; they advance after that."""
        parts = [self._publish(part, whole, relaxed) for part, whole in self._by_warp(lanes)]
        total = self.blank()
        for part in parts:
            join(total, part)
        return total

    def _publish(self, lanes: Array, whole: bool, relaxed: bool) -> Array:
        own = [] if whole else [self._own_column(lane) for lane in lanes.tolist()]
        cluster, warp = self.cluster[lanes[0]], self.warp[lanes[0]]
        row = self._rows[cluster, warp].copy()
        for lane in lanes[self._has_private[lanes]].tolist():
            join(row, self._private[lane])
        time = self.time[cluster, warp]
        columns = own or warp
        clock = row[:RELEASED]
        clock[ORDERED, columns] = clock[EXECUTED, columns] = time
        clock[EXECUTED, warp] = max(clock[EXECUTED, warp], STARTED)
        if relaxed:
            clock[ORDERED] = row[RELEASED]
            clock[FENCED:] = np.minimum(clock[FENCED:], row[RELEASED])
        self.time[cluster, warp] += 1
        return clock

    def acquire(self, lanes: Array, clock: Array, *, relaxed: bool = False) -> None:
        """These lanes learn of a clock that was published; relaxed: without ordering accesses."""
        if relaxed:
            executed, clock = clock[EXECUTED], np.zeros_like(clock)
            clock[EXECUTED] = executed
        for part, whole in self._by_warp(lanes):
            if whole:
                join(self._rows[self.cluster[part[0]], self.warp[part[0]]], clock)
                part = part[self._has_private[part]]
            for lane in part.tolist():
                join(self._own_row(lane), clock)

    def join(self, lanes: Array) -> None:
        """These lanes, some or all warps of their CTAs, have met at a barrier of their CTA."""
        self._share(lanes)
        warps = self._chunk.warps_per_cta
        met = np.unique(self._chunk.warp[lanes])
        size = self._chunk.grid.cluster_size
        for cta in np.unique(met // warps):
            cluster = cta // size
            columns = cta % size * warps + met[met // warps == cta] % warps
            self._advance(np.full(columns.size, cluster), columns)
            self._rows[cluster, columns, :RELEASED] = self._rows[cluster, columns, :RELEASED].max(0)

    def meet(self, lanes: Array) -> None:
        """The lanes of each of these warps have met."""
        warps, starts, counts = np.unique(
            self._chunk.warp[lanes], return_index=True, return_counts=True
        )
        whole = counts == self._warp_size[warps]
        if not whole.all():
            alive = np.bincount(self._chunk.warp[self._alive], minlength=self._warp_size.size)
            whole = counts >= alive[warps]
        if whole.all():
            self._share(lanes)
        else:
            for start, count in zip(starts[~whole], counts[~whole], strict=True):
                part = lanes[start : start + count]
                self.acquire(part, self.publish(part))
            for start, count in zip(starts[whole], counts[whole], strict=True):
                self._share(lanes[start : start + count])
        first = lanes[starts[whole]]
        self._advance(self.cluster[first], self.warp[first])

    def fence(self, lanes: Array, scope: str) -> None:
        """A proxy fence for the shared memory of the CTA ("cta") or of the cluster ("cluster"), or
        a memory fence ("memory")."""
        for part, whole in self._by_warp(lanes):
            cluster, warp = self.cluster[part[0]], self.warp[part[0]]
            rank = int(self._chunk.cta[part[0]]) % self._chunk.grid.cluster_size
            layers = {
                "cta": slice(FENCED + rank, FENCED + rank + 1),
                "cluster": slice(FENCED, RELEASED),
                "memory": slice(RELEASED, None),
            }[scope]
            time = self.time[cluster, warp]
            if whole:
                _enter(self._rows[cluster, warp], layers, warp, time)
                for lane in part[self._has_private[part]].tolist():
                    _enter(self._private[lane], layers, warp, time)
            else:
                for lane in part.tolist():
                    column = self._own_column(lane)
                    _enter(self._own_row(lane), layers, column, time)
            self.time[cluster, warp] += 1

    def tick(self, lanes: Array) -> None:
        """Later accesses of these lanes' warps get a later time."""
        for part, _ in self._by_warp(lanes):
            self.time[self.cluster[part[0]], self.warp[part[0]]] += 1

    def _advance(self, cluster: Array, warp: Array) -> None:
        """The threads of each of these warps know of each other's accesses so far."""
        time = self.time[cluster, warp]
        self._rows[cluster, warp, ORDERED, warp] = time
        self._rows[cluster, warp, EXECUTED, warp] = time
        self.time[cluster, warp] += 1

    def _share(self, lanes: Array) -> None:
        """Private rows of these lanes become part of their warps' rows."""
        for lane in lanes[self._has_private[lanes]].tolist():
            join(self._rows[self.cluster[lane], self.warp[lane]], self._private.pop(lane))
            self._has_private[lane] = False

    def _own_row(self, lane: int) -> Array:
        if lane not in self._private:
            self._private[lane] = self.row(lane).copy()
            self._has_private[lane] = True
        return self._private[lane]

    def _by_warp(self, lanes: Array) -> Iterator[tuple[Array, bool]]:
        """The lanes of each warp, and whether they are all that it ever had."""
        warps = self._chunk.warp[lanes]
        for part in np.split(lanes, np.flatnonzero(np.diff(warps)) + 1):
            yield part, part.size == self._warp_size[self._chunk.warp[part[0]]]


def join(clock: Array, other: Array) -> None:
    """Layer by layer, the later of two times; `other` may have fewer layers or columns."""
    into = clock[..., : other.shape[-2], : other.shape[-1]]
    np.maximum(into, other, out=into)


def joined(clock: Array | None, other: Array) -> Array:
    """The join of two published clocks; `other` is the newer, which may have more columns."""
    total = other.copy()
    if clock is not None:
        join(total, clock)
    return total


def _enter(row: Array, layers: slice, column: int | Array, time: Array) -> None:
    """What happened before enters those layers, and so does the thread's own column."""
    np.maximum(row[layers], row[ORDERED], out=row[layers])
    row[layers, column] = time


def _widened(clocks: Array, more: int) -> Array:
    return np.pad(clocks, [(0, 0)] * (clocks.ndim - 1) + [(0, more)])
