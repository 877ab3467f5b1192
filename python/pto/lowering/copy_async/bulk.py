"""`bulk`: one thread starts bulk copies between global memory and its CTA's shared memory.

Into shared memory they signal an mbarrier; out of it they belong to the thread's bulk group
(`tirx.commit_group bulk`, `tirx.wait_group bulk`).

Before
    tirx.copy_async thread %src -> %dst mbar(%m)
      : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, shared>

After
    nvvm.cp.async.bulk.shared.cluster.global %dst, %src, %m, %c16384
"""

from typing import Any

from pto.lowering import address, chunks, elements, intrinsics, rules
from pto.lowering.dispatch import variant
from pto.target import Target


def between_global_and_shared(op: Any, _: Target) -> str | None:
    """One side lies in global memory, the other in shared memory."""
    scopes = (op.src.type.scope, op.dst.type.scope)
    if set(scopes) == {"global", "shared"}:
        return None
    return f"between_global_and_shared: from {scopes[0]} to {scopes[1]} memory"


def signals(op: Any, chip: Target) -> str | None:
    """An mbarrier is given for a copy into shared memory, and none for one out of it."""
    if op.dst.type.scope == "shared":
        return rules.given("mbar")(op, chip)
    return rules.absent("mbar")(op, chip)


@variant(
    "tirx.copy_async",
    priority=10,
    when=[
        rules.needs_sm(90),
        rules.exec_scope("thread"),
        between_global_and_shared,
        signals,
        rules.absent("remote_cta"),
        elements.static_shapes,
        chunks.equal_swizzles,
        chunks.contiguous,
        chunks.aligned,
    ],
    detail=chunks.summary,
)
def lower(op: Any, _: Target) -> None:
    """Emits the copies."""
    source, target = address.base(op.src), address.base(op.dst)
    with chunks.walk(op) as (src, dst, size):
        start, end = address.at(source, op.src, src), address.at(target, op.dst, dst)
        if op.dst.type.scope == "shared":
            intrinsics.bulk_to_shared(end, start, size, intrinsics.mbarrier(op.mbar))
        else:
            intrinsics.bulk_to_global(end, start, size)
