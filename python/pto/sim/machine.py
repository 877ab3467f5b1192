"""Runs a program: all threads of a chunk of CTAs in lock-step, lowest program counter first.

Lanes that agree on their program counter form a group and run together. A branch that they do not
agree on splits the group; groups that meet at one program counter merge. With a seed, every warp
runs on its own and the order of the warps is random, which brings missing barriers to light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from pto.errors import SimulationError

from .asynchronous import Copies
from .cluster import ClusterBarrier
from .grid import SPECIAL, Chunk
from .lanes import Lanes, compact, count, indices, merge
from .mbarrier import Mbarriers
from .memory import Cluster, Memory
from .program import Constant, Control, Dynamic, Program, RegisterView, Slot, Step
from .protocol import Protocol
from .races import RaceDetector
from .sync import Barriers, Convergence
from .types import Array, unsigned

# After so many backward branches taken while other groups wait, one of them is picked at random,
# so that a group that spins for another's sake does not starve it.
PATIENCE = 256


@dataclass
class Stats:
    """What a launch executed: PTX instructions issued (once per group of threads that run
    together), and the same summed over threads."""

    instructions: int = 0
    thread_instructions: int = 0


class Machine:
    """The state of one chunk of CTAs.

    `slots` has one array per slot of the program, one entry per lane; views of one register share
    their memory.
    """

    def __init__(
        self,
        program: Program,
        chunk: Chunk,
        memory: Memory,
        stats: Stats,
        *,
        registers: dict[int, Array] | None = None,
        random: np.random.Generator | None = None,
        check_races: bool = False,
    ) -> None:
        """`registers` are those of an earlier chunk of the same size, whose memory is reused."""
        self.program = program
        self.chunk = chunk
        self.memory = memory
        self.stats = stats
        self.alive = np.ones(chunk.lanes, np.bool_)
        self.alive_count = chunk.lanes
        self.alive_in_cta = np.full(chunk.ctas, chunk.grid.threads_per_cta)
        shared = memory.shared
        self.races = RaceDetector(chunk, shared.stride, self.alive) if check_races else None
        self.protocol = None if self.races is None else Protocol(self, self.races)
        shared.races = self.races
        shared.cluster = Cluster(chunk, self.alive_in_cta)
        self.barriers = Barriers(self)
        self.convergence = Convergence(self)
        self.cluster_barrier = ClusterBarrier(self)
        self.mbarriers = Mbarriers(self)
        self.copies = Copies(self, random)
        self.carry = np.zeros(chunk.lanes, np.bool_)
        self.returns = [np.zeros(chunk.lanes, np.int64) for _ in range(program.frames)]
        self.registers = registers or _registers(program, chunk.lanes)
        self.slots = [self._slot(slot) for slot in program.slots]
        self._groups = _WarpGroups(chunk, random) if random is not None else _Groups()

    count = staticmethod(count)

    def _slot(self, slot: Slot) -> Array:
        if isinstance(slot, RegisterView):
            register = self.registers[slot.register]
            ratio = register.itemsize // slot.dtype.itemsize
            return register if register.dtype == slot.dtype else register.view(slot.dtype)[::ratio]
        if isinstance(slot, Constant):
            value = _bits(slot.value, slot.dtype)
        elif isinstance(slot, Dynamic):
            align = self.program.dynamic_align
            start = -(-self.program.shared_bytes // align) * align
            value = _bits(start + slot.offset, slot.dtype)
        else:
            value = np.asarray(SPECIAL[slot.name](self.chunk)).astype(slot.dtype)
        return np.broadcast_to(value, self.chunk.lanes)

    # ---- running

    def run(self) -> None:
        """Runs every thread to its end. Raises `SimulationError` or `DeviceAssertion`."""
        self.push(self.program.entry.pc, slice(0, self.chunk.lanes))
        while True:
            self.copies.drift()
            group = self._groups.pick()
            if group is not None:
                self._run_group(*group)
            elif not (
                self.convergence.retry()
                or self.barriers.retry()
                or self.cluster_barrier.retry()
                or self.copies.land_next()
            ):
                break
        if self.alive_count:
            raise self._deadlock()

    def _run_group(self, pc: int, lanes: Lanes, limit: int) -> None:
        """Runs a group until it parks, ends, reaches `limit`, or others could run too."""
        program, stats = self.program, self.stats
        steps, stops = program.steps, program.stops
        while True:
            stop = min(stops[pc], limit)
            for step in cast(list[Step], steps[pc:stop]):
                step(self, lanes)
            issued = stop - pc
            control = steps[stop] if stop < limit else None
            if isinstance(control, Control):
                issued += 1
            stats.instructions += issued
            stats.thread_instructions += issued * count(lanes)
            if not isinstance(control, Control):
                self.push(stop, lanes)
                return
            following = control.run(self, stop, lanes)
            if following is None:
                return
            pc, lanes = following
            if self._groups.must_choose(stop, pc):
                self.push(pc, lanes)
                return

    def push(self, pc: int, lanes: Lanes) -> None:
        """Makes lanes runnable at `pc`."""
        self._groups.push(pc, lanes)

    def exit(self, lanes: Lanes) -> None:
        self.copies.exit(lanes)
        if self.protocol is not None:
            self.protocol.exit(lanes)
        leaving = self.per_cta(lanes)
        self.alive[lanes] = False
        self.alive_count -= count(lanes)
        self.alive_in_cta -= leaving
        ended = (leaving > 0) & (self.alive_in_cta == 0)
        if self.protocol is not None:
            self.protocol.ended(ended)
        self.copies.ended(ended)

    def alive_lanes(self) -> Lanes:
        """The lanes that have not exited."""
        return compact(np.flatnonzero(self.alive))

    # ---- asking

    def per_cta(self, lanes: Lanes) -> Array:
        """[ctas]: how many of the lanes are in each CTA."""
        return np.bincount(self.chunk.cta[lanes], minlength=self.chunk.ctas)

    def fault(self, lane: int, text: str, where: str) -> SimulationError:
        return self.memory.fault(lane, text, where)

    def _deadlock(self) -> SimulationError:
        stuck = [
            *((pc, lanes, "") for pc, lanes in self.barriers.parked()),
            *((pc, lanes, "") for pc, lanes in self.convergence.parked()),
            *self.cluster_barrier.parked(),
            *self.mbarriers.parked(),
        ]
        stuck.sort(key=lambda item: item[0])
        size = self.chunk.grid.cluster_size
        cluster = min(int(self.chunk.cta[indices(lanes)[0]]) for _, lanes, _ in stuck) // size
        ctas = range(cluster * size, (cluster + 1) * size)
        texts = [
            f"{self.chunk.cta_place(cta)}: " + ", ".join(self._state(cta, stuck))
            for cta in ctas
            if self.alive_in_cta[cta]
        ]
        return SimulationError(
            f"kernel '{self.program.kernel.name}': deadlock in " + "; in ".join(texts)
        )

    def _state(self, cta: int, stuck: list[tuple[int, Lanes, str]]) -> list[str]:
        """What the threads of a CTA wait for."""
        total = self.chunk.grid.threads_per_cta
        counts: dict[tuple[int, str], int] = {}
        for pc, lanes, reason in stuck:
            here = int(np.count_nonzero(self.chunk.cta[lanes] == cta))
            counts[pc, reason] = counts.get((pc, reason), 0) + here
        parts = [
            f"{count} of {total} threads wait at {self.program.where(pc)}{reason}"
            for (pc, reason), count in counts.items()
            if count
        ]
        ended = total - int(self.alive_in_cta[cta])
        return [*parts, f"{ended} have exited"] if ended else parts


def _registers(program: Program, lanes: int) -> dict[int, Array]:
    """An array for each register of the program; those of one width share a block of memory."""
    by_width: dict[int, list[int]] = {}
    for number, bits in enumerate(program.register_bits):
        by_width.setdefault(bits, []).append(number)
    registers: dict[int, Array] = {}
    for bits, numbers in by_width.items():
        dtype = np.dtype(np.bool_) if bits == 1 else unsigned(bits)
        registers |= zip(numbers, np.zeros((len(numbers), lanes), dtype), strict=True)
    return registers


def _bits(value: int, dtype: np.dtype[np.generic]) -> Array:
    if dtype == np.bool_:
        return np.array(bool(value))
    bits = 8 * dtype.itemsize
    return np.array(value & (1 << bits) - 1, unsigned(bits)).view(dtype)


class _Groups:
    """The runnable groups of all lanes, by program counter."""

    def __init__(self) -> None:
        self._ready: dict[int, Lanes] = {}
        self._spins = 0
        self._random = np.random.default_rng(0)

    def push(self, pc: int, lanes: Lanes) -> None:
        waiting = self._ready.get(pc)
        self._ready[pc] = lanes if waiting is None else merge(waiting, lanes)

    def pick(self) -> tuple[int, Lanes, int] | None:
        """A group to run (pc, lanes), and the next pc above it where another group waits."""
        if not self._ready:
            return None
        pc = min(self._ready)
        if self._spins > PATIENCE:
            self._spins = 0
            pc = int(self._random.choice(list(self._ready)))
        lanes = self._ready.pop(pc)
        return pc, lanes, min((other for other in self._ready if other > pc), default=1 << 60)

    def must_choose(self, pc: int, following: int) -> bool:
        """Whether others could run, now that the running group goes from `pc` to `following`."""
        if self._ready and following <= pc:
            self._spins += 1
        return bool(self._ready)


class _WarpGroups:
    """The runnable groups of each warp. The warp of the highest priority runs; priorities are
    random and redrawn now and then (as in Burckhardt et al., "A Randomized Scheduler with
    Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). One that goes back, and may wait for
    others so, falls behind all of them now and then."""

    def __init__(self, chunk: Chunk, random: np.random.Generator) -> None:
        self._warp = chunk.warp
        self._start = np.flatnonzero(chunk.lane_in_warp == 0)
        self._random = random
        self._priority = random.permutation(self._start.size).astype(np.float64)
        self._ready: dict[int, _Groups] = {}
        self._running = 0

    def push(self, pc: int, lanes: Lanes) -> None:
        index = indices(lanes)
        warps = self._warp[index]
        cuts = np.flatnonzero(np.diff(warps)) + 1
        for part in np.split(index, cuts):
            self._ready.setdefault(int(self._warp[part[0]]), _Groups()).push(pc, compact(part))

    def pick(self) -> tuple[int, Lanes, int] | None:
        while self._ready:
            warp = max(self._ready, key=lambda w: self._priority[w])
            group = self._ready[warp].pick()
            if group is not None:
                self._running = warp
                return group
            del self._ready[warp]
        return None

    def must_choose(self, pc: int, following: int) -> bool:
        draw = self._random.random()
        if following <= pc and draw < 0.05:
            self._priority[self._running] = self._priority.min() - 1
            return True
        if draw < 0.02:
            self._priority[self._running] = self._random.random() * self._priority.size
            return True
        return any(
            g.must_choose(pc, following) for w, g in self._ready.items() if w == self._running
        )
