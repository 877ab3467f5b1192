"""`scalar`: threads write elements in turn.

Before
    tirx.fill cta %value -> %dst : f32 -> !tirx.buffer<16x16xf32, shared>

After
    scf.for %i = %tid to %c256 step %threads {
      memref.store %value, %dst[%i / 16, %i mod 16]
    }
"""

from typing import Any

from pto.lowering import emit, rules
from pto.lowering.dispatch import variant
from pto.target import Target


def static_shape(op: Any, _: Target) -> str | None:
    """The buffer has a static shape."""
    return f"static_shape: {op.dst.type}" if None in op.dst.type.shape else None


@variant(
    "tirx.fill",
    priority=1,
    when=[rules.exec_scope("cta"), rules.rank(2), static_shape],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    dst = emit.as_memref(op.dst)
    rows, columns = op.dst.type.shape
    with emit.loop(emit.thread_id(), rows * columns, emit.block_size(op)) as i:
        emit.store(op.value, dst, [emit.div(i, columns), emit.rem(i, columns)])
