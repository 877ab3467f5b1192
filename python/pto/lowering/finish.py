"""The last step of a reduction by a grid or a cluster: results go to the destination."""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import combine, emit, partial, region
from pto.lowering.cta import Slot
from pto.lowering.emit import Index
from pto.lowering.partial import Partial
from pto.lowering.strip import Strip


def store(strip: Strip, slots: Sequence[Slot]) -> None:
    """Writes what this thread holds."""
    op = strip.op
    dst = emit.as_memref(op.dst)
    for slot in slots:
        there, kept_at = strip.result(slot.column)
        with emit.when(emit.both(slot.holds, there)):
            at = strip.destination(kept_at)
            result = slot.read()
            if combine.has(op, "accum"):
                old = partial.convert(emit.load(dst, at), partial.types(op)[0], is_unsigned(op))
                result = partial.combine(op, (old,), result)
            emit.store(element(strip, result), dst, at)


def is_unsigned(op: Any) -> bool:
    """Whether the destination holds integers without a sign."""
    kind = op.dst.type.element_type
    return isinstance(kind, ir.IntegerType) and kind.is_unsigned


def element(strip: Strip, result: Partial) -> ir.Value:
    """A result as an element of the destination. The sum of nothing is +0, not -0."""
    op = strip.op
    if partial.is_position(op):
        return result[1]
    value: Any = result[0]
    if op.operation.name == "tirx.sum" and isinstance(value.type, ir.FloatType):
        count: Index = strip.source.volume(region.reduced(op))
        empty = emit.equal(count, 0)
        if empty is not False:
            zero = arith.constant(value.type, ir.FloatAttr.get(value.type, 0.0))
            value = arith.select(emit.truth(empty), zero, value)
    return partial.convert(value, emit.element(op.dst.type), partial.is_unsigned(op))
