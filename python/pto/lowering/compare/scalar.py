"""`scalar`: threads write the bytes of the mask in turn, eight comparisons each.

Before
    tirx.compare cta "lt"(%a, %b) -> %m
      : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x3xui8, shared>

After
    scf.for %i = %tid to %c48 step %threads {   // 3 bytes per row
      %x0 = memref.load %a[%i / 3, (%i mod 3) * 8]
      %b0 = arith.extui (arith.cmpf olt, %x0, %b)
      …                                         // bits 1 to 7, where there is a column
      memref.store %byte, %m[%i / 3, %i mod 3]
    }
"""

from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import address, elements, emit, functions, pointwise, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Condition, Index
from pto.target import Target


@variant(
    "tirx.compare",
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
    """Emits the loop over bytes."""
    threads, box = workers.of(op), pointwise.shape(op)
    columns = pointwise.size(op, len(box) - 1)
    bytes_ = [*box[:-1], -(-box[-1] // 8)]
    memory = emit.as_memref(op.dst)
    with threads.share(elements.volume(bytes_)) as i:
        *outer, byte = elements.decode(i, bytes_)
        first = emit.mul(byte, 8)
        with emit.when(emit.both(pointwise.inside(op, outer), emit.less(first, columns))):
            value = _byte(op, outer, first, columns)
            emit.store(value, memory, address.place(op.dst, [*outer, byte]))


def _byte(op: Any, outer: list[Index], first: Index, columns: Index) -> ir.Value:
    """The bits of eight columns; those past the last one are 0."""
    i8 = ir.IntegerType.get_signless(8)
    total = arith.constant(i8, 0)
    is_whole = isinstance(columns, int) and columns % 8 == 0
    for bit in range(8):
        column = emit.add(first, bit)
        exists: Condition = True if is_whole or bit == 0 else emit.less(column, columns)
        # The first column is there to read where this one is not.
        at = column
        if not isinstance(exists, bool):
            at = arith.select(exists, emit.index(column), emit.index(first))
        elif not exists:
            continue
        holds = _holds(op, [*outer, at])
        if not isinstance(exists, bool):
            holds = arith.andi(holds, exists)
        shifted = arith.shli(arith.extui(i8, holds), arith.constant(i8, bit))
        total = arith.ori(total, shifted)
    return total


def _holds(op: Any, position: list[Index]) -> ir.Value:
    a, b = (pointwise.read(source, position) for source in op.srcs)
    kind = pointwise.whole(op)[0].type.element_type
    return functions.relation(op.function.value, kind, a, b)
