"""Partial results of reductions: one value, or for `argmax` and `argmin` a value and its position.

A partial result is a tuple of SSA values: scalars, or vectors for neighbouring results or elements.
Each operation has an identity here, so that threads without elements need no special case:

- 0 and 1 for sums and products (-0 for floats, which changes nothing);
- for `max` and `min` the most extreme value of the other end, and NaN where NaN is dropped, since
  any number then wins over it;
- for a position the largest one: the first of equal elements wins, and no element is behind it.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith, vector

from pto.lowering import combine as scalar
from pto.lowering import emit, intrinsics
from pto.lowering.emit import Condition, Index
from pto.lowering.reduction.shuffle import exchange as exchange_lanes

PRIMITIVES = (*scalar.PRIMITIVES, "tirx.argmax", "tirx.argmin")

Partial = tuple[ir.Value, ...]

_NOWHERE = 2**63 - 1


def is_position(op: Any) -> bool:
    """Whether positions are reduced along with elements."""
    return op.operation.name in ("tirx.argmax", "tirx.argmin")


def wants_largest(op: Any) -> bool:
    """Whether the largest element wins."""
    return op.operation.name in ("tirx.max", "tirx.argmax")


def is_unsigned(op: Any) -> bool:
    """Whether the elements are integers without a sign."""
    kind = op.src.type.element_type
    return isinstance(kind, ir.IntegerType) and kind.is_unsigned


def types(op: Any) -> list[ir.Type]:
    """The types of a partial result."""
    value = scalar.accumulator(op)
    return [value, ir.IntegerType.get_signless(64)] if is_position(op) else [value]


def size_in_bytes(op: Any) -> list[int]:
    """Bytes of each part of a partial result."""
    kinds: list[Any] = types(op)
    return [kind.width // 8 for kind in kinds]


def identity(op: Any, width: int = 1) -> Partial:
    """What changes no other partial result; vectors for a `width` beyond 1."""
    kinds = [_wide(kind, width) for kind in types(op)]
    if op.operation.name in ("tirx.sum", "tirx.prod"):
        return (scalar.identity(op, kinds[0]),)
    value = _splat(kinds[0], _least(op))
    if not is_position(op):
        return (value,)
    return value, _splat(kinds[1], ir.IntegerAttr.get(types(op)[1], _NOWHERE))


def _least(op: Any) -> ir.Attribute:
    """Where `max`, `min`, `argmax` and `argmin` start."""
    kind = types(op)[0]
    if isinstance(kind, ir.FloatType):
        if not is_position(op) and not scalar.has(op, "propagate_nan"):
            return ir.FloatAttr.get(kind, float("nan"))
        return ir.FloatAttr.get(kind, float("-inf" if wants_largest(op) else "inf"))
    assert isinstance(kind, ir.IntegerType)
    if is_unsigned(op):
        return ir.IntegerAttr.get(kind, 0 if wants_largest(op) else -1)
    least = -(2 ** (kind.width - 1))
    return ir.IntegerAttr.get(kind, least if wants_largest(op) else -least - 1)


def _wide(kind: ir.Type, width: int) -> ir.Type:
    return kind if width == 1 else ir.VectorType.get([width], kind)


def _splat(kind: ir.Type, value: ir.Attribute) -> ir.Value:
    if isinstance(kind, ir.VectorType):
        return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, value))
    return arith.constant(kind, value)


def of_elements(op: Any, elements: ir.Value, position: Index, step: Index) -> Partial:
    """Loaded elements as partial results; a vector's lie `step` apart, from `position`."""
    value = convert(elements, types(op)[0], is_unsigned(op))
    if not is_position(op):
        return (value,)
    i64 = types(op)[1]
    first = arith.index_cast(i64, emit.index(position))
    if not isinstance(value.type, ir.VectorType):
        return value, first
    width = value.type.shape[0]
    each = [arith.index_cast(i64, emit.index(emit.mul(step, i))) for i in range(width)]
    kind = _wide(i64, width)
    start = vector.broadcast(kind, first)
    return value, arith.addi(start, vector.from_elements(kind, each))


def adds_in_words(op: Any) -> bool:
    """Whether the elements of a vector can be added in 32 bits before they are added in 64."""
    source, sums = emit.element(op.src.type), types(op)[0]
    if op.operation.name != "tirx.sum" or not isinstance(source, ir.IntegerType):
        return False
    return source.width <= 16 and isinstance(sums, ir.IntegerType) and sums.width == 64


