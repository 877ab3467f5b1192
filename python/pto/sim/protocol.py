"""The order of mbarrier operations, asynchronous copies and exits, as `clocks.py` knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .asynchronous import Copy
from .clocks import EXECUTED, FENCED, ORDERED, join, joined
from .lanes import Lanes, indices
from .lifetimes import Race
from .mbarrier import Mbarrier
from .races import PENDING, THREAD, By, RaceDetector
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine


@dataclass(eq=False)
class MbarrierOrder:
    """What an mbarrier passes on. `column` is its own in the clocks, where `base` and the number of
    completed phases are the time, since an earlier object may have been in its place; thread `lane`
    initialised it at `time`, and fenced that at time `fenced`."""

    column: int
    base: int
    lane: int
    time: int
    fenced: int | None = None
    arriving: Array | None = None
    released: Array | None = None


class Protocol:
    """Raises `SimulationError` for what no synchronisation orders."""

    def __init__(self, machine: Machine, races: RaceDetector) -> None:
        self._m = machine
        self._races = races
        self._clocks = races.clocks
        # The latest by CTA and byte.
        self._mbarriers: dict[tuple[int, int], Mbarrier] = {}
        self._unfenced: list[MbarrierOrder] = []

    def _report(self, found: Race | None, where: str) -> None:
        if found is not None:
            raise self._m.fault(found.lane, found.text, found.where or where)

    def _require(self, lanes: Array, good: Array, text: str, where: str) -> None:
        if not good.all():
            raise self._m.fault(int(lanes[np.flatnonzero(~good)[0]]), text, where)

    # ---- fences

    def fence(self, lanes: Array, scope: str) -> None:
        """See `Clocks.fence`."""
        if scope != "memory":
            self._initialisations_fenced(lanes)
        self._clocks.fence(lanes, scope)

    def fence_initialisations(self, lanes: Array) -> None:
        """fence.mbarrier_init"""
        self._initialisations_fenced(lanes)
        self._clocks.tick(lanes)

    def _initialisations_fenced(self, lanes: Array) -> None:
        for order in self._unfenced:
            if order.lane in lanes:
                order.fenced = int(self._clocks.now(np.array(order.lane)))
        self._unfenced = [order for order in self._unfenced if order.fenced is None]

    # ---- mbarriers

    def initialise(self, lane: int, barrier: Mbarrier) -> None:
        key = barrier.cta, barrier.offset
        earlier = self._mbarriers.get(key)
        if earlier is None or earlier.order is None:
            cluster = int(self._clocks.cluster[lane])
            column, base = self._clocks.column(cluster), 0
            self._races.mbarriers[cluster, column] = barrier.name
        else:
            column, base = earlier.order.column, earlier.order.base + earlier.phase
        self._mbarriers[key] = barrier
        time = int(self._clocks.now(np.array(lane)))
        barrier.order = MbarrierOrder(column, base, lane, time)
        self._unfenced.append(barrier.order)

    def use(self, lanes: Array, barrier: Mbarrier, where: str, *, asynchronous: bool) -> None:
        """Lanes use an mbarrier, or their copy does; it must have been initialised before."""
        owner = np.full(lanes.size, barrier.cta)
        reached = self._races.lifetimes.reach(lanes, owner, where, asynchronous=asynchronous)
        self._report(reached, where)
        order, clocks = barrier.order, self._clocks
        if order is None:
            return
        other, time = np.full(lanes.size, order.lane), np.full(lanes.size, order.time)
        own = lanes == order.lane
        fenced = own & (order.fenced is not None)
        if order.fenced is not None:
            fence = np.full(lanes.size, order.fenced)
            fenced |= clocks.knows_thread(lanes, other, fence, EXECUTED)
        ordered = own | fenced | clocks.knows_thread(lanes, other, time, ORDERED)
        place = self._m.chunk.place(order.lane)
        text = f"use of {barrier.name}, with no barrier after its initialisation by {place},"
        self._require(lanes, ordered, text, where)
        rank = barrier.cta % self._m.chunk.grid.cluster_size
        fenced |= clocks.knows_thread(lanes, other, time, FENCED + rank)
        if not asynchronous:
            fenced |= owner == self._m.chunk.cta[lanes]
        text = (
            f"missing fence.mbarrier_init: {place} initialised {barrier.name}, and no such "
            "fence follows before its use by a copy or from another CTA,"
        )
        self._require(lanes, fenced, text, where)

    def arrive(
        self, lanes: Array, barrier: Mbarrier, count: int, where: str, *, relaxed: bool
    ) -> None:
        """Lanes are about to arrive, so many times altogether."""
        order = barrier.order
        assert order is not None
        self._knows_phase(lanes, barrier, "arrival at", where)
        clock = self._clocks.publish(lanes, relaxed=relaxed)
        order.arriving = joined(order.arriving, clock)
        if count == barrier.count and not barrier.expecting:
            # Nobody else takes part, so they know that they complete the phase.
            clock = self._clocks.blank()
            clock[EXECUTED, order.column] = order.base + barrier.phase + 1
            self._clocks.acquire(lanes, clock)

    def _knows_phase(self, lanes: Array, barrier: Mbarrier, what: str, where: str) -> None:
        """Lanes may count on the present phase only if they know that the last one is complete."""
        order = barrier.order
        assert order is not None
        if barrier.phase == 0:
            return
        column = np.full(lanes.size, order.column)
        phase = np.full(lanes.size, order.base + barrier.phase)
        text = (
            f"{what} {barrier.name} that may fall into phase {barrier.phase - 1}, since no "
            "wait shows that to be complete,"
        )
        self._require(lanes, self._clocks.knows(lanes, column, phase, EXECUTED), text, where)

    def complete(self, barrier: Mbarrier) -> None:
        """A phase has been completed."""
        order = barrier.order
        assert order is not None
        clock = self._clocks.blank()
        for earlier in (order.arriving, order.released):
            if earlier is not None:
                join(clock, earlier)
        clock[[ORDERED, EXECUTED], order.column] = order.base + barrier.phase
        order.released, order.arriving = clock, None

    def observe(self, lanes: Array, barrier: Mbarrier, *, relaxed: bool) -> None:
        """A wait of these lanes has succeeded."""
        if barrier.order is not None and barrier.order.released is not None:
            self._clocks.acquire(lanes, barrier.order.released, relaxed=relaxed)

    # ---- copies

    def issue(self, copy: Copy) -> None:
        barrier, agent, time = copy.barrier, PENDING, copy.number
        if barrier is not None:
            agent, time = self._tracked(copy.lanes, barrier, f"{copy.what} to", copy.where)
        by = By(copy.what, copy.where, agent, time, copy.generic)
        for verb, lane, at in self._bytes(copy, np.ones(copy.lanes.size, np.bool_)):
            if verb == "reads":
                self._report(self._races.read_by_copy(lane, at, by), copy.where)
            else:
                owner = copy.place // self._m.memory.shared.stride
                reached = self._races.lifetimes.reach(
                    copy.lanes, owner, copy.where, asynchronous=True
                )
                self._report(reached, copy.where)
                self._report(self._races.written_by_copy(lane, at, by), copy.where)
            if barrier is not None:
                self._touch(copy, verb, int(copy.lanes[0]), at, agent, time)

    def _tracked(self, lanes: Array, barrier: Mbarrier, what: str, where: str) -> tuple[int, int]:
        """The agent and the time of copies that complete the present phase of an mbarrier."""
        order = barrier.order
        assert order is not None
        self._knows_phase(lanes, barrier, what, where)
        # What the issuing thread knows to have been executed has been when the copy completes,
        # but a copy does not pass on its thread's accesses.
        clock = self._clocks.blank()
        for lane in lanes.tolist():
            np.maximum(clock[EXECUTED], self._clocks.row(lane)[EXECUTED], out=clock[EXECUTED])
        order.arriving = joined(order.arriving, clock)
        return order.column, order.base + barrier.phase + 1

    def _touch(self, copy: Copy, verb: str, lane: int, at: Array, agent: int, time: int) -> None:
        cta = int(at[0]) // self._m.memory.shared.stride
        text = f"the {copy.what} that {verb}"
        self._races.lifetimes.touch(cta, agent, time, lane, text, copy.where)

    def waited(self, copy: Copy, rows: Array) -> None:
        """The lanes of these rows have waited for their copy, which is now as if their own."""
        for _, lane, at in self._bytes(copy, rows):
            self._races.settle(lane, at, copy.number, THREAD, self._clocks.now(lane))

    def track(self, lane: int, copies: list[Copy], barrier: Mbarrier, where: str) -> None:
        """cp.async.mbarrier.arrive: the lane's pending copies complete on an mbarrier."""
        agent, time = self._tracked(np.array([lane]), barrier, "cp.async to", where)
        for copy in copies:
            for verb, own, at in self._bytes(copy, (copy.lanes == lane) & ~copy.waited):
                self._races.settle(own, at, copy.number, agent, time)
                self._touch(copy, verb, lane, at, agent, time)

    def _bytes(self, copy: Copy, rows: Array) -> list[tuple[str, Array, Array]]:
        """What a copy does to shared memory: a lane and a place for every byte."""
        shared, step = self._m.memory.shared, np.arange(copy.size)
        lane = np.repeat(copy.lanes[rows], copy.size)
        parts: list[tuple[str, Array, Array]] = []
        if copy.source is shared and lane.size:
            parts.append(("reads", lane, (copy.begin[rows, None] + step).ravel()))
        if copy.target is shared and lane.size:
            parts.append(("writes", lane, (copy.place[rows, None] + step).ravel()))
        return parts

    # ---- exits

    def exit(self, lanes: Lanes) -> None:
        """These lanes are about to exit."""
        self._races.lifetimes.exit(indices(lanes))

    def ended(self, ctas: Array) -> None:
        """[ctas]: the CTAs whose threads have all exited."""
        for cta in np.flatnonzero(ctas).tolist():
            self._report(self._races.lifetimes.end(cta), "")
