"""`fold_atomic`: as `fold`, and each result goes to memory by one atomic.

Other CTAs may combine with the same destination. What a tile stores under `atomicType` is a
reduction over an axis of 1.

Before
    tirx.sum cta %src -> %dst axes [0] {accum, atomic}
      : !tirx.buffer<1x16x16xf32, shared> -> !tirx.buffer<16x16xf32, global>

After
    scf.for %i = %tid to %c256 step %threads {
      %s = the fold of the elements of result %i, that is, one
      red.relaxed.gpu.global.add.f32 [%dst + 4 * %i], %s
    }
"""

from typing import Any

from pto.lowering import address, atomics, combine, emit, partial, region, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.reduction import fold
from pto.target import Target


def is_atomic(op: Any, _: Target) -> str | None:
    """Other CTAs may combine with the destination."""
    return None if combine.has(op, "atomic") else "is_atomic: it is not"


WHEN: list[rules.Rule] = [
    rules.exec_scope("thread", "warp", "warpgroup", "cta"),
    is_atomic,
    workers.whole_scopes,
    rules.strided,
    fold.bounded_results,
    atomics.rounds_once,
]
"""When a CTA's results are combined with what lies in memory."""


@variant(*combine.PRIMITIVES, priority=10, when=[*WHEN, atomics.has_instruction])
def lower(op: Any, chip: Target) -> None:
    """Emits the loops."""
    src, element = emit.as_memref(op.src), emit.element(op.dst.type)
    with fold.results(op) as position:
        result = fold.fold(op, src, position, None, combine.accumulator(op))
        value = partial.convert(result, element, partial.is_unsigned(op))
        at = address.of(op.dst, region.destination(op, position))
        atomics.update(op, chip, value, at)
