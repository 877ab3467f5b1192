"""`scalar`: threads copy elements in turn, along the rows.

Before
    tirx.copy cta %src -> %dst
      : !tirx.buffer<?x?xf32, global, strides = [?, ?]> -> !tirx.buffer<16x16xf32, shared>

After
    scf.for %i = %tid to %elements step %threads {
      %x = memref.load %src[%i / 16, %i mod 16]
      memref.store %x, %dst[%i / 16, %i mod 16]
    }
"""

from typing import Any

from pto.lowering import bounded, emit, rows, rules, workers
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    "tirx.copy",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        bounded.is_bounded,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    rows.copy_elements(op, emit.as_memref(op.src), emit.as_memref(op.dst))
