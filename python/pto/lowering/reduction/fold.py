"""`fold`: one thread per result folds its elements from first to last.

What a strict reduction means: a left fold in increasing index, rounded to the element type at every
step. Threads take results in turn, so that neighbours read neighbouring columns.

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

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir import ir
from mlir.dialects import scf

from pto.lowering import combine, elements, emit, region, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


def bounded_results(op: Any, _: Target | None = None) -> str | None:
    """All kept dimensions but the first have a static size."""
    for dim in region.kept(op)[1:]:
        if op.src.type.shape[dim] is None:
            return f"bounded_results: dimension {dim} has no static size"
    return None


@variant(
    *combine.PRIMITIVES,
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.strided,
        bounded_results,
        combine.no_atomic,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loops."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    kind, element = combine.accumulator(op), emit.element(op.dst.type)
    with results(op) as position:
        at = region.destination(op, position)
        start = None
        if combine.has(op, "accum"):
            start = combine.widen(emit.load(dst, at), kind)
        result = fold(op, src, position, start, kind)
        emit.store(combine.narrow(result, element), dst, at)


@contextmanager
def results(op: Any) -> Generator[list[Index]]:
    """A loop over the results that this thread takes; yields their kept indices."""
    kept = [emit.extent(op.src, dim) for dim in region.kept(op)]
    threads = workers.of(op)
    count: Index = 1
    for size in kept:
        count = emit.mul(count, size)
    with emit.loop(threads.index, count, threads.count) as flat:
        yield elements.decode(flat, kept)


def fold(
    op: Any, src: ir.Value, kept_at: Sequence[Index], start: ir.Value | None, kind: ir.Type
) -> ir.Value:
    """The left fold of one result's elements from `start`, or from where the operation starts."""
    dims = region.reduced(op)
    if start is None and combine.starts_from_element(op):
        # The first element is folded twice, which changes nothing.
        first = region.source(op, kept_at, [0] * len(dims))
        start = combine.widen(emit.load(src, first), kind)
    accumulated = combine.identity(op, kind) if start is None else start

    def nest(remaining: Sequence[int], at: list[Index], value: ir.Value) -> ir.Value:
        if not remaining:
            element = emit.load(src, region.source(op, kept_at, at))
            return combine.combine(op, value, combine.widen(element, kind))
        size = emit.extent(op.src, remaining[0])
        loop = scf.ForOp(emit.index(0), emit.index(size), emit.index(1), [value])
        with ir.InsertionPoint(loop.body):
            inner = nest(remaining[1:], [*at, loop.induction_variable], loop.inner_iter_args[0])
            scf.yield_([inner])
        return loop.results[0]

    return nest(dims, [], accumulated)
