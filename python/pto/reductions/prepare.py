"""From a problem to the launches that solve it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pto.runtime import Argument, Kernel

from . import cache, serial
from .chip import Chip
from .launch import Operand, Reduction, Role, Step
from .problem import Dimension, Problem, row_major
from .types import Operation, Types, ir_name


def reduction(
    operation: Operation,
    types: Types,
    problem: Problem,
    address: int,
    deterministic: bool,
    chip: Chip,
) -> Reduction:
    """The launches of one reduction of an array at `address`."""
    if operation == "mean":
        return _mean(types, problem, address, deterministic, chip)
    return _combine(types, problem, address, deterministic, chip)


def _combine(
    types: Types, problem: Problem, address: int, deterministic: bool, chip: Chip
) -> Reduction:
    text = serial.reduction(types, len(problem.kept), len(problem.reduced), chip.target)
    x, y = _operands(types, problem)
    kernel = _with_views(cache.kernel(text, chip.target), x, y)
    return Reduction((Step(kernel, (x, y), (), _grid(problem)),))


def _mean(
    types: Types, problem: Problem, address: int, deterministic: bool, chip: Chip
) -> Reduction:
    """A sum, then a division; the sums lie in the result if they have its type."""
    sums = replace(types, result=types.accumulate)
    first = _combine(sums, problem, address, deterministic, chip)
    _, y = _operands(types, problem)
    begin = -(-first.workspace // 16) * 16
    if types.accumulate == types.result:
        source, size = y, 0
    else:
        strides = row_major(y.shape)
        source = Operand("workspace", begin, ir_name(types.accumulate), y.shape, strides)
        size = problem.outputs * types.accumulate.itemsize
    text = serial.quotient(types.accumulate, types.result, len(y.shape), chip.target)
    kernel = _with_views(cache.kernel(text, chip.target), source, y, Argument("n", "scalar", "i64"))
    divide = Step(kernel, (source, y), (problem.length,), _grid(problem))
    steps = [
        replace(step, operands=tuple(source if o.role == "y" else o for o in step.operands))
        for step in first.steps
    ]
    return replace(first, steps=(*steps, divide), workspace=begin + size if size else begin)


def _operands(types: Types, problem: Problem) -> tuple[Operand, Operand]:
    """Source and result as views whose dimensions are the loops."""
    loops = (*problem.kept, *problem.reduced)
    x = _operand("x", problem.x_offset, types.source, loops, [d.source for d in loops])
    y = _operand(
        "y", problem.y_offset, types.result, problem.kept, [d.result for d in problem.kept]
    )
    return x, y


def _operand(
    role: Role, offset: int, dtype: np.dtype, loops: Sequence[Dimension], strides: Sequence[int]
) -> Operand:
    shape = tuple(dim.size for dim in loops)
    return Operand(role, offset * dtype.itemsize, ir_name(dtype), shape, tuple(strides))


def _with_views(kernel: Kernel, x: Operand, y: Operand, *scalars: Argument) -> Kernel:
    """The kernel with its parameters as what they are together: two views, then scalars."""
    views = (
        Argument(name, "view", operand.dtype, (None,) * len(operand.shape))
        for name, operand in (("x", x), ("y", y))
    )
    return replace(kernel, arguments=(*views, *scalars))


def _grid(problem: Problem) -> int:
    return max(1, min(-(-problem.outputs // serial.BLOCK), 4096))