def sum_of_elements(op: Any, elements: ir.Value, width: int) -> Partial:
    """The sum of a vector of elements, under `adds_in_words`; `dp4a` adds four bytes."""
    i32 = ir.IntegerType.get_signless(32)
    if emit.size_in_bytes(op.src.type) > 1 or width < 4:
        wide = convert(elements, i32, is_unsigned(op))
        total = tree(op, split((wide,), width))[0]
    else:
        # As one number: a vector whose elements are only taken out is loaded in pieces.
        whole = ir.IntegerType.get_signless(8 * width)
        bits = intrinsics.bitcast(whole, elements)
        total, ones = intrinsics.word(0), intrinsics.word(0x01010101)
        name = f"llvm.nvvm.idp4a.{'u.u' if is_unsigned(op) else 's.s'}"
        for start in range(0, 8 * width, 32):
            part = arith.shrui(bits, arith.constant(whole, start))
            total = intrinsics.call(name, [convert(part, i32, True), ones, total])
    return (convert(total, types(op)[0], is_unsigned(op)),)


def convert(value: ir.Value, kind: ir.Type, unsigned: bool) -> ir.Value:
    """A number, or a vector of them, under another element type. `unsigned` says how integers are
    read; integers are cut, floats rounded to nearest."""
    source: Any = value.type
    wide: Any = kind
    if isinstance(source, ir.VectorType):
        wide, source = ir.VectorType.get(source.shape, kind), source.element_type
    if source == kind:
        return value
    target: Any = kind
    if isinstance(kind, ir.FloatType):
        if not isinstance(source, ir.FloatType):
            return (arith.uitofp if unsigned else arith.sitofp)(wide, value)
        if isinstance(source, ir.F32Type | ir.F64Type) and target.width < source.width:
            return arith.truncf(wide, value)
        return arith.extf(wide, value)
    if source.width > target.width:
        return arith.trunci(wide, value)
    return (arith.extui if unsigned else arith.extsi)(wide, value)


# Combination --------------------------------------------------------------------------------------


def combine(op: Any, a: Partial, b: Partial) -> Partial:
    """Two partial results, or vectors of them, as one."""
    if not is_position(op):
        return (scalar.combine(op, a[0], b[0]),)
    wins = arith.ori(*_wins(op, a, b))
    return (arith.select(wins, a[0], b[0]), arith.select(wins, a[1], b[1]))


def _wins(op: Any, a: Partial, b: Partial) -> tuple[ir.Value, ir.Value]:
    """Whether `a` is more extreme than `b`; whether it is as extreme and comes first."""
    first = arith.cmpi(arith.CmpIPredicate.slt, a[1], b[1])
    largest = wants_largest(op)
    kind = types(op)[0]
    if isinstance(kind, ir.FloatType):
        p = arith.CmpFPredicate
        a_nan, b_nan = arith.cmpf(p.UNO, a[0], a[0]), arith.cmpf(p.UNO, b[0], b[0])
        beyond = arith.cmpf(p.OGT if largest else p.OLT, a[0], b[0])
        equal = arith.ori(arith.cmpf(p.OEQ, a[0], b[0]), arith.andi(a_nan, b_nan))
        not_b = arith.cmpf(p.ORD, b[0], b[0])
        more = arith.ori(beyond, arith.andi(a_nan, not_b))
    else:
        p = arith.CmpIPredicate
        order = (p.ugt, p.ult) if is_unsigned(op) else (p.sgt, p.slt)
        more = arith.cmpi(order[0] if largest else order[1], a[0], b[0])
        equal = arith.cmpi(p.eq, a[0], b[0])
    return more, arith.andi(equal, first)


def select(condition: Condition, a: Partial, b: Partial) -> Partial:
    """`a` if the condition holds, else `b`."""
    if isinstance(condition, bool):
        return a if condition else b
    return tuple(arith.select(condition, x, y) for x, y in zip(a, b, strict=True))


def tree(op: Any, items: Sequence[Partial]) -> Partial:
    """All, in pairs of neighbours: the depth is the logarithm of their number."""
    level = list(items)
    while len(level) > 1:
        pairs = [combine(op, a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


def split(item: Partial, width: int) -> list[Partial]:
    """The elements of vectors."""
    if width == 1:
        return [item]
    return [tuple(vector.extract(part, [], [i]) for part in item) for i in range(width)]


def join(items: Sequence[Partial]) -> Partial:
    """Vectors of scalars."""
    if len(items) == 1:
        return items[0]
    kinds = [_wide(part.type, len(items)) for part in items[0]]
    parts = zip(*items, strict=True)
    return tuple(
        vector.from_elements(kind, list(part)) for kind, part in zip(kinds, parts, strict=True)
    )


def butterfly(op: Any, item: Partial, steps: Sequence[int]) -> Partial:
    """The combination over the lanes that differ in the bits of `steps`."""
    for step in steps:
        other = tuple(exchange_lanes(part, step) for part in item)
        item = combine(op, item, other)
    return item
