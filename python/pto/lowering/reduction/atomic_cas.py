"""`atomic_cas`: as `atomic`, where no instruction combines: compare-and-swap until it holds.

CTAs that arrive together repeat each other's work, so that a product of 2^20 elements takes ten
times as long as its sum: it ranks last.

Before
    tirx.prod grid %x -> %y axes [0] {accum, vector = 4}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>

After
    %p = this CTA's partial result                                            (walk.py, cta.py)
    scf.if %tid < 1 {
      %first = ld.relaxed.gpu.global.b32 [%y]
      scf.while (%old = %first) {
        %new = arith.mulf %old, %p
        %found = atom.relaxed.gpu.global.cas.b32 [%y], %old, %new
        scf.condition(%found != %old) %found
      }
    }
"""

from typing import Any

from pto.lowering import address, atomics, combine, cta, emit, finish, strip
from pto.lowering.dispatch import variant
from pto.lowering.reduction import atomic, dsmem
from pto.target import Target


@variant(*combine.PRIMITIVES, priority=2, when=[*atomic.WHEN, atomics.can_swap])
def lower(op: Any, _: Target) -> None:
    """Emits the loop over strips."""
    with strip.strips(op) as here:
        items, columns = here.fold()
        slots = cta.join(op, here.plan.threads, here.thread, items, columns)
        for slot in dsmem.join(here, slots):
            there, kept_at = here.result(slot.column)
            with emit.when(emit.both(slot.holds, there)):
                at = address.of(op.dst, here.destination(kept_at))
                atomics.swap(op, slot.read()[0], at, finish.is_unsigned(op))
