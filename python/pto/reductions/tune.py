"""Choosing a plan: by the model of time or, under `PTO_AUTOTUNE=1`, by measuring on the device.

What is measured is the array of the call: the plans that the model takes for the fastest run
several times each, in turns, with the L2 cache flushed before, timed with CUDA events; the smallest
median wins. The winner is kept on disk (`pto.reductions.cache`) for the problem and the device.
`PTO_PRINT_AUTOTUNING=1` prints the times. On the simulator, and while a stream is being captured,
the model decides.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Any

from pto.runtime.array import cupy

from . import cache, launch, model, prepare, shapes, workspace
from .chip import Chip
from .libraries import Library
from .plan import Plan, Work
from .problem import Dimension, row_major
from .types import Types, ir_name

PLANS, OF_EACH = 24, 4
"""How many plans are measured: the best by the model, and the best of every way to combine."""
ROUNDS = 15
_FLUSHED = 256 << 20
"""Bytes that are written to flush the L2 cache, larger than any."""

_winners: dict[str, Plan] = {}


def choose(
    types: Types, work: Work, chip: Chip, library: Library, device: int | None, x: int
) -> Plan:
    """The plan for a reduction of the array at address `x`. On a device it is `fixed` for the first
    shapes of a kind (`pto.reductions.shapes`)."""
    if device is None:
        return model.best(work, chip, fixed=False)
    fixed = shapes.has_own_kernel(types, work)
    if os.environ.get("PTO_AUTOTUNE") != "1" or workspace.capturing(library.stream(device).ptr):
        return model.best(work, chip, fixed=fixed)
    key = _key(types, work, chip, device, fixed)
    if key not in _winners:
        _winners[key] = _kept(key) or _measured(key, types, work, chip, fixed, library, device, x)
    return _winners[key]


def _key(types: Types, work: Work, chip: Chip, device: int, fixed: bool) -> str:
    name = str(cupy().cuda.runtime.getDeviceProperties(device)["name"])
    return cache.digest(name, repr(astuple(chip)), repr(types), repr(work), repr(fixed))


def _kept(key: str) -> Plan | None:
    text = cache.read(cache.TUNING, key)
    if text is None:
        return None
    try:
        return Plan.from_json(text)
    except ValueError:
        return None


def _measured(
    key: str,
    types: Types,
    work: Work,
    chip: Chip,
    fixed: bool,
    library: Library,
    device: int,
    x: int,
) -> Plan:
    plans = _shortlist(model.ranked(work, chip, fixed=fixed))
    medians = _times(types, work, chip, library, device, x, plans)
    order = sorted(range(len(plans)), key=lambda number: medians[number])
    if os.environ.get("PTO_PRINT_AUTOTUNING") == "1":
        _print(types, work, chip, plans, medians, order)
    winner = plans[order[0]]
    cache.write(cache.TUNING, key, winner.to_json())
    return winner


def _shortlist(plans: Sequence[Plan]) -> list[Plan]:
    seen: Counter[str] = Counter()
    found: list[Plan] = []
    for number, each in enumerate(plans):
        if number < PLANS or seen[each.combine] < OF_EACH:
            found.append(each)
            seen[each.combine] += 1
    return found


def _times(
    types: Types,
    work: Work,
    chip: Chip,
    library: Library,
    device: int,
    x: int,
    plans: Sequence[Plan],
) -> list[float]:
    """Median microseconds of every plan, into a result of our own."""
    module: Any = cupy()
    work = _into_row_major(work)
    y = library.empty((work.problem.outputs,), types.result, device)
    runs = [
        launch.OnDevice(prepare.launches(types, work, each, chip), library, device)
        for each in plans
    ]
    stream, memset = library.stream(device), module.cuda.runtime.memsetAsync
    flush = module.ndarray((_FLUSHED,), "uint8")
    times: list[list[float]] = [[] for _ in plans]
    for number in range(ROUNDS + 1):
        for run, found in zip(runs, times, strict=True):
            begin, end = module.cuda.Event(), module.cuda.Event()
            memset(flush.data.ptr, 0, _FLUSHED, stream.ptr)
            begin.record(stream)
            run(x, library.address(y))
            end.record(stream)
            end.synchronize()
            if number:  # the first round loads kernels
                found.append(1e3 * module.cuda.get_elapsed_time(begin, end))
    return [statistics.median(found) for found in times]


def _into_row_major(work: Work) -> Work:
    problem = work.problem
    strides = row_major([dim.size for dim in problem.kept])
    kept = tuple(
        Dimension(dim.size, dim.source, stride)
        for dim, stride in zip(problem.kept, strides, strict=True)
    )
    return replace(work, problem=replace(problem, kept=kept, y_offset=0))


def _print(
    types: Types,
    work: Work,
    chip: Chip,
    plans: Sequence[Plan],
    medians: Sequence[float],
    order: Sequence[int],
) -> None:
    sizes = "x".join(str(dim.size) for dim in (*work.problem.kept, *work.problem.reduced))
    what = f"{types.combine} {sizes}x{ir_name(types.source)} ({work.problem.case})"
    for number in order:
        estimate = model.time(plans[number], work, chip)
        times = f"{medians[number]:.1f} us (model {estimate:.1f})"
        print(f"pto: {what}: {times} {plans[number]}", file=sys.stderr)
