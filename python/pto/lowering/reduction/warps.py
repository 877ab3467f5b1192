"""`warps`: the warps of a CTA or warpgroup exchange partial results through shared memory.

Every thread writes its partial results, and after a barrier reads those of the same lane in the
other warps, in increasing order.

Before
    tirx.sum cta %src -> %dst axes [0] : !tirx.buffer<4xf32, local, shards = [4 : 1@warpid],
      replicas = [32 : 1@laneid]> -> !tirx.buffer<1xf32, local, …>

After
    memref.store %x, %partials[%warp, %lane]
    gpu.barrier
    %x0 = memref.load %partials[%c0, %lane]
    %x1 = memref.load %partials[%c1, %lane]
    %s1 = arith.addf %x0, %x1 : f32
    …
    gpu.barrier
"""

from itertools import product
from typing import Any

from pto.dialects import tirx
from pto.lowering import combine, emit, layout, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.lowering.reduction import levels
from pto.target import Target


def covers_scope(op: Any, _: Target) -> str | None:
    """Shards and replicas number all warps of the scope."""
    if not op.src.type.is_distributed:
        return None
    every = layout.shards(op.src.type) + layout.replicas(op.src.type)
    covered = 1
    for shard in layout.over("warpid", every):
        covered *= shard.extent
    warps = workers.size_of(op) // layout.WARP
    if covered == warps:
        return None
    return f"covers_scope: the layout covers {covered} warps, the scope has {warps}"


@variant(
    *combine.PRIMITIVES,
    priority=10,
    when=[
        rules.exec_scope("warpgroup", "cta"),
        workers.whole_scopes,
        rules.distributed,
        levels.only("warpid"),
        covers_scope,
        levels.layouts_agree,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the exchange."""
    threads, place = workers.of(op), layout.here(op)
    src, dst = emit.as_memref(layout.own(op.src)), emit.as_memref(layout.own(op.dst))
    kind, element = combine.accumulator(op), emit.element(op.dst.type)
    slots = layout.slots(op.src.type)
    warps = threads.count // layout.WARP
    shape = [threads.groups, len(slots), warps, layout.WARP]
    partials = emit.as_memref(tirx.alloc(tirx.BufferType.get(shape, kind, "shared")))
    for number, slot in enumerate(slots):
        value = combine.widen(emit.load(src, slot), kind)
        emit.store(value, partials, [threads.group, number, place.warp, place.lane])
    threads.barrier()
    reduced = levels.reduced_shards(op)
    for number, slot in enumerate(slots):
        values = [
            emit.load(partials, [threads.group, number, warp, place.lane])
            for warp in _warps(reduced, place)
        ]
        result = values[0]
        for value in values[1:]:
            result = combine.combine(op, result, value)
        if combine.has(op, "accum"):
            old = combine.widen(emit.load(dst, slot), kind)
            result = combine.combine(op, old, result)
        emit.store(combine.narrow(result, element), dst, slot)
    # The partial results may be overwritten by the next use of the same memory.
    threads.barrier()


def _warps(reduced: list[layout.Shard], place: layout.Place) -> list[Index]:
    """The warps whose values make one result: this one's number with other digits."""
    base: Index = place.warp
    for shard in reduced:
        base = emit.sub(base, emit.mul(layout.digit(place, shard), shard.stride))
    steps = product(*(range(shard.extent) for shard in reduced))
    return [
        emit.add(base, sum(i * shard.stride for i, shard in zip(at, reduced, strict=True)))
        for at in steps
    ]
