"""From a problem to the launches that solve it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pto.runtime import Argument, Kernel

from . import cache, plan, program
from .chip import Chip
from .launch import Operand, Reduction, Role, Step
from .plan import Plan, Work
from .problem import Dimension, Problem, row_major
from .quotient import BLOCK, quotient
from .types import Operation, Types, ir_name

HEADER = 4 * plan.MOST_SHARED
"""Bytes of tickets at the beginning of a workspace: `last_block` finds and leaves them zero."""

Choose = Callable[[Types, Work], Plan]

_ADDED = ("f32", "f64", "i32", "i64", "ui32", "ui64")
"""What memory adds: `red.add` on all targets."""


def reduction(
    operation: Operation,
    types: Types,
    problem: Problem,
    address: int,
    deterministic: bool,
    chip: Chip,
    choose: Choose,
) -> Reduction:
    """The launches of one reduction of an array at `address`, under the plan that is chosen."""
    if operation == "mean":
        return _mean(types, problem, address, deterministic, chip, choose)
    work = _work(types, problem, address, deterministic)
    return launches(types, work, choose(types, work), chip)


def _work(types: Types, problem: Problem, address: int, deterministic: bool) -> Work:
    free = not deterministic or types.accumulate.kind in "iu"
    exact = types.accumulate == types.result
    return Work(
        problem,
        types.source.itemsize,
        problem.aligned(address, types.source.itemsize),
        adds=types.combine == "sum"
        and exact
        and free
        and ir_name(types.result) in _ADDED
        and problem.is_dense,
        ordered=types.combine in ("argmax", "argmin"),
        narrow=types.accumulate.itemsize <= 4 and types.combine not in ("argmax", "argmin"),
        free=free,
    )


def launches(types: Types, work: Work, found: Plan, chip: Chip) -> Reduction:
    """One reduction under a plan."""
    problem = work.problem
    kernel = cache.kernel(program.reduction(types, problem, found, chip.target), chip.target)
    operands = [_source(types, problem), _result(types, problem)]
    workspace = words = 0
    if found.combine == "last_block":
        operands.append(Operand("workspace", 0, "i8"))
        workspace = _workspace(types, found, work)
    elif found.combine == "flagged":
        operands.append(Operand("words", 0, "i8"))
        words = 8 * work.partials(found.threads, found.split)
    zero = problem.outputs * types.result.itemsize if found.combine == "atomic" else 0
    step = Step(kernel, tuple(operands), (), found.grid)
    return Reduction((step,), zero, workspace, words)


def _workspace(types: Types, found: Plan, work: Work) -> int:
    """Bytes for tickets and partial results: those of a strip for each cluster of the grid, and the
    positions of `argmax` and `argmin` after them."""
    results = found.threads[1] * (1 if work.by_rows else found.vector)
    held = found.grid // found.cluster * results
    partial = -(-held * types.accumulate.itemsize // 8) * 8
    return HEADER + partial + 8 * held * work.ordered


def _mean(
    types: Types,
    problem: Problem,
    address: int,
    deterministic: bool,
    chip: Chip,
    choose: Choose,
) -> Reduction:
    """A sum, then a division; the sums lie in the result if they have its type."""
    sums = replace(types, result=types.accumulate)
    work = _work(sums, problem, address, deterministic)
    y = _result(types, problem)
    if types.accumulate == types.result:
        source, size = y, 0
    else:
        # The result of an atomic sum is set to zero as the result of the call.
        work = replace(work, adds=False)
        source = Operand("workspace", 0, ir_name(sums.result), y.shape, row_major(y.shape))
        size = problem.outputs * sums.result.itemsize
    first = launches(sums, work, choose(sums, work), chip)
    begin = max(-(-first.workspace // 16) * 16, HEADER)
    source = replace(source, offset=begin) if size else source
    text = quotient(sums.result, types.result, len(y.shape), chip.target)
    kernel = _with_views(cache.kernel(text, chip.target), source, y)
    grid = max(1, min(-(-problem.outputs // BLOCK), 16 * chip.multiprocessors))
    divide = Step(kernel, (source, y), (problem.length,), grid)
    steps = [
        replace(step, operands=tuple(source if o.role == "y" else o for o in step.operands))
        for step in first.steps
    ]
    workspace = begin + size if size else first.workspace
    return replace(first, steps=(*steps, divide), workspace=workspace)


def _source(types: Types, problem: Problem) -> Operand:
    loops = (*problem.kept, *problem.reduced)
    return _operand("x", problem.x_offset, types.source, loops, [dim.source for dim in loops])


def _result(types: Types, problem: Problem) -> Operand:
    loops = problem.kept or (Dimension(1, 0, 1),) * len(problem.reduced)
    return _operand("y", problem.y_offset, types.result, loops, [dim.result for dim in loops])


def _operand(
    role: Role, offset: int, dtype: np.dtype, loops: Sequence[Dimension], strides: Sequence[int]
) -> Operand:
    shape = tuple(dim.size for dim in loops)
    return Operand(role, offset * dtype.itemsize, ir_name(dtype), shape, tuple(strides))


def _with_views(kernel: Kernel, x: Operand, y: Operand) -> Kernel:
    """The quotient's parameters as what they are together: two views and the divisor."""
    views = (
        Argument(name, "view", operand.dtype, (None,) * len(operand.shape))
        for name, operand in (("x", x), ("y", y))
    )
    return replace(kernel, arguments=(*views, Argument("n", "scalar", "i64")))
