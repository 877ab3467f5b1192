"""`scalar`: threads write elements in turn.

Before
    tirx.fill cta %value -> %dst : f32 -> !tirx.buffer<16x16xf32, shared>

After
    scf.for %i = %tid to %c256 step %threads {
      memref.store %value, %dst[%i / 16, %i mod 16]
    }
"""

from typing import Any

from pto.lowering import address, elements, emit, rules, workers
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    "tirx.fill",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        elements.static_shapes,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    dst = emit.as_memref(op.dst)
    threads, shape = workers.of(op), op.dst.type.shape
    with emit.loop(threads.index, elements.volume(shape), threads.count) as i:
        emit.store(op.value, dst, address.place(op.dst, elements.decode(i, shape)))
