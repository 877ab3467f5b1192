"""`shared`: threads share the elements, up to 16 bytes at a time, along the rows.

Vectors of f32 become packed `f32x2` instructions on sm_100 and newer, those of f16 and bf16 `x2`
ones everywhere. The columns that do not fill a vector are computed one by one.

Before
    tirx.map cta "add"(%a, %b) -> %d
      : (!tirx.buffer<16x16xf32, shared>, f32) -> !tirx.buffer<16x16xf32, shared>

After
    scf.if %tid < %c64 {
      %x = vector.load %a[%tid / 4, (%tid mod 4) * 4] {alignment = 16} : vector<4xf32>
      %y = arith.addf %x, %bbbb : vector<4xf32>
      vector.store %y, %d[%tid / 4, (%tid mod 4) * 4] {alignment = 16} : vector<4xf32>
    }
"""

from typing import Any

from pto.lowering import functions, pointwise, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


def at_least_two(op: Any, _: Target) -> str | None:
    """A vector has at least two elements."""
    if pointwise.is_bounded(op) is None and pointwise.width(op) < 2:
        return "at_least_two: shape, strides or address allow single elements only"
    return None


def detail(op: Any, _: Target) -> str:
    """How wide the vectors are."""
    return f"vectors of {pointwise.width(op)}"


@variant(
    "tirx.map",
    priority=10,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.strided,
        rules.has_dimensions,
        pointwise.is_bounded,
        functions.known_function,
        at_least_two,
    ],
    detail=detail,
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop over vectors."""
    sources = [pointwise.once(source) for source in op.srcs]

    def compute(position: list[Index], count: int) -> None:
        operands = [pointwise.read(source, position, count) for source in sources]
        pointwise.write(functions.apply(op, operands), op.dst, position, count)

    pointwise.over_vectors(op, compute)
