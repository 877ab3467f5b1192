"""`fold`: one thread per column folds its rows from first to last.

What a strict reduction means: a left fold in increasing index, rounded to the element type at every
step. Threads take columns in turn, so neighbours read neighbouring elements.

Before
    tirx.prod cta %src -> %dst axes [0] {strict}
      : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>

After
    scf.for %c = %tid to %c16 step %threads {
      %p = scf.for %r = %c0 to %c16 step %c1 iter_args(%acc = %one) -> (f32) {
        %x = memref.load %src[%r, %c]
        %y = arith.mulf %acc, %x : f32
        scf.yield %y : f32
      }
      memref.store %p, %dst[%c0, %c]
    }
"""

from typing import Any

from mlir import ir
from mlir.dialects import scf

from pto.lowering import emit, rules
from pto.lowering.dispatch import variant
from pto.lowering.reduction import combine
from pto.target import Target


@variant(
    *combine.PRIMITIVES,
    priority=1,
    when=[rules.exec_scope("cta"), rules.rank(2), rules.axes(0)],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loops."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    with emit.loop(emit.thread_id(), emit.extent(op.src, 1), emit.block_size(op)) as column:
        result = fold_rows(op, src, column, first=0, step=1, kind=emit.element(op.src.type))
        emit.store(result, dst, [0, column])


def fold_rows(
    op: Any, src: ir.Value, column: ir.Value, *, first: emit.Index, step: int, kind: ir.Type
) -> ir.Value:
    """The left fold of rows `first`, `first + step`, … of one column, as a value of type `kind`."""
    if combine.starts_from_element(op):
        # Row 0 rather than `first`: combining it twice changes nothing, and it always exists.
        start = combine.widen(emit.load(src, [0, column]), kind)
    else:
        start = combine.identity(op, kind)
    rows = emit.extent(op.src, 0)
    loop = scf.ForOp(emit.index(first), emit.index(rows), emit.index(step), [start])
    with ir.InsertionPoint(loop.body):
        element = combine.widen(emit.load(src, [loop.induction_variable, column]), kind)
        scf.yield_([combine.combine(op, loop.inner_iter_args[0], element)])
    return loop.results[0]
