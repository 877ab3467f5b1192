"""`vector`: threads copy up to 16 bytes at a time, along the rows.

What the types do not tell about global memory (the address, the strides) is tested at run time: if
the rows are contiguous and aligned the wide loop runs, else the loop of `scalar`. The columns that
do not fill a vector are copied one by one. Of a box of one row a thread reads up to four vectors
before it writes them.

Before
    tirx.copy cta %src -> %dst
      : !tirx.buffer<16x16xf32, global, strides = [?, 1]> -> !tirx.buffer<16x16xf32, shared>

After
    scf.if %aligned {           // (address | row stride in bytes) mod 16 == 0
      scf.for %i = %tid to %c64 step %threads {
        %v = vector.load %src[%i / 4, (%i mod 4) * 4] {alignment = 16} : vector<4xf32>
        vector.store %v, %dst[%i / 4, (%i mod 4) * 4] {alignment = 16} : vector<4xf32>
      }
    } else { … }
"""

from typing import Any

from mlir import ir
from mlir.dialects import vector

from pto.lowering import bounded, emit, rows, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


def at_least_two(op: Any, _: Target) -> str | None:
    """A vector has at least two elements."""
    if op.src.type.shape and bounded.is_bounded(op) is None and rows.width(op) < 2:
        return "at_least_two: shape, strides or address allow single elements only"
    return None


@variant(
    "tirx.copy",
    priority=10,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.strided,
        rules.has_dimensions,
        bounded.is_bounded,
        rows.unit_stride,
        at_least_two,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the wide loop, and the other where a test decides."""
    element = emit.size_in_bytes(op.src.type)

    def move(src: ir.Value, dst: ir.Value, positions: list[list[Index]], count: int) -> None:
        kind = ir.VectorType.get([count], emit.element(op.src.type))
        size = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), count * element)
        places = [[emit.index(index) for index in position] for position in positions]
        values = [vector.load(kind, src, at, alignment=size) for at in places]
        for value, at in zip(values, places, strict=True):
            vector.store(value, dst, at, alignment=size)

    rows.copy(op, move)
