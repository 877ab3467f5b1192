"""Whether shared memory exists while it is used: from the start of its CTA to the CTA's exit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .clocks import Clocks
from .grid import Chunk
from .types import Array


class Race(NamedTuple):
    """A wrong access, as a message; `where` it is, if not at the present line."""

    lane: int
    text: str
    where: str | None = None


class _Copy(NamedTuple):
    """A copy that reads or writes a CTA's shared memory until an mbarrier's phase is complete."""

    time: int
    lane: int
    text: str
    where: str


class Lifetimes:
    """Accesses from other CTAs and by copies, which the exits of a CTA must come after."""

    def __init__(self, chunk: Chunk, clocks: Clocks) -> None:
        self._chunk = chunk
        self._clocks = clocks
        # [rank in the cluster, lanes]: when a lane last used the shared memory of that CTA.
        self._time = np.zeros((chunk.grid.cluster_size, 0), np.int32)
        self._where = self._time
        self._wheres: list[str] = []
        # By CTA and column of the clocks.
        self._copies: dict[tuple[int, int], _Copy] = {}
        # By CTA: what its exited threads knew.
        self._known: dict[int, Array] = {}

    def reach(
        self, lanes: Array, owner: Array, where: str, *, asynchronous: bool = False
    ) -> Race | None:
        """Lanes use the shared memory of the CTAs `owner`, which they must know to have started.
        `asynchronous`: a copy of theirs does, which `touch` will be told of."""
        remote = np.flatnonzero(owner != self._chunk.cta[lanes])
        if not remote.size:
            return None
        lanes, owner = lanes[remote], owner[remote]
        size = self._chunk.grid.cluster_size
        for lane, cta in dict.fromkeys(zip(lanes.tolist(), owner.tolist(), strict=True)):
            if not self._clocks.knows_start(lane, cta % size):
                text = f"use of shared memory of {self._chunk.cta_place(cta)}, which no cluster "
                return Race(lane, text + "barrier shows to have started,")
        if asynchronous:
            return None
        if not self._time.size:
            self._time, self._where = np.zeros((2, size, self._chunk.lanes), np.int32)
        if where not in self._wheres:
            self._wheres.append(where)
        self._time[owner % size, lanes] = self._clocks.now(lanes)
        self._where[owner % size, lanes] = self._wheres.index(where)
        return None

    def touch(self, cta: int, column: int, time: int, lane: int, text: str, where: str) -> None:
        """A copy uses the shared memory of a CTA. `text`: `the bulk copy that reads`."""
        self._copies[cta, column] = _Copy(time, lane, text, where)

    def exit(self, lanes: Array) -> None:
        """These lanes are about to exit."""
        if not self._time.size and not self._copies:
            return
        ctas = self._chunk.cta[lanes]
        for part in np.split(lanes, np.flatnonzero(np.diff(ctas)) + 1):
            cta, known = int(self._chunk.cta[part[0]]), self._clocks.known(part)
            earlier = self._known.get(cta)
            if earlier is not None:
                known[: earlier.size] = np.maximum(known[: earlier.size], earlier)
            self._known[cta] = known

    def end(self, cta: int) -> Race | None:
        """All threads of a CTA have exited."""
        known = self._known.get(cta)
        return None if known is None else self._accessed(cta, known) or self._copied(cta, known)

    def _accessed(self, cta: int, known: Array) -> Race | None:
        if not self._time.size:
            return None
        chunk, clocks = self._chunk, self._clocks
        rank = cta % chunk.grid.cluster_size
        cluster = clocks.cluster == cta // chunk.grid.cluster_size
        lanes = np.flatnonzero(cluster & (self._time[rank] > 0))
        solo, time = clocks.solo[lanes], self._time[rank, lanes]
        ordered = (known[clocks.warp[lanes]] >= time) | ((solo >= 0) & (known[solo] >= time))
        if ordered.all():
            return None
        lane = int(lanes[~ordered][0])
        text = (
            f"{chunk.cta_place(cta)} exits, and no cluster barrier orders that after the use of "
            "its shared memory"
        )
        return Race(lane, text, self._wheres[self._where[rank, lane]])

    def _copied(self, cta: int, known: Array) -> Race | None:
        for (owner, column), copy in self._copies.items():
            if owner == cta and (column >= known.size or known[column] < copy.time):
                text = (
                    f"{self._chunk.cta_place(cta)} exits without knowing that {copy.text} its "
                    "shared memory is complete, as issued"
                )
                return Race(copy.lane, text, copy.where)
        return None
