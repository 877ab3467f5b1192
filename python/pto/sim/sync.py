"""Where threads wait for each other: the barriers of a CTA, and the lanes of a warp."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .grid import WARP, Chunk
from .lanes import Lanes, count, first, indices, merge, select, uniform
from .program import Next
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine
    from .site import Read

ALL_LANES = 0xFFFFFFFF
Finish = Callable[[Lanes, Array, Array], None]


@dataclass
class _Waiting:
    """Lanes at one barrier instruction. `finish` is called for those that are released."""

    pc: int
    lanes: Lanes
    aligned: bool
    finish: Finish | None


@dataclass
class _Barrier:
    """One barrier number of all CTAs: threads arrived, those of them with a true predicate, and
    threads expected (0: all of the CTA that have not exited). Arrays are [ctas]."""

    arrived: Array
    true: Array
    expected: Array
    waiting: list[_Waiting] = field(default_factory=lambda: [])

    @classmethod
    def of(cls, ctas: int) -> _Barrier:
        arrived, true, expected = np.zeros((3, ctas), np.int64)
        return cls(arrived, true, expected)


class Barriers:
    """`barrier.cta`: sixteen barriers for each CTA."""

    def __init__(self, machine: Machine) -> None:
        self._m = machine
        self._barriers: dict[int, _Barrier] = {}

    def arrive(
        self,
        number: int,
        pc: int,
        lanes: Lanes,
        *,
        threads: int = 0,
        aligned: bool = True,
        true: Lanes | None = None,
        finish: Finish | None = None,
    ) -> Next:
        """Lanes arrive and wait; those released run on at `pc + 1`.

        `threads`: how many must arrive, 0 for all. `true`: the lanes whose predicate is true.
        `finish(lanes, true, arrived)` is told of the released lanes, and of two counts per CTA.
        """
        m = self._m
        if number > 15 or threads % WARP:
            text = f"barrier {number} with {threads} threads: there are 16, for whole warps,"
            raise m.fault(first(lanes), text, m.program.where(pc))
        barrier = self._barriers.get(number)
        if barrier is None:
            barrier = _Barrier.of(m.chunk.ctas)
            self._barriers[number] = barrier
        if (
            count(lanes) == m.alive_count
            and threads == 0
            and finish is None
            and not barrier.waiting
        ):
            if m.races is not None:
                m.races.clocks.join(indices(lanes))
            return pc + 1, lanes
        arriving = m.per_cta(lanes)
        clash = (arriving > 0) & (barrier.arrived > 0) & (barrier.expected != threads)
        if clash.any():
            raise m.fault(first(lanes), "another thread count at one barrier", m.program.where(pc))
        barrier.expected[arriving > 0] = threads
        barrier.arrived += arriving
        if true is not None:
            barrier.true += m.per_cta(true)
        barrier.waiting.append(_Waiting(pc, lanes, aligned, finish))
        self._release(number, barrier, lanes, pc)
        return None

    def _release(self, number: int, barrier: _Barrier, lanes: Lanes | None, pc: int) -> bool:
        """Releases the CTAs whose threads have all arrived; whether there were any."""
        m = self._m
        expected = np.where(barrier.expected > 0, barrier.expected, m.alive_in_cta)
        over = barrier.arrived > expected
        if lanes is not None and over.any():
            cta = int(np.flatnonzero(over)[0])
            arrived = int(barrier.arrived[cta])
            text = f"{arrived} threads at barrier {number}, which expects {expected[cta]},"
            raise m.fault(first(lanes), text, m.program.where(pc))
        done = (barrier.arrived > 0) & (barrier.arrived >= expected)
        if not done.any():
            return False
        released: list[tuple[_Waiting, Lanes]] = []
        for waiting in barrier.waiting:
            chosen = done[m.chunk.cta[waiting.lanes]]
            leaving = select(waiting.lanes, chosen)
            staying = select(waiting.lanes, ~chosen)
            if leaving is not None:
                released.append((waiting, leaving))
            waiting.lanes = slice(0, 0) if staying is None else staying
        barrier.waiting = [w for w in barrier.waiting if count(w.lanes)]
        self._check_aligned(released)
        true, arrived = barrier.true.copy(), barrier.arrived.copy()
        barrier.arrived[done] = barrier.true[done] = barrier.expected[done] = 0
        if m.races is not None and released:
            m.races.clocks.join(np.concatenate([indices(leaving) for _, leaving in released]))
        for waiting, leaving in released:
            if waiting.finish is not None:
                waiting.finish(leaving, true, arrived)
            m.push(waiting.pc + 1, leaving)
        return True

    def _check_aligned(self, released: list[tuple[_Waiting, Lanes]]) -> None:
        """The threads of a warp must be at the same `bar.sync`, unless it is a plain `barrier`."""
        m = self._m
        at = np.full(m.chunk.ctas * m.chunk.warps_per_cta, -1)
        for waiting, leaving in released:
            if not waiting.aligned:
                continue
            warps = m.chunk.warp[leaving]
            elsewhere = (at[warps] >= 0) & (at[warps] != waiting.pc)
            if elsewhere.any():
                lane = int(indices(leaving)[np.flatnonzero(elsewhere)[0]])
                other = m.program.where(int(at[m.chunk.warp[lane]]))
                text = (
                    f"the threads of one warp are at different barriers (the other: {other}), seen"
                )
                raise m.fault(lane, text, m.program.where(waiting.pc))
            at[warps] = waiting.pc

    def retry(self) -> bool:
        """Looks again at who is complete, as threads have exited; whether any were released."""
        released = [self._release(n, b, None, 0) for n, b in list(self._barriers.items())]
        return any(released)

    def parked(self) -> Iterator[tuple[int, Lanes]]:
        for barrier in self._barriers.values():
            for waiting in barrier.waiting:
                yield waiting.pc, waiting.lanes


class Convergence:
    """`.sync` instructions of a warp: they run once all lanes of the member mask are there."""

    def __init__(self, machine: Machine) -> None:
        self._m = machine
        self._waiting: dict[int, Lanes] = {}
        self._alive = machine.chunk.lanes
        # A set of lanes that is known to hold all lanes of its warps that have not exited.
        self._whole: Lanes | None = None

    def meet(self, pc: int, lanes: Lanes, mask: Read) -> Lanes | None:
        """The lanes at `pc` that can go on, out of those that come now and those that waited.

        `mask` reads the member mask. The other lanes stay parked.
        """
        m, chunk = self._m, self._m.chunk
        waiting = self._waiting.pop(pc, None)
        if waiting is not None:
            lanes = merge(waiting, lanes)
        own = mask(m, lanes)
        everyone = uniform(own) == ALL_LANES
        if not everyone:
            outside = (own & chunk.lane_bit[lanes]) == 0
            if outside.any():
                lane = int(indices(lanes)[np.flatnonzero(outside)[0]])
                text = "a member mask that leaves out its own thread"
                raise m.fault(lane, text, m.program.where(pc))
        if lanes is self._whole or count(lanes) == m.alive_count:
            return lanes
        missing = masks_by_warp(chunk, m.alive_lanes()) & ~masks_by_warp(chunk, lanes)
        complete = (own & missing[chunk.warp[lanes]]) == 0
        staying = select(lanes, ~complete)
        if staying is not None:
            self._waiting[pc] = staying
        elif everyone:
            self._whole = lanes
        return select(lanes, complete)

    def retry(self) -> bool:
        """Makes parked lanes look again if threads have exited; whether there were any."""
        if not self._waiting or self._alive == self._m.alive_count:
            return False
        self._alive = self._m.alive_count
        waiting, self._waiting = self._waiting, {}
        for pc, lanes in waiting.items():
            self._m.push(pc, lanes)
        return True

    def parked(self) -> Iterator[tuple[int, Lanes]]:
        yield from self._waiting.items()


def masks_by_warp(chunk: Chunk, lanes: Lanes, bits: Array | None = None) -> Array:
    """[warps]: the mask of those lanes of each warp, or of their `bits` joined by or."""
    masks = np.zeros(chunk.ctas * chunk.warps_per_cta, np.uint32)
    warp = chunk.warp[lanes]
    starts = np.flatnonzero(np.diff(warp, prepend=-1))
    bits = chunk.lane_bit[lanes] if bits is None else bits
    masks[warp[starts]] = np.bitwise_or.reduceat(bits, starts)
    return masks
