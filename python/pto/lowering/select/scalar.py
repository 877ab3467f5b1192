"""`scalar`: threads select elements in turn, along the rows.

Before
    tirx.select cta %m, (%a, %b) -> %d : !tirx.buffer<16x3xui8, shared>,
      (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>

After
    scf.for %i = %tid to %c320 step %threads {
      %byte = memref.load %m[%i / 20, (%i mod 20) / 8]
      %bit = arith.trunci (arith.shrui %byte, (%i mod 20) mod 8) : i1
      %x = memref.load %a[%i / 20, %i mod 20]
      %y = arith.select %bit, %x, %b
      memref.store %y, %d[%i / 20, %i mod 20]
    }
"""

from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import address, emit, pointwise, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


@variant(
    "tirx.select",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        rules.has_dimensions,
        pointwise.is_bounded,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""

    def compute(position: list[Index]) -> None:
        if_set, otherwise = (pointwise.read(source, position) for source in op.srcs)
        value = arith.select(_bit(op, position), if_set, otherwise)
        pointwise.write(value, op.dst, position)

    pointwise.over_elements(op, compute)


def _bit(op: Any, position: list[Index]) -> ir.Value:
    *outer, column = position
    at = address.place(op.mask, [*outer, emit.div(column, 8)])
    byte = emit.load(emit.as_memref(op.mask), at)
    number = arith.index_cast(byte.type, emit.index(emit.rem(column, 8)))
    return arith.trunci(ir.IntegerType.get_signless(1), arith.shrui(byte, number))
