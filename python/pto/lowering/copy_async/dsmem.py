"""`dsmem`: bulk copies into the shared memory of another CTA of the cluster.

Destination and mbarrier are mapped into that CTA's window (`mapa`). Each chunk that is contiguous
on both sides is one bulk copy, whose bytes the other CTA's mbarrier counts when they land. Nothing
waits: that CTA arms its mbarrier with the bytes and waits for it.

Before
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%rank)
      : !tirx.buffer<8x128xf16, shared, strides = [256, 1]> -> !tirx.buffer<8x128xf16, shared>

After
    %to = nvvm.mapa %dst, %rank
    %signal = nvvm.mapa %m, %rank
    scf.for %i = %c0 to %c8 step %c1 {
      nvvm.cp.async.bulk.shared.cluster.shared.cta %to + %i * 256, %src + %i * 512, %signal, %c256
    }

Source of the algorithm: TIRx, variant `dsmem` of `copy_async`.
"""

from typing import Any

from pto.lowering import address, chunks, elements, intrinsics, rules
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    "tirx.copy_async",
    priority=10,
    when=[
        rules.needs_sm(90),
        rules.exec_scope("thread"),
        rules.memory("shared"),
        rules.given("mbar"),
        rules.given("remote_cta"),
        elements.static_shapes,
        chunks.equal_swizzles,
        chunks.contiguous,
        chunks.aligned,
    ],
    detail=chunks.summary,
)
def lower(op: Any, _: Target) -> None:
    """Emits the copies."""
    source = address.base(op.src)
    target = intrinsics.mapa(address.base(op.dst), op.remote_cta)
    signal = intrinsics.mapa_mbarrier(op.mbar, op.remote_cta)
    with chunks.walk(op) as (src, dst, size):
        intrinsics.bulk_to_cluster(
            address.at(target, op.dst, dst), address.at(source, op.src, src), size, signal
        )
