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

from mlir import ir

from pto.lowering import emit, rules
from pto.lowering.copy import bounded
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    "tirx.copy",
    priority=1,
    when=[rules.exec_scope("cta"), rules.rank(2), bounded.is_bounded],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    copy_elements(op, emit.as_memref(op.src), emit.as_memref(op.dst))


def copy_elements(op: Any, src: ir.Value, dst: ir.Value) -> None:
    """The loop, over a rectangle that contains the region, with a guard where it is larger."""
    rows, columns = bounded.shape(op)
    with emit.loop(emit.thread_id(), rows * columns, emit.block_size(op)) as i:
        row, column = emit.div(i, columns), emit.rem(i, columns)
        inside = emit.both(bounded.guard(op, 0, row), bounded.guard(op, 1, column))
        with emit.when(inside):
            emit.store(emit.load(src, [row, column]), dst, [row, column])
