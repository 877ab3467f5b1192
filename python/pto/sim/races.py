"""Data races on shared memory, found by happens-before whatever order the threads ran in.

An access is stamped with its thread and the time of its warp, a copy with the mbarrier and the
phase that it completes; see `clocks.py`. Two accesses to one byte that are not ordered, one of them
a write, are a race; two atomics never are. A bulk copy also needs a `fence.proxy.async` between the
threads' writes and itself. Of the threads that read a byte, the latest two are remembered, and of
the copies as many as a cluster has CTAs, or two.

The scheme is that of FastTrack (Flanagan and Freund, PLDI 2009), with warps for its threads, and
with a clock for a thread that synchronises alone and one for the copies of each mbarrier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .clocks import FENCED, ORDERED, Clocks, clock_bytes
from .grid import Chunk, Grid
from .lifetimes import Lifetimes, Race
from .types import Array

if TYPE_CHECKING:
    from .memory import Access

# Who makes an access, if not a copy that completes on the mbarrier of that column of the clocks: a
# thread, or a copy whose thread has not waited for it. The time of that is the number of the copy.
THREAD, PENDING = -1, -2
_STAMP_BYTES = 4 + 2 + 4 + 4 + 1


def held_bytes(grid: Grid, stride: int, asynchronous: bool) -> int:
    """What a detector holds for each CTA, which has `stride` bytes of shared memory."""
    stamps = _STAMP_BYTES * (3 + asynchronous * _copies_remembered(grid.cluster_size))
    return stamps * stride + clock_bytes(grid)


def _copies_remembered(cluster: int) -> int:
    return max(2, cluster)


class By(NamedTuple):
    """A copy as the agent of an access. `what` is its kind; `generic`: it needs no proxy fence."""

    what: str
    where: str
    agent: int
    time: int
    generic: bool


class _Stamps:
    """Per byte: who accessed it (the lane, or -1, and the agent), when, and by which line."""

    def __init__(self, size: int) -> None:
        self.lane = np.full(size, -1, np.int32)
        self.agent = np.full(size, THREAD, np.int16)
        self.time = np.zeros(size, np.int32)
        self.where = np.zeros(size, np.int32)
        self.atomic = np.zeros(size, np.bool_)

    def set(
        self, at: Array, lane: Array, agent: int, time: Array | int, where: int, atomic: bool
    ) -> None:
        self.lane[at] = lane
        self.agent[at] = agent
        self.time[at] = time
        self.where[at] = where
        self.atomic[at] = atomic

    def copy(self, at: Array, source: _Stamps) -> None:
        for name in ("lane", "agent", "time", "where", "atomic"):
            getattr(self, name)[at] = getattr(source, name)[at]


class RaceDetector:
    """Watches `stride` bytes of shared memory for each CTA of a chunk."""

    def __init__(self, chunk: Chunk, stride: int, alive: Array) -> None:
        self._chunk = chunk
        self._stride = stride
        self._size = chunk.ctas * stride
        self._writer, self._reader, self._other_reader = (_Stamps(self._size) for _ in range(3))
        self._copied: list[_Stamps] = []
        self._wheres: dict[tuple[str, str], int] = {}
        self.clocks = Clocks(chunk, alive)
        self.lifetimes = Lifetimes(chunk, self.clocks)
        # What the columns of mbarriers are called, by cluster.
        self.mbarriers: dict[tuple[int, int], str] = {}

    # ---- accesses of threads

    def access(self, lanes: Array, index: Array, access: Access) -> Race | None:
        """Records an access to elements `index` (in units of the access's width)."""
        at = (index[:, None] * access.width + np.arange(access.bytes)).ravel()
        if self._chunk.grid.cluster_size > 1:
            owner = index * access.width // self._stride
            found = self.lifetimes.reach(lanes, owner, access.where)
            if found is not None:
                return found
        lane = np.repeat(lanes, access.bytes).astype(np.int32)
        atomic = access.kind == "atomic"
        found = self._conflicts(at, lane, access.kind, f"the {access.kind}")
        if found is not None:
            return found
        where = self._where(access.where, "")
        time = self.clocks.now(lane)
        if access.kind == "read":
            self._record_readers(at, lane, time, where)
            return None
        self._writer.set(at, lane, THREAD, time, where, atomic)
        clash = self._writer.lane[at] != lane
        if clash.any() and not atomic:
            return self._race(self._writer, at, lane, clash, "wrote", f"the {access.kind}")
        return None

    def _record_readers(self, at: Array, lane: Array, time: Array, where: int) -> None:
        changed = self._reader.lane[at] != lane
        self._other_reader.copy(at[changed], self._reader)
        self._reader.set(at, lane, THREAD, time, where, False)
        # Lanes that read one byte together: assignment kept the last of them; keep the first too.
        first = slice(None, None, -1)
        shared = self._reader.lane[at] != lane
        self._other_reader.set(
            at[shared][first], lane[shared][first], THREAD, time[shared][first], where, False
        )

    # ---- copies

    def read_by_copy(self, lane: Array, at: Array, by: By) -> Race | None:
        """The bytes `at` will be read by a copy that these lanes issue, with an entry for each."""
        later = f"the {by.what} reads it, as issued"
        found = self._conflicts(at, lane, "read", later) or self._unfenced(at, lane, by, later)
        if found is None:
            readers = self._copy_readers()
            for older, newer in zip(reversed(readers[1:]), reversed(readers[:-1]), strict=True):
                older.copy(at, newer)
            readers[0].set(at, lane, by.agent, by.time, self._where(by.where, by.what), False)
        return found

    def written_by_copy(self, lane: Array, at: Array, by: By) -> Race | None:
        """The same for bytes that it will write."""
        later = f"the {by.what} writes it, as issued"
        found = self._conflicts(at, lane, "write", later) or self._unfenced(at, lane, by, later)
        if found is None:
            where = self._where(by.where, by.what)
            self._writer.set(at, lane, by.agent, by.time, where, False)
        return found

    def settle(self, lane: Array, at: Array, number: int, agent: int, time: Array | int) -> None:
        """The pending copy of that number of these lanes has become an access of another agent."""
        for stamps in (self._writer, *self._copied):
            mine = (stamps.agent[at] == PENDING) & (stamps.time[at] == number)
            mine &= stamps.lane[at] == lane
            stamps.agent[at[mine]] = agent
            stamps.time[at[mine]] = time[mine] if isinstance(time, np.ndarray) else time

    def _copy_readers(self) -> list[_Stamps]:
        if not self._copied:
            count = _copies_remembered(self._chunk.grid.cluster_size)
            self._copied = [_Stamps(self._size) for _ in range(count)]
        return self._copied

    # ---- conflicts

    def _conflicts(self, at: Array, lane: Array, kind: str, later: str) -> Race | None:
        """An earlier access that is not ordered before one of that kind now."""
        atomic = kind == "atomic"
        found = self._conflict(self._writer, at, lane, atomic, "wrote", later)
        if kind != "read":
            for readers in (self._reader, self._other_reader, *self._copied):
                found = found or self._conflict(readers, at, lane, atomic, "read", later)
        return found

    def _conflict(
        self, earlier: _Stamps, at: Array, lane: Array, atomic: bool, did: str, later: str
    ) -> Race | None:
        """`later` says in a message what the lanes do now."""
        other = earlier.lane[at]
        seen = np.flatnonzero(other >= 0)
        if not seen.size:
            return None
        at, lane, other = at[seen], lane[seen], other[seen]
        agent, time = earlier.agent[at], earlier.time[at]
        unordered = ~self.clocks.knows_thread(lane, other, time, ORDERED) & (other != lane)
        copied = np.flatnonzero(agent != THREAD)
        if copied.size:
            column = np.maximum(agent[copied], -1)
            known = self.clocks.knows(lane[copied], column, time[copied], ORDERED)
            unordered[copied] = ~known
        if atomic:
            unordered &= ~earlier.atomic[at]
        if not unordered.any():
            return None
        return self._race(earlier, at, lane, unordered, did, later)

    def _unfenced(self, at: Array, lane: Array, by: By, later: str) -> Race | None:
        """A thread's write that is ordered before a copy, but by way of no proxy fence."""
        other = self._writer.lane[at]
        written = (other >= 0) & (self._writer.agent[at] == THREAD)
        if by.generic or not written.any():
            return None
        at, lane, other = at[written], lane[written], other[written]
        time = self._writer.time[at]
        rank = at // self._stride % self._chunk.grid.cluster_size
        bad = ~self.clocks.knows_thread(lane, other, time, FENCED + rank)
        if not bad.any():
            return None
        k = int(np.flatnonzero(bad)[0])
        line = list(self._wheres)[self._writer.where[at[k]]][0]
        text = (
            f"missing fence.proxy.async: {self._chunk.place(int(other[k]))} wrote "
            f"{self._byte(int(at[k]))} ({line}), and no such fence follows before {later}"
        )
        return Race(int(lane[k]), text)

    def _race(
        self, earlier: _Stamps, at: Array, lane: Array, bad: Array, did: str, later: str
    ) -> Race:
        k = int(np.flatnonzero(bad)[0])
        byte, other = int(at[k]), int(earlier.lane[at[k]])
        line, what = list(self._wheres)[earlier.where[byte]]
        agent = int(earlier.agent[byte])
        place = self._chunk.place(other)
        if not what:
            text = f"{place} {did} it ({line})"
            missing = "no barrier orders that before"
        else:
            verb = {"wrote": "writes", "read": "reads"}[did]
            text = f"the {what} issued by {place} ({line}) {verb} it"
            if agent == PENDING:
                missing = "its thread has not waited for it before"
            elif agent == THREAD:
                missing = "after its thread's wait no barrier orders that before"
            else:
                name = self.mbarriers[int(self.clocks.cluster[other]), agent]
                missing = f"no wait on {name} orders that before"
        return Race(int(lane[k]), f"race on {self._byte(byte)}: {text}, and {missing} {later}")

    def _byte(self, byte: int) -> str:
        cta, offset = divmod(byte, self._stride)
        return f"byte {offset} of shared memory of {self._chunk.cta_place(cta)}"

    def _where(self, where: str, what: str) -> int:
        return self._wheres.setdefault((where, what), len(self._wheres))
