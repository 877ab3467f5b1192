"""`levels`: a distributed reduction is one over registers, then lanes, then warps.

Each level is a primitive of its own, whose variant is chosen by itself: what a thread stores is
reduced by the thread, what is left by the lanes of its warp, what is left of that by the warps.

Before (a warp; each row of 64 lies in one thread)
    tirx.sum warp %src -> %dst axes [0, 1]
      : !tirx.buffer<32x64xf32, local, shards = [32 : 1@laneid, 64 : 1]>
      -> !tirx.buffer<1x1xf32, local, shards = [1 : 1, 1 : 1], replicas = [32 : 1@laneid]>

After
    %by_shards = tirx.reshape %src          // dimensions: 32 lanes, 64 registers
    %partial = tirx.alloc : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
    %own = tirx.own %by_shards
    %partial_own = tirx.own %partial
    tirx.sum thread %own -> %partial_own axes [0]
      : !tirx.buffer<64xf32, local> -> !tirx.buffer<f32, local>
    tirx.sum warp %partial -> %dst_by_shards axes [0]
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir import ir

from pto.dialects import tirx
from pto.lowering import combine, emit, layout, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.layout import Shard
from pto.target import Target

AXES = ("m", "laneid", "warpid")
"""The levels, from the innermost."""


def reduced_shards(op: Any) -> list[Shard]:
    """The shards of the source over which is reduced."""
    return [shard for shard in layout.shards(op.src.type) if shard.dim in list(op.axes)]


def levels(op: Any) -> list[str]:
    """The axes that have such shards, from the innermost."""
    return [axis for axis in AXES if layout.over(axis, reduced_shards(op))]


def only(axis: str) -> rules.Rule:
    """The reduction is over one axis alone."""

    def rule(op: Any, _: Target) -> str | None:
        found = levels(op) if op.src.type.is_distributed else []
        return None if found == [axis] else f"only({axis}): it reduces over {found or 'none'}"

    return rule


def several(op: Any, _: Target) -> str | None:
    """The reduction is over registers, or over more than one axis."""
    if not op.src.type.is_distributed:
        return None
    found = levels(op)
    return None if found != ["laneid"] and found != ["warpid"] else f"several: only {found}"


def layouts_agree(op: Any, _: Target) -> str | None:
    """What is kept lies in the same lanes and warps, and in registers of the same order."""
    if not (op.src.type.is_distributed and op.dst.type.is_distributed):
        return None
    axes = list(op.axes)
    kept = [shard for shard in layout.shards(op.src.type) if shard.dim not in axes]
    found = layout.shards(op.dst.type)
    if [_place(shard) for shard in kept] == [_place(shard) for shard in found]:
        return None
    return (
        f"layouts_agree: the results lie in [{_list(kept)}] by {op.src.type}, not [{_list(found)}]"
    )


def _place(shard: Shard) -> tuple[int, int, str]:
    # Registers may be numbered differently; lanes and warps may not.
    return shard.extent, 0 if shard.axis == "m" else shard.stride, shard.axis


OVER_LANES: tuple[rules.Rule, ...] = (
    rules.exec_scope("warp", "warpgroup", "cta"),
    workers.whole_scopes,
    rules.distributed,
    only("laneid"),
    layouts_agree,
)
"""The reduction is over lanes of a warp alone."""


@variant(
    *combine.PRIMITIVES,
    priority=5,
    when=[
        rules.exec_scope("warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.distributed,
        several,
        layouts_agree,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits one primitive per level; the last one writes `dst` and takes `accum`."""
    # A dimension may lie over several axes: from here on every shard is a dimension of its own.
    left = [(shard, shard.dim in list(op.axes)) for shard in layout.shards(op.src.type)]
    source = _by_shards(op.src)
    result = _by_shards(op.dst)
    pending = levels(op)
    if not pending:
        # Every reduced dimension is 1: a copy, or one more operand.
        _own_level(op, source, result, [], is_last=True)
        return
    for axis in pending:
        is_last = axis == pending[-1]
        gone = [is_reduced and shard.axis == axis for shard, is_reduced in left]
        rest = [item for item, is_gone in zip(left, gone, strict=True) if not is_gone]
        target = result if is_last else _partial(op, source, left, rest)
        if axis == "m":
            _own_level(op, source, target, gone, is_last)
        else:
            axes = [dim for dim, is_gone in enumerate(gone) if is_gone]
            _emit(op, rules.scope_of(op), source, target, axes, is_last)
        source, left = target, rest


