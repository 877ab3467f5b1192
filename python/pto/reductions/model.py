"""How long a plan takes, by a small model; the constants are fitted to measurements on an H200."""

from __future__ import annotations

import math
from dataclasses import replace

from .chip import Chip
from .plan import HUGE, WARP, Plan, Work, candidates

_LATENCY = 0.82
"""Microseconds from a read to its data in a register, on a busy chip."""
_START = 0.62
"""Microseconds until a multiprocessor has started its CTAs, for each that it runs at once."""
_LATER = 0.008
"""The same for those that follow, which start while others read."""
_JOIN = 0.63
"""Microseconds in which 1024 threads of a CTA combine what they have."""
_WARPS = 0.43
"""More of them where a row belongs to several warps."""
_LEVEL = 0.067
"""More of them by columns, for every doubling of the threads that share a result."""
_CODE = 0.068
"""Microseconds to fetch the instructions of one vector more."""
_MEET = {"direct": 0.0, "dsmem": 1.3, "flagged": 2.2, "last_block": 1.97, "atomic": 1.33}
"""Microseconds until partial results are combined; an atomic's include setting results to zero."""
_TURN = 0.0007
"""Microseconds between two CTAs that add to one place, or take a ticket there."""
_POLLED = 8
"""Flags for which a thread waits at once."""
_UNEVEN, _ROUNDS = 0.012, 4
"""By how much longer a huge array takes because the multiprocessors are not equally fast. CTAs that
start as others end even it out, if each multiprocessor has more than so many, one after another."""
_FLOWING = 0.93
"""The share of the time for all bytes if CTAs read once, leave flags and end: others follow at
once, in the order of memory, and all multiprocessors are busy to the end."""
_ONE = 2.0
"""How many times its share of the bandwidth one multiprocessor can have."""
_LAST = 0.48
"""The share of the last round's time that CTAs which do not fill the chip cost."""
_REGISTERS = 38
"""What a thread needs besides four for each vector in flight."""
_OVERFETCH = 0.73
"""Bytes at the ends of a contiguous run that are fetched for nobody."""
_CLUSTER = 0.018
"""How much longer everything takes for each further CTA in a cluster, which must start together."""


def best(work: Work, chip: Chip, *, fixed: bool) -> Plan:
    """The fastest plan by the model."""
    return ranked(work, chip, fixed=fixed)[0]


def ranked(work: Work, chip: Chip, *, fixed: bool) -> list[Plan]:
    """All plans, the fastest by the model first."""
    found = candidates(work, chip, fixed=fixed)
    ordered = sorted(found, key=lambda plan: time(plan, work, chip))
    return [replace(plan, fixed=fixed) for plan in ordered]


def time(plan: Plan, work: Work, chip: Chip) -> float:
    """Microseconds that a plan takes, but for what all take: the longer of what memory needs for
    all bytes and what CTAs, one after the other, need for their steps; and the meeting.

    Memory comes near its bandwidth where more bytes are in flight than bandwidth times latency
    (Little's law) and most multiprocessors take part. CTAs of a last round that does not fill the
    chip cost part of a full one. What a strip reads beyond the results, or its threads do without
    any, counts like the rest. The constants are fitted to times of 1,800 plans for 40 arrays on an
    H200.
    """
    parts = work.strips(plan.threads) * plan.split
    ctas = min(plan.grid, parts)
    resident = min(ctas, chip.multiprocessors * _resident(plan, chip))
    rounds = -(-parts // resident)
    steps = -(-work.steps(plan.threads) // plan.split)
    in_flight = resident * plan.block * min(plan.unroll, steps) * plan.vector * work.itemsize
    filled = in_flight / (chip.bandwidth * _LATENCY)
    share = min(filled / (1 + filled**4) ** 0.25, _ONE * ctas / chip.multiprocessors)
    idle = _LAST * (rounds * resident / parts - 1)
    is_even = work.bytes > HUGE * chip.cache_bytes and rounds > _ROUNDS
    uneven = _UNEVEN * _ROUNDS / rounds if is_even else _UNEVEN
    memory = work.bytes / (chip.bandwidth * share * _use(plan, work))
    memory *= _FLOWING if plan.combine == "flagged" else 1 + idle + uneven
    alone = rounds * _LATENCY * -(-steps // plan.unroll)
    start = (_START * resident + _LATER * (ctas - resident)) / chip.multiprocessors
    total = max(memory, alone) + start + _joining(plan, work) + _meeting(plan, work, resident)
    return total * (1 + _CLUSTER * (plan.cluster - 1))


def _joining(plan: Plan, work: Work) -> float:
    joining = _JOIN * plan.block / 1024 + _CODE * plan.unroll
    if work.by_rows:
        return joining + _WARPS * (plan.threads[0] > WARP)
    return joining + _LEVEL * math.log2(plan.threads[0])


def _meeting(plan: Plan, work: Work, resident: int) -> float:
    turns = 0.0
    if plan.combine in ("last_block", "atomic"):
        turns = _TURN * min(plan.split, resident)
    if plan.combine == "last_block":
        turns += _LATENCY * -(-plan.split // (4 * plan.threads[0]))
    elif plan.combine == "flagged":
        polled = _POLLED * plan.block * plan.waiting
        turns = _LATENCY * (-(-work.partials(plan.threads, plan.split) // polled) - 1)
    return _MEET[plan.combine] + turns


def _use(plan: Plan, work: Work) -> float:
    """The share of threads, and of fetched bytes, that is of use."""
    if work.by_rows:
        return work.problem.outputs / (work.strips(plan.threads) * plan.threads[1])
    width = plan.threads[1] * plan.vector
    last = work.problem.kept[-1].size
    fetched = width * work.itemsize
    return last / (-(-last // width) * width) * fetched / (fetched + _OVERFETCH)


def _resident(plan: Plan, chip: Chip) -> int:
    """How many CTAs a multiprocessor can run at once."""
    words = _REGISTERS + 4 * plan.unroll
    registers = min(64, -(-words // 8) * 8)
    if plan.combine == "flagged" and plan.unroll == 2:
        registers = 32
    return max(1, min(chip.threads // plan.block, 65536 // (registers * plan.block), 32))
