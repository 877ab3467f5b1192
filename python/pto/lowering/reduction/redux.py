"""`redux`: one instruction reduces a value over all lanes of a warp.

`redux.sync` has sums, largest and smallest values of 32-bit integers on sm_80 and newer, and
largest and smallest values of f32 on sm_100a.

Before
    tirx.sum warp %src -> %dst axes [0] : !tirx.buffer<32xi32, local, shards = [32 : 1@laneid]>
      -> !tirx.buffer<1xi32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>

After
    %s = nvvm.redux.sync add %x, %full : i32
"""

from typing import Any

from mlir import ir

from pto.lowering import combine, intrinsics
from pto.lowering.dispatch import variant
from pto.lowering.reduction import levels
from pto.lowering.reduction.shuffle import bits, lower_slots
from pto.target import Target

_FLOAT = {"tirx.max": "fmax", "tirx.min": "fmin"}
_SIGNED = {"tirx.sum": "add", "tirx.max": "max", "tirx.min": "min"}
_UNSIGNED = {"tirx.sum": "add", "tirx.max": "umax", "tirx.min": "umin"}


def operation(op: Any) -> str | None:
    """What `redux.sync` calls the reduction, None for one that it does not have."""
    kind = op.src.type.element_type
    if isinstance(kind, ir.F32Type):
        return None if combine.has(op, "ftz") else _FLOAT.get(op.operation.name)
    if isinstance(kind, ir.IntegerType) and kind.width == 32:
        return (_UNSIGNED if kind.is_unsigned else _SIGNED).get(op.operation.name)
    return None


def has_instruction(op: Any, chip: Target) -> str | None:
    """The target has the instruction for this operation and type."""
    kind = op.src.type.element_type
    if operation(op) is None:
        flushing = " with ftz" if combine.has(op, "ftz") else ""
        return f"has_instruction: redux.sync has no {op.operation.name} of {kind}{flushing}"
    if isinstance(kind, ir.F32Type) and chip.chip != "sm_100a":
        return f"has_instruction: redux.sync of f32 needs sm_100a, not {chip.chip}"
    return None


def all_lanes(op: Any, _: Target) -> str | None:
    """The reduction is over all 32 lanes."""
    if not op.src.type.is_distributed:
        return None
    found = bits([s for s in levels.reduced_shards(op) if s.axis == "laneid"])
    return None if len(found) == 5 else f"all_lanes: it is over {1 << len(found)}"


@variant(
    *combine.PRIMITIVES,
    priority=20,
    when=[*levels.OVER_LANES, has_instruction, all_lanes],
)
def lower(op: Any, _: Target) -> None:
    """Emits the instruction for every element that a thread stores."""
    name = operation(op)
    assert name is not None
    nan = combine.has(op, "propagate_nan") and isinstance(op.src.type.element_type, ir.F32Type)
    lower_slots(op, lambda value: intrinsics.reduce_warp(name, value, nan=nan))
