"""`dsmem`: the CTAs of a cluster have all elements of a result; their partial results meet in the
shared memory of the first one, which combines them in the order of their ranks and stores.

They are pushed: one CTA stores to another's shared memory several times faster than it loads from
there. `join` is also the step below `atomic` and `last_block`, where clusters share a strip.

Before (clusters of 8)
    tirx.prod grid %x -> %y axes [0] {split = 8, threads = array<i64: 32, 32>, vector = 4}
      : !tirx.buffer<?x?xf32, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global>

After
    nvvm.cluster.arrive
    scf.for %strip = … {
      %q = this CTA's partial result of %column                               (walk.py, cta.py)
      nvvm.cluster.wait           // the first CTA has started, and has read what was there
      scf.if %holds_column {
        %to = mapa of %meeting[%rank, %column] in CTA 0
        st.shared::cluster.f32 [%to], %q
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      scf.if %holds_column and %rank == 0 {
        the tree over %meeting[0, %column] to %meeting[7, %column]
        memref.store …
      }
      nvvm.cluster.arrive
    }
    nvvm.cluster.wait
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import address, combine, cta, emit, finish, intrinsics, partial, rules, schedule
from pto.lowering import strip as strips
from pto.lowering.cta import Slot
from pto.lowering.dispatch import variant
from pto.lowering.partial import Partial
from pto.lowering.strip import Strip
from pto.target import Target


def cluster_has_all(op: Any, _: Target) -> str | None:
    """The CTAs of one cluster, and no others, share a strip."""
    plan = schedule.of(op)
    if plan.cluster == 1:
        return "cluster_has_all: there are no clusters, or their CTAs work each for itself"
    if plan.split == plan.cluster or rules.scope_of(op) == "cluster":
        return None
    return f"cluster_has_all: up to {plan.split or 'all'} CTAs share a strip, not {plan.cluster}"


@variant(
    *partial.PRIMITIVES,
    priority=20,
    when=[
        rules.exec_scope("cluster", "grid"),
        rules.needs_sm(90),
        rules.strided,
        schedule.fits,
        schedule.all_work,
        cluster_has_all,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop over strips."""
    with strips.strips(op) as here:
        items, columns = here.fold()
        slots = cta.join(op, here.plan.threads, here.thread, items, columns)
        finish.store(here, join(here, slots))


def join(strip: Strip, slots: Sequence[Slot]) -> Sequence[Slot]:
    """The combination over the CTAs of a cluster, in its first one."""
    op, ctas = strip.op, strip.plan.cluster
    if ctas == 1:
        return slots
    meeting = cta.shared(op, [ctas, strip.plan.threads.results])
    intrinsics.cluster_wait()
    for slot in slots:
        with emit.when(slot.holds):
            for part, buffer in zip(slot.read(), meeting, strict=True):
                _push(part, address.of(buffer, [strip.rank, slot.column]))
    intrinsics.cluster_arrive()
    intrinsics.cluster_wait()
    is_first = emit.equal(strip.rank, 0)

    def combined(slot: Slot) -> Slot:
        def read() -> Partial:
            found = [cta.load(meeting, [rank, slot.column]) for rank in range(ctas)]
            return partial.tree(op, found)

        return Slot(emit.both(is_first, slot.holds), slot.column, read)

    return [combined(slot) for slot in slots]


def _push(value: ir.Value, at: ir.Value) -> None:
    """Stores to the place in the first CTA of the cluster that `at` is in this one."""
    kind: Any = value.type
    i16 = ir.IntegerType.get_signless(16)
    suffix = f"b{kind.width}" if kind.width < 32 or isinstance(kind, ir.IntegerType) else str(kind)
    if kind.width == 8:
        value = arith.extui(i16, value)
    elif kind.width == 16:
        value = intrinsics.bitcast(i16, value)
    remote = intrinsics.mapa(at, emit.index(0))
    to = arith.index_cast(ir.IntegerType.get_signless(32), remote)
    intrinsics.effect(f"st.shared::cluster.{suffix} [$0], $1;", [to, value])
