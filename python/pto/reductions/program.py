"""The programs of reductions: one `tirx` primitive that a whole grid executes.

Sizes and strides are parameters, so that one kernel serves all arrays of its class: the operation,
the element types, the number of dimensions, where the contiguous elements lie, and the plan. Under
a `fixed` plan they are constants.
"""

from __future__ import annotations

import numpy as np

from .plan import Plan
from .problem import Problem
from .types import Types, ir_name

WORKSPACE = "!tirx.buffer<i8, global>"


def reduction(types: Types, problem: Problem, plan: Plan, chip: str) -> str:
    """The program of one reduction. Its arguments are the source, kept dimensions before reduced
    ones, the result, and under `last_block` and `flagged` a workspace."""
    kept, reduced = len(problem.kept), len(problem.reduced)
    source = _source(types, problem, plan.fixed)
    result = _result(types, problem, plan.fixed)
    axes = ", ".join(str(dim) for dim in range(kept, kept + reduced))
    shared = plan.combine in ("last_block", "flagged")
    workspace = " workspace(%w)" if shared else ""
    arguments = f"%x: {source}, %y: {result}" + (f", %w: {WORKSPACE}" if shared else "")
    name = "_".join((types.combine, ir_name(types.source), ir_name(types.result), problem.case))
    known = {"block": plan.block}
    if plan.cluster > 1:
        known["cluster"] = plan.cluster
    if plan.fixed:
        known["grid"] = plan.grid
    sizes = ", ".join(f"known_{what}_size = array<i32: {n}, 1, 1>" for what, n in known.items())
    return f"""\
module attributes {{pto.target = "{chip}"}} {{
  gpu.module @reductions {{
    gpu.func @{name}({arguments})
        kernel attributes {{{sizes}}} {{
      tirx.{types.combine} grid %x -> %y axes [{axes}]{workspace}
        {{{_attributes(types, plan)}}}
        : {source} -> {result}
      gpu.return
    }}
  }}
}}
"""


def _attributes(types: Types, plan: Plan) -> str:
    along, across = plan.threads
    found = [
        f"threads = array<i64: {along}, {across}>",
        f"vector = {plan.vector}",
        f"unroll = {plan.unroll}",
        f'dispatch = "{plan.combine}"',
    ]
    if plan.vector > 1:
        found.append("aligned")
    if plan.streaming:
        found.append("streaming")
    if plan.combine in ("direct", "dsmem", "flagged"):
        found.append(f"split = {plan.split}")
    if plan.waiting:
        found.append(f"waiting = {plan.waiting}")
    if plan.combine == "atomic":
        found.append("accum")
    if types.combine in ("max", "min") and _is_float(types.source):
        found.append("propagate_nan")
    if types.accumulate.itemsize > types.source.itemsize or _is_float(types.accumulate) > _is_float(
        types.source
    ):
        found.append(f"accumulate = {_signless(types.accumulate)}")
    return ", ".join(found)


def _source(types: Types, problem: Problem, fixed: bool) -> str:
    """The source as a buffer. Where sizes are parameters, one stride can still be known: that of
    contiguous elements."""
    loops, kept = (*problem.kept, *problem.reduced), len(problem.kept)
    sizes, strides = _parameters(len(loops))
    if fixed:
        sizes, strides = [str(dim.size) for dim in loops], [str(dim.source) for dim in loops]
    elif problem.case != "general":
        strides[kept - 1 if problem.case == "outer" else -1] = "1"
    return _buffer(sizes, types.source, strides)


def _result(types: Types, problem: Problem, fixed: bool) -> str:
    """The result has the kept dimensions, or one element."""
    kept = problem.kept
    sizes, strides = _parameters(len(kept or problem.reduced))
    if not kept:
        sizes = ["1"] * len(sizes)
    elif fixed:
        sizes, strides = [str(dim.size) for dim in kept], [str(dim.result) for dim in kept]
    return _buffer(sizes, types.result, strides)


def _parameters(rank: int) -> tuple[list[str], list[str]]:
    """Sizes and strides that the launch decides."""
    return ["?"] * rank, ["?"] * rank


def _buffer(sizes: list[str], dtype: np.dtype, strides: list[str]) -> str:
    shape = "x".join((*sizes, ir_name(dtype)))
    return f"!tirx.buffer<{shape}, global, strides = [{', '.join(strides)}]>"


def _is_float(dtype: np.dtype) -> bool:
    return dtype.kind not in "biu"


def _signless(dtype: np.dtype) -> str:
    return ir_name(dtype).removeprefix("u")
