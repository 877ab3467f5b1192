"""How a reduction is cut: threads, vectors, CTAs, clusters, and how partial results meet.

A CTA has `threads[0]` threads along the reduced elements by `threads[1]` along the results. It
works on a strip of results: `threads[1]` of them where neighbours in memory are reduced
(`by_rows`), and `threads[1] * vector` neighbours otherwise. `split` CTAs share the elements of a
strip; their partial results meet

    direct      nowhere: `split` is 1
    dsmem       in the shared memory of a cluster that covers the split
    last_block  in a workspace; the last CTA of a strip combines them in a fixed order
    atomic      in the result, which is zero before: sums of types that memory adds, whose order is
                then open

The plan is the candidate that a small model of time takes for the fastest (`time`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from .chip import Chip
from .problem import VECTOR, Problem

Combine = Literal["direct", "dsmem", "last_block", "atomic"]

WARP = 32
MOST_SHARED = 4096
"""Strips that CTAs share at most: more of them fill every chip."""


@dataclass(frozen=True)
class Plan:
    """See above. `unroll` vectors are read by a thread before it combines them."""

    combine: Combine
    threads: tuple[int, int]
    vector: int
    unroll: int
    cluster: int
    split: int
    grid: int
    """CTAs: `split` for each strip, or fewer, which then take several strips in turn."""
    streaming: bool = False
    """Vectors are read past the L1 cache."""

    @property
    def block(self) -> int:
        return self.threads[0] * self.threads[1]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan that `to_json` wrote; `ValueError` for any other text."""
        try:
            fields = json.loads(text)
            fields["threads"] = tuple(fields["threads"])
            return Plan(**fields)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a plan in JSON: {error}") from None


