"""Copies that land some time after their instruction: `cp.async`, bulk copies, `st.async`.

Without a seed they land as late as possible, oldest first: when no thread can run, or when their
thread waits for them. With a seed they land at random. The source is read when a copy lands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pto.errors import SimulationError

from .lanes import Lanes
from .mbarrier import Mbarrier
from .memory import Area
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine

# How likely a copy lands at each step when the order is random, and at once when it is issued.
DRIFT, AT_ONCE = 0.2, 0.25


@dataclass(eq=False)
class Copy:
    """One copy of `size` bytes for each of some lanes; arrays have an entry for each.

    `source` is an area with the places `begin`, or the bytes themselves, [lanes, size]. Behind the
    first `valid` bytes come zeros. `generic`: it is ordered like its thread's own accesses, not by
    `fence.proxy.async`. It completes on an mbarrier, in the phase that this had when
    the copy was issued, or with a group of its thread in the queue "async" or "bulk".
    """

    what: str
    where: str
    lanes: Array
    source: Area | Array
    begin: Array
    target: Area
    place: Array
    size: int
    valid: Array
    queue: str = ""
    barrier: Mbarrier | None = None
    generic: bool = True
    phase: int = 0
    group: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    waited: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    landed: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    number: int = 0

    def fetch(self, rows: Array) -> Array:
        """[rows, size]: the bytes that the source holds now."""
        if not isinstance(self.source, Area):
            return self.source[rows]
        step = np.arange(self.size)
        valid = self.valid[rows, None]
        at = self.begin[rows, None] + np.minimum(step, np.maximum(valid - 1, 0))
        return np.where(step < valid, self.source.data.take(at, mode="clip"), np.uint8(0))


@dataclass(eq=False)
class Arrival:
    """`cp.async.mbarrier.arrive`: arrives for a lane once its earlier `cp.async` have landed."""

    lane: int
    copies: list[Copy]
    barrier: Mbarrier
    where: str


class Copies:
    """All copies of a chunk that have not landed, or that their thread has not waited for."""

    def __init__(self, machine: Machine, random: np.random.Generator | None) -> None:
        self._m = machine
        self._random = random
        self._flying: list[Copy | Arrival] = []
        self._grouped: list[Copy] = []
        self._committed: dict[str, Array] = {}
        self._issued = 0

    # ---- issue

    def issue(self, copy: Copy) -> None:
        self._issued += 1
        copy.number = self._issued
        copy.waited, copy.landed = np.zeros((2, copy.lanes.size), np.bool_)
        if copy.queue:
            copy.group = self._groups(copy.queue)[copy.lanes]
            self._grouped.append(copy)
        if copy.barrier is not None:
            copy.phase = copy.barrier.phase
        if self._m.protocol is not None:
            self._m.protocol.issue(copy)
        self._flying.append(copy)
        if self._random is not None and self._random.random() < AT_ONCE:
            self._land(copy)

    def arrive(self, lane: int, barrier: Mbarrier, where: str) -> None:
        """cp.async.mbarrier.arrive"""
        mine = [
            c for c in self._grouped if c.queue == "async" and (~c.waited & (c.lanes == lane)).any()
        ]
        if self._m.protocol is not None:
            self._m.protocol.track(lane, mine, barrier, where)
        for copy in mine:
            copy.waited |= copy.lanes == lane
        self._flying.append(Arrival(lane, mine, barrier, where))

    # ---- groups

    def _groups(self, queue: str) -> Array:
        """[lanes]: how many groups each has committed."""
        if queue not in self._committed:
            self._committed[queue] = np.zeros(self._m.chunk.lanes, np.int64)
        return self._committed[queue]

    def commit(self, lanes: Lanes, queue: str) -> None:
        self._groups(queue)[lanes] += 1

    def wait(self, lanes: Lanes, queue: str, but: int, *, read: bool = False) -> None:
        """Lands all groups of these lanes but their `but` latest. `read`: only reads the source."""
        limit = np.full(self._m.chunk.lanes, -1)
        limit[lanes] = self._groups(queue)[lanes] - but
        for copy in [c for c in self._grouped if c.queue == queue]:
            ready = copy.group < limit[copy.lanes]
            if self._m.protocol is not None:
                self._m.protocol.waited(copy, ready & ~copy.waited)
            if read:
                self._read(copy, ready & ~copy.landed)
            else:
                self._land(copy, ready)
            copy.waited |= ready
        self._grouped = [c for c in self._grouped if not (c.waited & c.landed).all()]

    # ---- landing

    def drift(self) -> None:
        """Lands a copy or none, at random."""
        if self._random is not None and self._flying and self._random.random() < DRIFT:
            self._land(self._flying[self._random.integers(len(self._flying))])

    def land_next(self) -> bool:
        """Lands the oldest copy, or a random one; whether there was any."""
        if not self._flying:
            return False
        number = 0 if self._random is None else self._random.integers(len(self._flying))
        self._land(self._flying[number])
        return True

    def _land(self, event: Copy | Arrival, rows: Array | None = None) -> None:
        if isinstance(event, Arrival):
            self._flying.remove(event)
            for copy in event.copies:
                self._land(copy, copy.lanes == event.lane)
            lanes = np.array([event.lane])
            self._m.mbarriers.arrive(
                lanes, event.barrier, np.ones(1, np.int64), event.where, asynchronous=True
            )
            return
        rows = ~event.landed if rows is None else rows & ~event.landed
        if rows.any():
            self._check_alive(event, rows)
            self._move(event, rows)
        if event.landed.all():
            self._flying = [other for other in self._flying if other is not event]
            if event.waited.all():
                self._grouped = [other for other in self._grouped if other is not event]

    def _move(self, copy: Copy, rows: Array) -> None:
        m, lane = self._m, int(copy.lanes[rows][0])
        data = self._checked(copy, rows)
        at = copy.place[rows, None] + np.arange(copy.size)
        copy.target.data[at] = data
        if copy.target.written is not None:
            copy.target.written.data[at] = 1
        copy.landed |= rows
        if copy.barrier is not None:
            if copy.barrier.phase != copy.phase:
                text = (
                    f"{copy.what} lands in phase {copy.barrier.phase} of {copy.barrier.name}, but "
                    f"was issued in phase {copy.phase}, which expected too few bytes,"
                )
                raise m.fault(lane, text, copy.where)
            m.mbarriers.complete(lane, copy.barrier, copy.size * int(rows.sum()), copy.where)

    def _read(self, copy: Copy, rows: Array) -> None:
        """Takes the bytes of a copy of one lane out of its source."""
        if rows.any():
            self._check_alive(copy, rows)
            copy.source = self._checked(copy, rows)

    def _checked(self, copy: Copy, rows: Array) -> Array:
        """The bytes of the source, which must have been written."""
        source = copy.source
        if isinstance(source, Area) and source.written is not None:
            for lane, begin, valid in zip(
                copy.lanes[rows], copy.begin[rows], copy.valid[rows], strict=True
            ):
                if not source.written.data[begin : begin + valid].all():
                    text = f"{copy.what} of bytes of {source.name} that were never written"
                    raise self._m.fault(int(lane), text, copy.where)
        return copy.fetch(rows)

    # ---- exits

    def exit(self, lanes: Lanes) -> None:
        """These lanes are about to exit."""
        leaving = np.zeros(self._m.chunk.lanes, np.bool_)
        leaving[lanes] = True
        for copy in self._grouped:
            left = leaving[copy.lanes] & ~copy.waited
            if left.any():
                text = f"exit without a wait for the {copy.what}"
                raise self._m.fault(int(copy.lanes[left][0]), text, copy.where)

    def ended(self, ctas: Array) -> None:
        """[ctas]: the CTAs whose threads have all exited."""
        if not ctas.any():
            return
        for copy in self._flying:
            if isinstance(copy, Arrival):
                continue
            for cta, rows, verb in self._touched(copy):
                bad = rows & ~copy.landed & ctas[cta]
                if bad.any():
                    raise self._fault(copy, bad, cta, f"exits while the {copy.what} still {verb}")

    def _check_alive(self, copy: Copy, rows: Array) -> None:
        for cta, mine, verb in self._touched(copy):
            bad = rows & mine & (self._m.alive_in_cta[cta] == 0)
            if bad.any():
                raise self._fault(copy, bad, cta, f"has exited when the {copy.what} {verb}")

    def _fault(self, copy: Copy, bad: Array, cta: Array, text: str) -> SimulationError:
        place = self._m.chunk.cta_place(int(cta[bad][0]))
        lane = int(copy.lanes[bad][0])
        return self._m.fault(lane, f"{place} {text} its shared memory, as issued", copy.where)

    def _touched(self, copy: Copy) -> Iterator[tuple[Array, Array, str]]:
        """The CTAs whose shared memory a copy touches, for which of its lanes, and how."""
        shared = self._m.memory.shared
        everyone = np.ones(copy.lanes.size, np.bool_)
        if copy.source is shared:
            yield copy.begin // shared.stride, copy.valid > 0, "reads"
        if copy.target is shared:
            yield copy.place // shared.stride, everyone, "writes"
