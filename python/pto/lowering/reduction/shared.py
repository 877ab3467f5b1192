"""`shared`: groups of threads fold every G-th row; the partial results meet in shared memory.

For matrices with fewer columns than threads. G is the largest power of two for which G groups of one
thread per column fit into the CTA. f16 and bf16 sums and products accumulate in f32 and are rounded
once.

Before
    tirx.prod cta %src -> %dst axes [0]
      : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>

After (256 threads: 16 groups of 16 columns)
    scf.if %active {            // group = tid / 16, column = tid % 16
      %p = scf.for %r = %group to %c64 step %c16 iter_args(%acc = %one) -> (f32) { … }
      memref.store %p, %partials[%group, %column]
    }
    gpu.barrier
    scf.if %first {             // group 0
      %q = scf.for %g = %c0 to %c16 step %c1 iter_args(%acc = %one) -> (f32) { … }
      memref.store %q, %dst[%c0, %column]
    }
    gpu.barrier
"""

from typing import Any

from mlir import ir
from mlir.dialects import gpu, scf

from pto.dialects import tirx
from pto.lowering import emit, rules
from pto.lowering.dispatch import variant
from pto.lowering.reduction import combine
from pto.lowering.reduction.fold import fold_rows
from pto.target import Target


def groups(op: Any) -> int:
    """Groups of one thread per column that fit into the CTA, no more than there are rows; 0 if the
    number of columns has no known bound."""
    columns = emit.bound(op.src, 1)
    if columns is None:
        return 0
    most = emit.block_size(op) // columns
    rows = emit.bound(op.src, 0)
    if rows is not None:
        most = min(most, rows)
    return 1 << (most.bit_length() - 1) if most else 0


def splits_rows(op: Any, _: Target) -> str | None:
    """At least two groups fit."""
    columns = emit.bound(op.src, 1)
    if columns is None:
        return "splits_rows: the number of columns has no known bound"
    if groups(op) >= 2:
        return None
    return (
        f"splits_rows: {emit.bound(op.src, 0)} rows of {columns} columns give "
        f"{emit.block_size(op)} threads one group"
    )


@variant(
    *combine.PRIMITIVES,
    priority=5,
    when=[
        rules.exec_scope("cta"),
        rules.rank(2),
        rules.axes(0),
        combine.order_is_free,
        splits_rows,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the two folds and their barriers."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    kind = combine.accumulator(op)
    count, width = groups(op), emit.bound(op.src, 1)
    assert width is not None
    scratch = tirx.alloc(tirx.BufferType.get([count, width], kind, "shared"))
    partials = emit.as_memref(scratch)
    thread = emit.thread_id()
    group, column = emit.div(thread, width), emit.rem(thread, width)
    inside = emit.less(column, emit.extent(op.src, 1))
    with emit.when(emit.both(emit.less(thread, count * width), inside)):
        partial = fold_rows(op, src, emit.index(column), first=group, step=count, kind=kind)
        emit.store(partial, partials, [group, column])
    gpu.barrier()
    with emit.when(emit.both(emit.less(thread, width), inside)):
        start = emit.load(partials, [0, column])
        loop = scf.ForOp(emit.index(1), emit.index(count), emit.index(1), [start])
        with ir.InsertionPoint(loop.body):
            element = emit.load(partials, [loop.induction_variable, column])
            scf.yield_([combine.combine(op, loop.inner_iter_args[0], element)])
        result = combine.narrow(loop.results[0], emit.element(op.src.type))
        emit.store(result, dst, [0, column])
    # The partial results may be overwritten by the next use of the same memory.
    gpu.barrier()
