"""`barrier.cluster`: one barrier for each cluster, at which threads arrive first and wait later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .clocks import joined
from .lanes import Lanes, compact, indices, merge, select
from .program import Next
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine


class ClusterBarrier:
    """Threads that have exited are not waited for."""

    def __init__(self, machine: Machine) -> None:
        self._m = machine
        chunk = machine.chunk
        self._cluster = chunk.cta // chunk.grid.cluster_size
        # [clusters]: how often the barrier has completed; [lanes]: how often they have arrived,
        # and where they did so with `.aligned`, else -1.
        self._completed = np.zeros(chunk.count, np.int64)
        self._arrived = np.zeros(chunk.lanes, np.int64)
        self._aligned_at = np.full(chunk.lanes, -1)
        self._waited = np.zeros(chunk.lanes, np.int64)
        self._waiting: dict[int, Lanes] = {}
        self._alive = chunk.lanes
        # What those who have arrived published, and what those before them did.
        self._arriving: dict[int, Array] = {}
        self._released: dict[int, Array] = {}

    def arrive(self, lanes: Lanes, pc: int, *, aligned: bool, relaxed: bool) -> None:
        m = self._m
        again = self._arrived[lanes] > self._waited[lanes]
        if again.any():
            lane = int(indices(lanes)[np.flatnonzero(again)[0]])
            text = "a second arrival at the cluster barrier without a wait in between"
            raise m.fault(lane, text, m.program.where(pc))
        self._arrived[lanes] += 1
        self._aligned_at[lanes] = pc if aligned else -1
        if m.races is not None:
            clusters = self._cluster[lanes]
            for part in np.split(indices(lanes), np.flatnonzero(np.diff(clusters)) + 1):
                cluster = int(self._cluster[part[0]])
                clock = m.races.clocks.publish(part, relaxed=relaxed)
                self._arriving[cluster] = joined(self._arriving.get(cluster), clock)
        self._complete(np.unique(self._cluster[lanes]))

    def wait(self, lanes: Lanes, pc: int) -> Next:
        """Lanes whose cluster has not arrived yet are parked."""
        m = self._m
        early = self._arrived[lanes] == self._waited[lanes]
        if early.any():
            lane = int(indices(lanes)[np.flatnonzero(early)[0]])
            text = "a wait at the cluster barrier without an arrival"
            raise m.fault(lane, text, m.program.where(pc))
        done = self._completed[self._cluster[lanes]] >= self._arrived[lanes]
        leaving, staying = select(lanes, done), select(lanes, ~done)
        if staying is not None:
            waiting = self._waiting.get(pc)
            self._waiting[pc] = staying if waiting is None else merge(waiting, staying)
        if leaving is None:
            return None
        self._leave(leaving)
        return pc + 1, leaving

    def _leave(self, lanes: Lanes) -> None:
        self._waited[lanes] += 1
        if self._m.races is None:
            return
        clusters = self._cluster[lanes]
        for part in np.split(indices(lanes), np.flatnonzero(np.diff(clusters)) + 1):
            self._m.races.clocks.acquire(part, self._released[int(self._cluster[part[0]])])

    def _complete(self, clusters: Array) -> bool:
        """Completes the barrier of those clusters where all have arrived; whether there are any."""
        size = self._m.chunk.grid.cluster_size * self._m.chunk.grid.threads_per_cta
        completed = False
        for cluster in clusters.tolist():
            lanes = np.arange(cluster * size, (cluster + 1) * size)
            lanes = lanes[self._m.alive[lanes]]
            if not lanes.size or (self._arrived[lanes] <= self._completed[cluster]).any():
                continue
            self._check_aligned(lanes)
            self._completed[cluster] += 1
            if cluster in self._arriving:
                self._released[cluster] = self._arriving.pop(cluster)
            completed = True
        if completed:
            waiting, self._waiting = self._waiting, {}
            for pc, lanes in waiting.items():
                following = self.wait(lanes, pc)
                if following is not None:
                    self._m.push(*following)
        return completed

    def _check_aligned(self, lanes: Array) -> None:
        m = self._m
        at, warp = self._aligned_at[lanes], m.chunk.warp[lanes]
        elsewhere = (np.diff(warp) == 0) & (np.diff(at) != 0)
        if elsewhere.any():
            k = int(np.flatnonzero(elsewhere)[0])
            pc, other = (int(at[k]), int(at[k + 1]))[:: 1 if at[k] >= 0 else -1]
            text = "the threads of one warp arrive at the cluster barrier in different places"
            text += f" (the other: {m.program.where(other)})" if other >= 0 else ""
            raise m.fault(int(lanes[k]), text, m.program.where(pc))

    def retry(self) -> bool:
        """Looks again at who is complete, if threads have exited; whether any were released."""
        if self._alive == self._m.alive_count or not self._arrived.any():
            return False
        self._alive = self._m.alive_count
        return self._complete(np.unique(self._cluster[self._m.alive]))

    def parked(self) -> Iterator[tuple[int, Lanes, str]]:
        m = self._m
        for pc, lanes in self._waiting.items():
            for cluster in np.unique(self._cluster[lanes]).tolist():
                part = indices(lanes)[self._cluster[lanes] == cluster]
                late = m.alive & (self._cluster == cluster)
                late &= self._arrived <= self._completed[cluster]
                missing = np.bincount(m.chunk.cta[late], minlength=m.chunk.ctas)
                names = [
                    f"{missing[cta]} threads of {m.chunk.cta_place(int(cta))}"
                    for cta in np.flatnonzero(missing)
                ]
                yield pc, compact(part), f" where {' and '.join(names)} have not arrived"
