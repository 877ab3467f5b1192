"""`f16x2`: one thread reduces an f16 or bf16 vector, two elements per instruction.

For partial results in the element type (`accumulate = f16`, and `max` and `min`). Four accumulators
of two elements each, joined by a tree. bf16 needs sm_90.

Before
    tirx.sum thread %src -> %dst axes [0] {accumulate = f16}
      : !tirx.buffer<32xf16, local> -> !tirx.buffer<1xf16, local>

After
    %a0 = arith.addf %x01, %x89 : vector<2xf16>
    …
    %r = arith.addf %t[0], %t[1] : f16
"""

from typing import Any

from mlir import ir
from mlir.dialects import vector

from pto.lowering import combine, emit, rules
from pto.lowering.dispatch import variant
from pto.lowering.reduction import local
from pto.lowering.reduction.sm100_packed import dst_len, local_scope, src_ndim
from pto.target import Target


def half(op: Any, chip: Target) -> str | None:
    """Elements and partial results are f16, or bf16 on sm_90 and newer."""
    kind, partial = op.src.type.element_type, combine.accumulator(op)
    if kind != partial:
        return f"half: partial results are {partial}, elements {kind}"
    if isinstance(kind, ir.F16Type):
        return None
    if isinstance(kind, ir.BF16Type):
        return None if chip.sm >= 90 else f"half: bf16 pairs need sm_90, not {chip.chip}"
    return f"half: {kind}"


def at_least_four(op: Any, _: Target) -> str | None:
    """Two pairs or more."""
    length = op.src.type.shape[0] if op.src.type.shape else 1
    return None if (length or 0) >= 4 else f"at_least_four: {length} elements"


@variant(
    *combine.PRIMITIVES,
    priority=15,
    when=[
        rules.exec_scope("thread"),
        local_scope,
        dst_len,
        src_ndim,
        half,
        at_least_four,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the pairs, the tree, and an odd element last."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    at = [0] * len(op.dst.type.shape)
    values = [emit.load(src, [i]) for i in range(op.src.type.shape[0])]
    kind = ir.VectorType.get([2], values[0].type)
    pairs = [
        vector.from_elements(kind, list(pair))
        for pair in zip(values[::2], values[1::2], strict=False)
    ]
    folded = local.reduce(op, pairs, None)
    result = combine.combine(op, *(vector.extract(folded, [], [i]) for i in (0, 1)))
    if len(values) % 2:
        result = combine.combine(op, result, values[-1])
    if combine.has(op, "accum"):
        result = combine.combine(op, emit.load(dst, at), result)
    emit.store(result, dst, at)
