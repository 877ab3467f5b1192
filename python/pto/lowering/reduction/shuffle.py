"""`shuffle`: the lanes of a warp exchange partial results, a butterfly over the reduced lanes.

Each step combines the values of lanes whose numbers differ in one bit, so that in the end every
lane has the result. The bits are those of the layout's strides: rows may lie in lanes 0, 4, 8, …

Before
    tirx.sum warp %src -> %dst axes [0] : !tirx.buffer<32xf32, local, shards = [32 : 1@laneid]>
      -> !tirx.buffer<1xf32, local, shards = [1 : 1], replicas = [32 : 1@laneid]>

After
    %y1 = nvvm.shfl.sync bfly %full, %x, %c1, %c31 : f32
    %s1 = arith.addf %x, %y1 : f32
    %y2 = nvvm.shfl.sync bfly %full, %s1, %c2, %c31 : f32
    …
"""

from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.dialects import arith, vector

from pto.lowering import combine, emit, intrinsics, layout
from pto.lowering.dispatch import variant
from pto.lowering.layout import Shard
from pto.lowering.reduction import levels
from pto.target import Target


@variant(
    *combine.PRIMITIVES,
    priority=10,
    when=[*levels.OVER_LANES, combine.order_is_free],
)
def lower(op: Any, _: Target) -> None:
    """Emits the butterfly for every element that a thread stores."""
    lower_slots(op, lambda value: butterfly(op, value, bits(levels.reduced_shards(op))))


def lower_slots(op: Any, reduce: Callable[[ir.Value], ir.Value]) -> None:
    """Applies `reduce`, from a thread's partial result to the result, to all that it stores."""
    src, dst = emit.as_memref(layout.own(op.src)), emit.as_memref(layout.own(op.dst))
    kind, element = combine.accumulator(op), emit.element(op.dst.type)
    for slot in layout.slots(op.src.type):
        result = reduce(combine.widen(emit.load(src, slot), kind))
        if combine.has(op, "accum"):
            old = combine.widen(emit.load(dst, slot), kind)
            result = combine.combine(op, old, result)
        emit.store(combine.narrow(result, element), dst, slot)


def bits(shards: list[Shard]) -> list[int]:
    """The lane bits over which shards extend."""
    found: list[int] = []
    for shard in shards:
        step = 1
        while step < shard.extent:
            found.append(step * shard.stride)
            step *= 2
    return sorted(found)


def butterfly(op: Any, value: ir.Value, steps: list[int], mask: ir.Value | None = None) -> ir.Value:
    """The combination of `value` over the lanes that differ in the bits of `steps`."""
    for step in steps:
        value = combine.combine(op, value, exchange(value, step, mask))
    return value


def exchange(value: ir.Value, step: int, mask: ir.Value | None = None) -> ir.Value:
    """The value of the lane whose number differs by the bit `step`; `mask` names the lanes that
    take part, all by default. Values of other sizes travel as words of 32 bits."""
    i32 = ir.IntegerType.get_signless(32)
    kind: Any = value.type
    if kind.width == 64:
        words = ir.VectorType.get([2], i32)
        halves = intrinsics.bitcast(words, value)
        parts = [vector.extract(halves, [], [i]) for i in (0, 1)]
        received = [exchange(part, step, mask) for part in parts]
        return intrinsics.bitcast(kind, vector.from_elements(words, received))
    if kind.width < 32:
        plain = ir.IntegerType.get_signless(kind.width)
        is_float = isinstance(kind, ir.FloatType)
        word = arith.extui(i32, intrinsics.bitcast(plain, value) if is_float else value)
        other = arith.trunci(plain, exchange(word, step, mask))
        return intrinsics.bitcast(kind, other) if is_float else other
    everyone = intrinsics.word(intrinsics.FULL_WARP) if mask is None else mask
    return intrinsics.shuffle_xor(value, step, everyone)
