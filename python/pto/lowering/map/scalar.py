"""`scalar`: threads compute elements in turn, along the rows; for any layout in memory.

Before
    tirx.map cta "add"(%a, %b) -> %d
      : (!tirx.buffer<16x16xf32, shared>, f32) -> !tirx.buffer<16x16xf32, shared>

After
    scf.for %i = %tid to %c256 step %threads {
      %x = memref.load %a[%i / 16, %i mod 16]
      %y = arith.addf %x, %b : f32
      memref.store %y, %d[%i / 16, %i mod 16]
    }
"""

from typing import Any

from pto.lowering import functions, pointwise, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


@variant(
    "tirx.map",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        pointwise.is_bounded,
        functions.known_function,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""

    def compute(position: list[Index]) -> None:
        operands = [pointwise.read(source, position) for source in op.srcs]
        pointwise.write(functions.apply(op, operands), op.dst, position)

    pointwise.over_elements(op, compute)