@dataclass(frozen=True)
class Work:
    """What is to be planned."""

    problem: Problem
    itemsize: int
    aligned: bool
    """Vectors can be read along the contiguous dimension."""
    adds: bool
    """It is a sum whose results memory adds, and the order of additions is open."""
    ordered: bool = False
    """Positions are reduced too, which takes twice the registers."""

    @property
    def by_rows(self) -> bool:
        return self.problem.case != "outer"

    @property
    def vector(self) -> int:
        """Elements that a thread reads at once."""
        return VECTOR // self.itemsize if self.aligned and self.problem.case != "general" else 1

    def strips(self, threads: tuple[int, int]) -> int:
        """Into how many strips the results are cut."""
        if self.by_rows:
            return -(-self.problem.outputs // threads[1])
        *outer, last = self.problem.kept
        return math.prod(dim.size for dim in outer) * -(-last.size // (threads[1] * self.vector))


def best(work: Work, chip: Chip) -> Plan:
    """The fastest plan by the model."""
    return min(candidates(work, chip), key=lambda plan: time(plan, work, chip))


def ranked(work: Work, chip: Chip) -> list[Plan]:
    """All plans, the fastest by the model first."""
    return sorted(candidates(work, chip), key=lambda plan: time(plan, work, chip))


def candidates(work: Work, chip: Chip) -> Iterator[Plan]:
    """All plans that make sense."""
    for threads in _threads(work, chip):
        yield _plan("direct", threads, work, 1, chip)
        strips, steps = work.strips(threads), _steps(work, threads)
        if steps < 2 or strips > MOST_SHARED:
            continue
        for cluster in (2, 4, 8) if chip.has_clusters else ():
            if cluster <= steps:
                yield _plan("dsmem", threads, work, cluster, chip)
        ctas = (chip.multiprocessors, 2 * chip.multiprocessors, _resident(threads, chip))
        for split in sorted({min(steps, max(2, count // strips)) for count in ctas}):
            yield _plan("last_block", threads, work, split, chip)
            if work.adds:
                yield _plan("atomic", threads, work, split, chip)


def _plan(combine: Combine, threads: tuple[int, int], work: Work, split: int, chip: Chip) -> Plan:
    steps = -(-_steps(work, threads) // split)
    unroll = min(4 if work.ordered else 8, _power_above(steps))
    # CTAs take several strips in turn where there are many: to start one takes time too.
    most = max(16 * _resident(threads, chip) // split, 1) * split
    grid = min(work.strips(threads) * split, most)
    cluster = split if combine == "dsmem" else 1
    streaming = _streams(work, chip)
    return Plan(combine, threads, work.vector, unroll, cluster, split, grid, streaming)


def _streams(work: Work, chip: Chip) -> bool:
    """Whether reads past the L1 cache are faster: measured on an H200 for arrays from about half to
    six times the size of the L2 cache. Larger ones take 5 % longer so, smaller ones as long."""
    size = work.problem.outputs * work.problem.length * work.itemsize
    return work.vector * work.itemsize == VECTOR and (
        chip.cache_bytes // 2 <= size <= 6 * chip.cache_bytes
    )


def _resident(threads: tuple[int, int], chip: Chip) -> int:
    """How many CTAs run at once: threads have up to 64 of a multiprocessor's 64 Ki registers."""
    return chip.multiprocessors * max(1, min(chip.threads, 1024) // (threads[0] * threads[1]))


def _threads(work: Work, chip: Chip) -> Iterator[tuple[int, int]]:
    """Threads along the reduced elements, and along the results."""
    for block in (128, 256, 512, 1024):
        if block * 2 > chip.threads and block > 128:
            break
        if work.by_rows:
            # No more threads along a row than it has vectors, nor than it takes a few steps.
            inner = -(-work.problem.length // work.vector)
            along = min(block, _power_above(inner))
            for reduced in {along, max(1, along // 4), min(along, WARP)}:
                yield reduced, block // reduced
        else:
            columns = -(-work.problem.kept[-1].size // work.vector)
            for kept in (8, 16, 32, 64):
                if kept == 8 or kept < 2 * columns:
                    yield block // kept, kept


def _power_above(number: int) -> int:
    return 1 << max(0, number - 1).bit_length()


def _steps(work: Work, threads: tuple[int, int]) -> int:
    """Reads of one thread if no other CTA shares its strip."""
    along = work.vector if work.by_rows else 1
    return -(-work.problem.length // (threads[0] * along))


# The model ----------------------------------------------------------------------------------------

_LATENCY = 1.3
"""Microseconds from a read to its data in a register, on a busy chip."""
_START = 0.05
"""Microseconds that a multiprocessor takes to start a CTA."""
_JOIN = 1.9
"""Microseconds in which 1024 threads of a CTA combine what they have."""
_MEET = {"direct": 0.0, "dsmem": 2.6, "last_block": 1.75, "atomic": 1.0}
"""Microseconds until partial results are combined; an atomic's include setting results to zero."""
_TURN = 0.003
"""Microseconds between two CTAs that add to one place, or take a ticket there."""
_ONE = 1.9
"""How many times its share of the bandwidth one multiprocessor can have."""
_OVERFETCH = 22
"""Bytes at the ends of a contiguous run that are fetched for nobody."""
_CLUSTER = 0.017
"""How much longer everything takes for each further CTA in a cluster, which must start together."""


def time(plan: Plan, work: Work, chip: Chip) -> float:
    """Microseconds that a plan takes, but for what all take: the longer of what memory needs for
    all bytes and what CTAs, one after the other, need for their steps; and the meeting.

    Memory comes near its bandwidth where more bytes are in flight than bandwidth times latency
    (Little's law) and most multiprocessors take part. CTAs of a last round that does not fill the
    chip take as long as a full one. What a strip reads beyond the results, or its threads do
    without any, counts like the rest.
    """
    parts = work.strips(plan.threads) * plan.split
    ctas = min(plan.grid, parts)
    resident = min(ctas, _resident(plan.threads, chip))
    rounds = -(-parts // resident)
    steps = -(-_steps(work, plan.threads) // plan.split)
    in_flight = resident * plan.block * min(plan.unroll, steps) * plan.vector * work.itemsize
    filled = in_flight / (chip.bandwidth * _LATENCY)
    share = min(filled / (1 + filled**4) ** 0.25, _ONE * ctas / chip.multiprocessors)
    size = work.problem.outputs * work.problem.length * work.itemsize
    memory = size / (chip.bandwidth * share * _use(plan, work)) * (rounds * resident / parts)
    alone = rounds * _LATENCY * -(-steps // plan.unroll)
    start = _START * -(-ctas // chip.multiprocessors) + _JOIN * plan.block / 1024
    total = max(memory, alone) + start + _meeting(plan)
    return total * (1 + _CLUSTER * (plan.cluster - 1))


def _meeting(plan: Plan) -> float:
    turns = 0.0 if plan.combine in ("direct", "dsmem") else _TURN * plan.split
    if plan.combine == "last_block":
        turns += _LATENCY * -(-plan.split // (4 * plan.threads[0]))
    return _MEET[plan.combine] + turns


def _use(plan: Plan, work: Work) -> float:
    """The share of threads, and of fetched bytes, that is of use."""
    if work.by_rows:
        return work.problem.outputs / (work.strips(plan.threads) * plan.threads[1])
    width = plan.threads[1] * plan.vector
    last = work.problem.kept[-1].size
    fetched = width * work.itemsize
    return last / (-(-last // width) * width) * fetched / (fetched + _OVERFETCH)
