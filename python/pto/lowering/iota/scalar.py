"""`scalar`: threads write elements in turn.

Before
    tirx.iota cta %value -> %dst : i32 -> !tirx.buffer<1x256xi32, shared>

After
    scf.for %i = %tid to %c256 step %threads {
      %k = arith.index_cast %i : index to i32
      %x = arith.addi %value, %k : i32
      memref.store %x, %dst[0, %i]
    }
"""

from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import emit, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.lowering.fill.scalar import is_bounded, over_elements
from pto.target import Target


@variant(
    "tirx.iota",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        is_bounded,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    step = arith.subi if op.descending else arith.addi

    def value_at(position: list[Index]) -> ir.Value:
        column = arith.index_cast(op.value.type, emit.index(position[-1]))
        return step(op.value, column)

    over_elements(op, value_at)