def _by_shards(buffer: Any) -> ir.Value:
    """A distributed buffer with one dimension per shard."""
    found = layout.shards(buffer.type)
    kind = _buffer(buffer.type.element_type, found, layout.replicas(buffer.type))
    return tirx.reshape(kind, buffer)


def _partial(
    op: Any,
    source: Any,
    left: Sequence[tuple[Shard, bool]],
    rest: Sequence[tuple[Shard, bool]],
) -> ir.Value:
    """A buffer for the shards of `source` that are still there after a level: those over lanes and
    warps that are gone hold copies, registers are numbered anew."""
    gone = [item[0] for item in left if item not in rest]
    replicas = [*layout.replicas(source.type), *(s for s in gone if s.axis != "m")]
    shards: list[Shard] = []
    size = 1
    for shard, _ in reversed(rest):
        if shard.axis == "m":
            shards.insert(0, replace(shard, stride=size))
            size *= shard.extent
        else:
            shards.insert(0, shard)
    kind = combine.accumulator(op)
    if isinstance(kind, ir.IntegerType):
        # Its sign tells the next level how to compare.
        kind = source.type.element_type
    return tirx.alloc(_buffer(kind, shards, replicas))


def _buffer(kind: ir.Type, shards: Sequence[Shard], replicas: Sequence[Shard]) -> ir.Type:
    """The type of a distributed buffer with one dimension per shard."""
    dims = "".join(f"{shard.extent}x" for shard in shards)
    places = _list(shards) if shards else "1 : 1"
    copies = f", replicas = [{_list(replicas)}]" if replicas else ""
    return ir.Type.parse(f"!tirx.buffer<{dims}{kind}, local, shards = [{places}]{copies}>")


def _list(shards: Sequence[Shard]) -> str:
    return ", ".join(f"{shard.extent} : {shard.stride}@{shard.axis}" for shard in shards)


def _own_level(op: Any, source: Any, target: Any, gone: Sequence[bool], is_last: bool) -> None:
    """The reduction of what this thread stores, over the shards that are `gone`."""
    memory = [i for i, shard in enumerate(layout.shards(source.type)) if shard.axis == "m"]
    axes = [at for at, dim in enumerate(memory) if gone and gone[dim]]
    own, result = layout.own(source), layout.own(target)
    if not axes:
        # The primitive needs an axis: one of size 1 in front.
        own = _with_unit(own)
        axes = [0]
    _emit(op, "thread", own, result, axes, is_last)


def _with_unit(own: Any) -> ir.Value:
    kind = own.type
    wide = tirx.BufferType.get([1, *kind.shape], kind.element_type, "local", [0, *kind.strides])
    return tirx.view(wide, own, emit.index(0), [], [])


def _emit(
    op: Any, scope: str, source: ir.Value, target: ir.Value, axes: Sequence[int], is_last: bool
) -> None:
    """The same reduction between other buffers."""
    attributes: dict[str, ir.Attribute] = {
        "exec": ir.IntegerAttr.get(
            ir.IntegerType.get_signless(32), tirx.ExecScope[scope.capitalize()]
        ),
        "axes": ir.DenseI64ArrayAttr.get(list(axes)),
    }
    for name in ("accumulate", "propagate_nan", "ftz", "strict"):
        if combine.has(op, name):
            attributes[name] = op.operation.attributes[name]
    if is_last and combine.has(op, "accum"):
        attributes["accum"] = ir.UnitAttr.get()
    ir.Operation.create(op.operation.name, operands=[source, target], attributes=attributes)
