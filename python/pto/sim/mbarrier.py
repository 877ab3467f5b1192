"""mbarrier objects: phases of arrivals and transaction bytes, and the threads that wait for them.

An object's state is kept here, under the CTA and the byte of shared memory where it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .lanes import Lanes, compact, indices
from .memory import Access
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine
    from .protocol import MbarrierOrder

MBARRIER_BYTES = 8
MAX_COUNT = (1 << 20) - 1
# A state token is `phase << PENDING_BITS | pending arrivals`.
PENDING_BITS = 20
# A thread whose waits have failed so often in a row is parked until the phase completes. A try_wait
# fails once at first, since on a GPU it may, so that a program that does not repeat it shows that.
TRY_PATIENCE, TEST_PATIENCE = 2, 256


@dataclass(eq=False)
class Waiting:
    """Lanes that wait for a phase to complete; `parity`: how they named it.

    `finish` is called for them when it has, and then they go on behind `pc`.
    """

    pc: int
    lanes: Array
    phase: int
    parity: bool
    relaxed: bool
    finish: Callable[[Array], None]


@dataclass(eq=False)
class Mbarrier:
    """`count` arrivals complete a phase once the `bytes` under way are 0; `phase` numbers the one
    that is not yet complete. `pending` arrivals are missing from it; `expecting`: bytes have been
    expected or have landed in it. `place` names the CTA."""

    cta: int
    place: str
    offset: int
    count: int
    pending: int
    phase: int = 0
    bytes: int = 0
    expecting: bool = False
    order: MbarrierOrder | None = None
    waiting: list[Waiting] = field(default_factory=lambda: [])

    @property
    def name(self) -> str:
        return f"the mbarrier at byte {self.offset} of shared memory of {self.place}"

    @property
    def missing(self) -> str:
        return f"{self.pending} arrivals and {self.bytes} bytes are missing"


class Mbarriers:
    """The live objects of all CTAs."""

    def __init__(self, machine: Machine) -> None:
        self._m = machine
        self._live: dict[int, Mbarrier] = {}
        self._failures = np.zeros(machine.chunk.lanes, np.int64)

    # ---- addresses

    def at(
        self,
        lanes: Lanes,
        address: Array,
        access: Access,
        *,
        new: bool = False,
        asynchronous: bool = False,
    ) -> Iterator[tuple[Array, Mbarrier]]:
        """The objects at these addresses, each with the lanes that name it, which know that they
        may use it. `new`: there need not be one yet. `asynchronous`: a copy will use it."""
        m = self._m
        lanes = indices(lanes)
        place = self._places(lanes, address, access)
        for byte in dict.fromkeys(place.tolist()):
            part = lanes[place == byte]
            cta, offset = divmod(byte, m.memory.shared.stride)
            fresh = Mbarrier(cta, m.chunk.cta_place(cta), offset, 0, 0)
            barrier = self._live.get(byte)
            if barrier is None and not new:
                text = f"use of {fresh.name}, which was not initialised,"
                raise m.fault(int(part[0]), text, access.where)
            barrier = barrier or fresh
            if m.protocol is not None:
                m.protocol.use(part, barrier, access.where, asynchronous=asynchronous)
            yield part, barrier

    def _places(self, lanes: Array, address: Array, access: Access) -> Array:
        place = np.empty(lanes.size, np.int64)
        for chosen, area, index in self._m.memory.locate(lanes, address, access):
            if area is not self._m.memory.shared:
                text = f"an mbarrier in {area.name}, which is not shared memory,"
                raise self._m.fault(int(lanes[chosen][0]), text, access.where)
            place[chosen] = index * MBARRIER_BYTES
        return place

    def _key(self, barrier: Mbarrier) -> int:
        return barrier.cta * self._m.memory.shared.stride + barrier.offset

    # ---- life

    def start(self, lane: int, barrier: Mbarrier, count: int, where: str) -> None:
        """mbarrier.init"""
        m, shared = self._m, self._m.memory.shared
        key = self._key(barrier)
        if not 1 <= count <= MAX_COUNT:
            raise m.fault(lane, f"mbarrier with a count of {count}, not 1 to {MAX_COUNT},", where)
        if key in self._live:
            raise m.fault(lane, f"{barrier.name} is initialised again without an inval", where)
        if shared.reserved is None:
            shared.reserved = shared.shadow()
        shared.reserved.data[key : key + MBARRIER_BYTES] = 1
        barrier.count = barrier.pending = count
        self._live[key] = barrier
        if m.protocol is not None:
            m.protocol.initialise(lane, barrier)

    def end(self, lane: int, barrier: Mbarrier, where: str) -> None:
        """mbarrier.inval"""
        if barrier.waiting or barrier.bytes:
            raise self._m.fault(lane, f"inval of {barrier.name} while {barrier.missing}", where)
        key = self._key(barrier)
        reserved = self._m.memory.shared.reserved
        assert reserved is not None
        reserved.data[key : key + MBARRIER_BYTES] = 0
        del self._live[key]

    # ---- arrivals and transactions

    def arrive(
        self,
        lanes: Array,
        barrier: Mbarrier,
        counts: Array,
        where: str,
        *,
        drop: bool = False,
        relaxed: bool = False,
        asynchronous: bool = False,
    ) -> int:
        """Each lane arrives so many times; the state before that. `drop`: later phases expect so
        many arrivals fewer. `asynchronous`: not the lanes themselves, but copies of theirs."""
        state = barrier.phase << PENDING_BITS | barrier.pending
        lane, count = int(lanes[0]), int(counts.sum())
        if not 1 <= count <= barrier.pending:
            text = f"{count} arrivals at {barrier.name}, which waits for {barrier.pending} more,"
            raise self._m.fault(lane, text, where)
        if self._m.protocol is not None and not asynchronous:
            self._m.protocol.arrive(lanes, barrier, count, where, relaxed=relaxed)
        barrier.pending -= count
        barrier.count -= count if drop else 0
        self._advance(lane, barrier, where)
        return state

    def expect(self, lane: int, barrier: Mbarrier, size: int, where: str) -> None:
        """So many more bytes must land in this phase; fewer, if negative: they have landed."""
        barrier.bytes += size
        barrier.expecting = True
        if abs(barrier.bytes) > MAX_COUNT:
            text = f"{barrier.bytes} transaction bytes at {barrier.name}: at most {MAX_COUNT} fit,"
            raise self._m.fault(lane, text, where)

    def complete(self, lane: int, barrier: Mbarrier, size: int, where: str) -> None:
        """So many bytes have landed."""
        self.expect(lane, barrier, -size, where)
        self._advance(lane, barrier, where)

    def _advance(self, lane: int, barrier: Mbarrier, where: str) -> None:
        """Completes the phase if nothing is missing, and releases those who wait for it."""
        if barrier.pending:
            return
        if barrier.bytes < 0:
            text = (
                f"{-barrier.bytes} more bytes have landed than phase {barrier.phase} of "
                f"{barrier.name} expects, so that it may complete too early,"
            )
            raise self._m.fault(lane, text, where)
        if barrier.bytes:
            return
        barrier.phase += 1
        barrier.pending = barrier.count
        barrier.expecting = False
        if self._m.protocol is not None:
            self._m.protocol.complete(barrier)
        leaving = [w for w in barrier.waiting if w.phase < barrier.phase]
        barrier.waiting = [w for w in barrier.waiting if w.phase >= barrier.phase]
        for waiting in leaving:
            self._finish(barrier, waiting)
            self._m.push(waiting.pc + 1, compact(waiting.lanes))

    # ---- waiting

    def phase_of(self, barrier: Mbarrier, lane: int, token: int, parity: bool, where: str) -> int:
        """The phase that a parity or a state token names: the present one or the one before."""
        if parity:
            if token > 1:
                raise self._m.fault(lane, f"a parity of {token}, not 0 or 1,", where)
            return barrier.phase if barrier.phase & 1 == token else barrier.phase - 1
        phase = token >> PENDING_BITS
        if not barrier.phase - 1 <= phase <= barrier.phase:
            text = f"wait for phase {phase} of {barrier.name}, which is in phase {barrier.phase}, "
            raise self._m.fault(lane, text + "not that one or the next,", where)
        return phase

    def wait(self, barrier: Mbarrier, waiting: Waiting, *, patience: int) -> bool:
        """Whether the lanes can go on: the phase is complete, and they have been told so, or they
        still have patience. If not, they are parked."""
        if waiting.phase < barrier.phase:
            self._finish(barrier, waiting)
            return True
        self._failures[waiting.lanes] += 1
        if self._failures[waiting.lanes].max() < patience:
            return True
        barrier.waiting.append(waiting)
        return False

    def _finish(self, barrier: Mbarrier, waiting: Waiting) -> None:
        self._failures[waiting.lanes] = 0
        if self._m.protocol is not None:
            self._m.protocol.observe(waiting.lanes, barrier, relaxed=waiting.relaxed)
        waiting.finish(waiting.lanes)

    def parked(self) -> Iterator[tuple[int, Lanes, str]]:
        for barrier in self._live.values():
            for w in barrier.waiting:
                what = f"parity {w.phase & 1}" if w.parity else f"phase {w.phase}"
                at = f"the mbarrier at byte {barrier.offset} of shared memory"
                yield w.pc, w.lanes, f" for {what} of {at}: {barrier.missing}"
