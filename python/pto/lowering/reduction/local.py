"""`local`: one thread reduces what it can address, with several accumulators.

Up to eight, each a chain over every eighth element, joined by a tree: 32 elements take 31
operations of which at most 6 depend on each other. `accum` folds the old value into the first.

Before
    tirx.sum thread %src -> %dst axes [0]
      : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>

After (%x0 to %x31 are the elements)
    %a0 = arith.addf %x0, %x8     …  %a7 = arith.addf %x7, %x15
    %b0 = arith.addf %a0, %x16    …  %b7 = arith.addf %a7, %x23
    %c0 = arith.addf %b0, %x24    …  %c7 = arith.addf %b7, %x31
    %d0 = arith.addf %c0, %c1  %d1 = arith.addf %c2, %c3  …
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from pto.lowering import combine, elements, emit, region, rules
from pto.lowering.dispatch import variant
from pto.target import Target

ACCUMULATORS = 8


@variant(
    *combine.PRIMITIVES,
    priority=10,
    when=[
        rules.exec_scope("thread"),
        rules.memory("local", "shared"),
        rules.strided,
        elements.static_shapes,
        elements.is_short,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the chains and the tree of every result."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    kind, element = combine.accumulator(op), emit.element(op.dst.type)
    for at, positions in region.results(op):
        values = region.values(op, src, positions, kind)
        old = combine.widen(emit.load(dst, at), kind) if combine.has(op, "accum") else None
        emit.store(combine.narrow(reduce(op, values, old), element), dst, at)


def reduce(op: Any, values: Sequence[ir.Value], old: ir.Value | None) -> ir.Value:
    """All values, and the old one first."""
    accumulators = list(values[:ACCUMULATORS])
    if len(values) == 1 and old is None and combine.has(op, "ftz"):
        # No operation would flush it.
        own = combine.starts_from_element(op)
        old = values[0] if own else combine.identity(op, values[0].type)
    if old is not None:
        accumulators[0] = combine.combine(op, old, accumulators[0])
    for i, value in enumerate(values[ACCUMULATORS:]):
        slot = i % ACCUMULATORS
        accumulators[slot] = combine.combine(op, accumulators[slot], value)
    return combine.tree(op, accumulators)
