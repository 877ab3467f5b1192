"""`atomic`: each CTA, or each cluster, adds its partial result to the old value of the destination.

Exactly one predicated atomic for each of them and each result, by the thread that holds it. The
value before is not asked for: `red`, unless `memory_order = "acq_rel"`, which only `atom` has.

Before
    tirx.sum grid %x -> %y axes [0] {accum, vector = 4}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>

After
    %s = this CTA's partial result                                            (walk.py, cta.py)
    scf.if %tid < 1 {
      red.relaxed.gpu.global.add.f32 [%y], %s
    }
"""

from typing import Any

from pto.lowering import (
    address,
    atomics,
    combine,
    cta,
    emit,
    partial,
    rules,
    schedule,
    strip,
)
from pto.lowering.dispatch import variant
from pto.lowering.reduction import dsmem
from pto.target import Target


def old_value_counts(op: Any, _: Target) -> str | None:
    """The destination holds a value to begin with."""
    if combine.has(op, "accum"):
        return None
    return "old_value_counts: nobody initialises the destination (accum: its old value counts)"


def bits_are_free(op: Any, _: Target) -> str | None:
    """The order in which CTAs arrive does not show, or may."""
    kind = combine.accumulator(op)
    if not combine.has(op, "deterministic") or combine.is_exact(op):
        return None
    return f"bits_are_free: it is deterministic, and {kind} is rounded in the order of arrival"


WHEN: list[rules.Rule] = [
    rules.exec_scope("grid"),
    rules.strided,
    schedule.fits,
    schedule.all_work,
    old_value_counts,
    bits_are_free,
    combine.order_is_free,
    atomics.rounds_once,
]
"""When CTAs may meet in the destination."""


@variant(*combine.PRIMITIVES, priority=10, when=[*WHEN, atomics.has_instruction])
def lower(op: Any, chip: Target) -> None:
    """Emits the loop over strips."""
    with strip.strips(op) as here:
        items, columns = here.fold()
        slots = cta.join(op, here.plan.threads, here.thread, items, columns)
        for slot in dsmem.join(here, slots):
            there, kept_at = here.result(slot.column)
            with emit.when(emit.both(slot.holds, there)):
                kind = emit.element(op.dst.type)
                value = partial.convert(slot.read()[0], kind, partial.is_unsigned(op))
                at = address.of(op.dst, here.destination(kept_at))
                atomics.update(op, chip, value, at)
