"""`ldgsts`: threads copy from global to shared memory without going through registers.

As `vector` of `tirx.copy`, with `cp.async` in place of loads and stores; what that would copy
element by element is copied so here too. The thread's group of copies is committed and waited for
by `tirx.commit_group ldgsts` and `tirx.wait_group ldgsts`.

Before
    tirx.copy_async cta %src -> %dst
      : !tirx.buffer<64x64xf32, global> -> !tirx.buffer<64x64xf32, shared>

After
    scf.for %i = %tid to %c1024 step %threads {
      nvvm.cp.async.shared.global %dst[%i / 16, (%i mod 16) * 4], %src[…], 16, cache = cg
    }
"""

from typing import Any

from mlir import ir

from pto.lowering import address, bounded, emit, intrinsics, rows, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target

LEAST = 4
"""Bytes that one `cp.async` moves at least."""


def global_to_shared(op: Any, _: Target) -> str | None:
    """From global to shared memory."""
    scopes = (op.src.type.scope, op.dst.type.scope)
    return None if scopes == ("global", "shared") else f"global_to_shared: {' to '.join(scopes)}"


def at_least_four_bytes(op: Any, _: Target) -> str | None:
    """Shape, strides and addresses allow accesses of at least four bytes."""
    if not op.src.type.shape or bounded.is_bounded(op) is not None:
        return None
    size = rows.width(op) * emit.size_in_bytes(op.src.type)
    return f"at_least_four_bytes: only {size} at a time" if size < LEAST else None


@variant(
    "tirx.copy_async",
    priority=20,
    when=[
        rules.needs_sm(80),
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.strided,
        rules.has_dimensions,
        global_to_shared,
        rules.absent("mbar"),
        rules.absent("remote_cta"),
        bounded.is_bounded,
        rows.unit_stride,
        at_least_four_bytes,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the copies."""

    def move(_: ir.Value, __: ir.Value, positions: list[list[Index]], count: int) -> None:
        size = count * emit.size_in_bytes(op.src.type)
        for position in positions:
            intrinsics.cp_async(address.of(op.dst, position), address.of(op.src, position), size)

    rows.copy(op, move)
