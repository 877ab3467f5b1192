"""`sm100_packed`: one thread reduces an f32 vector, two or three elements per instruction.

Blackwell's `add.f32x2` and `mul.f32x2` work on two elements at once; `max` and `min` take three
operands. The algorithm is that of TIRx's `sm100_packed`.

- `sum`, `prod`: eight accumulators as four pairs; four packed operations per chunk of eight; the
  remainder one by one into the first accumulator; then 8 -> 4 -> 2 packed and 2 -> 1.
- `max`, `min`: four accumulators, each from three elements, then two more elements per operation.
- `accum` folds the old value into the first accumulator.

Before
    tirx.sum thread %src -> %dst axes [0]
      : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>

After
    %a0 = arith.addf %x01, %x89 : vector<2xf32>     // three chunks of four
    …
    %s0 = arith.addf %a0, %a1 : vector<2xf32>       // 8 -> 4
    %s1 = arith.addf %a2, %a3 : vector<2xf32>
    %t  = arith.addf %s0, %s1 : vector<2xf32>       // 4 -> 2
    %r  = arith.addf %t[0], %t[1] : f32
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import vector

from pto.lowering import combine, elements, emit, rules
from pto.lowering.dispatch import variant
from pto.target import Target

CHUNK = 8


def local_scope(op: Any, _: Target) -> str | None:
    """Source and destination are local and have the same element type."""
    for buffer in (op.src, op.dst):
        if buffer.type.scope != "local" or buffer.type.is_distributed:
            return f"local_scope: {buffer.type}"
    return None


def dst_len(op: Any, _: Target) -> str | None:
    """The result is one element."""
    length = elements.volume([size or 0 for size in op.dst.type.shape])
    return None if length == 1 else f"dst_len(1): {op.dst.type}"


def src_ndim(op: Any, _: Target) -> str | None:
    """The source is a vector."""
    rank = len(op.src.type.shape)
    return None if rank == 1 else f"src_ndim(1): the source has {rank} dimensions"


def dtype(op: Any, _: Target) -> str | None:
    """The elements are f32."""
    kind = op.src.type.element_type
    return None if isinstance(kind, ir.F32Type) else f"dtype(f32): {kind}"


def reduction_len(op: Any, _: Target) -> str | None:
    """At least one chunk."""
    length = elements.volume([size or 0 for size in op.src.type.shape])
    return None if length >= CHUNK else f"reduction_len({CHUNK}): {length} elements"


@variant(
    *combine.PRIMITIVES,
    priority=20,
    when=[
        rules.exec_scope("thread"),
        local_scope,
        dst_len,
        src_ndim,
        dtype,
        rules.needs_sm(100),
        reduction_len,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits either form."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    at = [0] * len(op.dst.type.shape)
    old = emit.load(dst, at) if combine.has(op, "accum") else None
    values = [emit.load(src, [i]) for i in range(op.src.type.shape[0])]
    folds_three = combine.starts_from_element(op)
    emit.store((fold_three if folds_three else fold_pairs)(op, values, old), dst, at)


def fold_pairs(op: Any, values: Sequence[ir.Value], old: ir.Value | None) -> ir.Value:
    """Pairs of elements as vectors; `values` are at least eight."""
    kind = ir.VectorType.get([2], values[0].type)
    first = list(values[:CHUNK])
    if old is not None:
        first[0] = combine.combine(op, old, first[0])
    accumulators = _pairs(kind, first)
    whole = len(values) // CHUNK * CHUNK
    for start in range(CHUNK, whole, CHUNK):
        chunk = _pairs(kind, values[start : start + CHUNK])
        accumulators = [
            combine.combine_pairs(op, a, b) for a, b in zip(accumulators, chunk, strict=True)
        ]
    low, high = _split(accumulators[0])
    for value in values[whole:]:
        low = combine.combine(op, low, value)
    accumulators[0] = vector.from_elements(kind, [low, high])
    low, high = _split(combine.tree(op, accumulators, combine.combine_pairs))
    return combine.combine(op, low, high)


def _pairs(kind: ir.VectorType, values: Sequence[ir.Value]) -> list[ir.Value]:
    pairs = zip(values[::2], values[1::2], strict=True)
    return [vector.from_elements(kind, list(pair)) for pair in pairs]


def _split(pair: ir.Value) -> tuple[ir.Value, ir.Value]:
    low, high = (vector.extract(pair, [], [i]) for i in (0, 1))
    return low, high


def fold_three(op: Any, values: Sequence[ir.Value], old: ir.Value | None) -> ir.Value:
    """`n` values in ceil((n - 1) / 2) operations; the old one is in the first accumulator."""
    items = [*([] if old is None else [old]), *values]
    count = min(4, -(-len(items) // 3))
    accumulators = [_join(op, items[3 * i : 3 * i + 3]) for i in range(count)]
    rest = items[3 * count :]
    for i, start in enumerate(range(0, len(rest), 2)):
        slot = i % count
        accumulators[slot] = _join(op, [accumulators[slot], *rest[start : start + 2]])
    return _join(op, [_join(op, accumulators[:3]), *accumulators[3:]])


def _join(op: Any, values: Sequence[ir.Value]) -> ir.Value:
    """One to three values."""
    match list(values):
        case [a, b, c]:
            return combine.combine3(op, a, b, c)
        case [a, b]:
            return combine.combine(op, a, b)
        case _:
            return values[0]
