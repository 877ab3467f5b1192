"""`direct`: one CTA has all elements of a result, combines its threads and stores.

Before
    tirx.prod grid %x -> %y axes [0] {split = 1, threads = array<i64: 16, 32>, vector = 4}
      : !tirx.buffer<?x?xf32, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global>

After
    scf.for %strip = %cta to %strips step %ctas {
      %p = this thread's fold over rows %r, %r + 16, … of four columns        (walk.py)
      %q = its combination over the CTA's threads                             (cta.py)
      scf.if %holds_column { memref.store %q, %y[%column] }
      gpu.barrier
    }
"""

from typing import Any

from pto.lowering import combine, cta, finish, partial, rules, schedule, strip
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    *partial.PRIMITIVES,
    priority=20,
    when=[
        rules.exec_scope("grid"),
        rules.strided,
        schedule.fits,
        schedule.all_work,
        schedule.is_alone,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop over strips."""
    with strip.strips(op) as here:
        items, columns = here.fold()
        finish.store(here, cta.join(op, here.plan.threads, here.thread, items, columns))
