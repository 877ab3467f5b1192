"""`shared`: the threads of a scope share an array in shared memory.

Every result gets `split` groups of `lanes` threads, so that all threads are busy when there are few
results. A thread folds every n-th element; the lanes of a group join by shuffles, the groups of a
result through shared memory.

- By rows, if neighbouring elements are reduced: neighbouring lanes read neighbouring elements, up
  to 16 bytes each. Elements of a row of unknown length that do not fill a vector go one to a lane.
- By columns, if neighbouring elements belong to neighbouring results: a group is one thread.

`lanes` is the largest power of two that divides the number of threads (and a warp), so a CTA of 48
threads works in groups of 16. Idle threads read an element that exists, and nobody skips a shuffle
or a barrier. f16 and bf16 sums and products accumulate in f32 and are rounded once.

Before
    tirx.prod cta %src -> %dst axes [0]
      : !tirx.buffer<64x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>

After (256 threads, by columns: 16 groups for each of 16 results)
    %p = scf.for %r = %group to %c64 step %c16 iter_args(%acc = %one) -> (f32) { … }
    memref.store %p, %partials[%group, %column]
    gpu.barrier
    scf.if %first {             // thread = column
      %q = scf.for %g = %c1 to %c16 step %c1 iter_args(%acc = …) -> (f32) { … }  // a tree up to 8
      memref.store %q, %dst[%c0, %column]
    }
    gpu.barrier
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from math import gcd
from typing import Any

from mlir import ir
from mlir.dialects import arith, scf, vector

from pto.dialects import tirx
from pto.lowering import alignment, combine, elements, emit, region, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.lowering.facts import fact
from pto.lowering.layout import WARP
from pto.lowering.reduction.fold import bounded_results
from pto.lowering.reduction.shuffle import butterfly
from pto.lowering.workers import Workers
from pto.target import Target

UNROLLED = 8
"""Partial results of a result that are combined without a loop."""


@dataclass(frozen=True)
class Plan:
    """How threads are given to results."""

    by_rows: bool
    results: int
    """An upper bound of their number."""
    lanes: int
    split: int
    width: int
    """Neighbouring elements that a thread reads at once."""
    length: int
    """An upper bound of the elements of a result."""


@fact
def plan(op: Any) -> Plan | None:
    """The plan for `op`, None if the sizes have no bound."""
    shape = elements.bounds(op.src)
    if shape is None:
        return None
    results = max(1, elements.volume([shape[dim] for dim in region.kept(op)]))
    length = elements.volume([shape[dim] for dim in region.reduced(op)])
    threads, last = workers.size_of(op), len(shape) - 1
    by_rows = last in region.reduced(op) or results == 1
    if not by_rows:
        split = max(1, min(threads // results, length))
        return Plan(by_rows, results, 1, split, 1, length)
    width = _width(op)
    chunks = -(-length // width)
    lanes = min(gcd(threads, WARP), 1 << (chunks - 1).bit_length())
    split = max(1, min(threads // lanes // results, -(-chunks // lanes)))
    return Plan(by_rows, results, lanes, split, width, length)


def _width(op: Any) -> int:
    """Neighbouring reduced elements that one aligned access reads."""
    element = emit.size_in_bytes(op.src.type)
    *pitches, stride = op.src.type.strides
    size = op.src.type.shape[-1]
    bound = emit.bound(op.src, len(op.src.type.shape) - 1)
    if stride != 1 or bound is None or len(op.src.type.shape) - 1 not in region.reduced(op):
        return 1
    width = alignment.WIDEST // element
    while width > 1 and (
        (bound < width if size is None else size % width)
        or any(pitch is None or pitch % width for pitch in pitches)
        or alignment.of(op.src) % (width * element)
    ):
        width //= 2
    return width


def shares_work(op: Any, _: Target) -> str | None:
    """More than one thread works on a result."""
    if rules.strided(op, _) is not None:
        return None
    found = plan(op)
    if found is None:
        return "shares_work: the sizes of the source have no known bound"
    if found.lanes * found.split > 1:
        return None
    shape = elements.bounds(op.src)
    return f"shares_work: {shape} gives {workers.size_of(op)} threads no second one per result"


def static_inner(op: Any, _: Target) -> str | None:
    """All reduced dimensions but the first have a static size."""
    for dim in region.reduced(op)[1:]:
        if op.src.type.shape[dim] is None:
            return f"static_inner: dimension {dim} has no static size"
    return None


@variant(
    *combine.PRIMITIVES,
    priority=5,
    when=[
        rules.exec_scope("warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.strided,
        rules.memory("shared", "global"),
        bounded_results,
        static_inner,
        combine.order_is_free,
        combine.no_atomic,
        shares_work,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the folds, the shuffles and the exchange through shared memory."""
    found = plan(op)
    assert found is not None
    _Lowering(op, found, workers.of(op)).emit()


class _Lowering:
    """The values that the parts of the algorithm share."""

    def __init__(self, op: Any, found: Plan, threads: Workers):
        self.op, self.plan, self.threads = op, found, threads
        self.src, self.dst = emit.as_memref(op.src), emit.as_memref(op.dst)
        self.kind = combine.accumulator(op)
        self.kept = [emit.extent(op.src, dim) for dim in region.kept(op)]
        self.reduced = [emit.extent(op.src, dim) for dim in region.reduced(op)]
        self.count = _product(self.kept)

    def emit(self) -> None:
        lanes, index = self.plan.lanes, self.threads.index
        lane, group = emit.rem(index, lanes), emit.div(index, lanes)
        if self.plan.split > 1:
            self._exchange(lane, group)
            return
        groups = self.threads.count // lanes
        with self._turns(groups) as base:
            result = emit.add(base, group)
            value = self._join(self._fold(result, lane, lanes))
            with emit.when(emit.both(emit.less(result, self.count), emit.equal(lane, 0))):
                self._store(value, result)

    @contextmanager
    def _turns(self, groups: int) -> Generator[Index]:
        """The first of the results that all groups work on, in turn if they are fewer."""
        if self.plan.results > groups:
            with emit.loop(0, self.count, groups) as base:
                yield base
        else:
            with emit.when(emit.less(0, self.count)):
                yield 0

    def _exchange(self, lane: Index, group: Index) -> None:
        """Several groups per result."""
        split, results = self.plan.split, self.plan.results
        groups = self.threads.count // self.plan.lanes
        if groups == split:
            result, part = 0, group
        elif self.plan.by_rows:
            result, part = emit.div(group, split), emit.rem(group, split)
        else:
            result, part = emit.rem(group, results), emit.div(group, results)
        first = emit.add(emit.mul(part, self.plan.lanes), lane)
        value = self._join(self._fold(result, first, split * self.plan.lanes))
        shape = [self.threads.groups, split, results]
        partials = emit.as_memref(tirx.alloc(tirx.BufferType.get(shape, self.kind, "shared")))
        takes_part = groups == split * results or emit.less(group, split * results)
        with emit.when(emit.both(emit.equal(lane, 0), takes_part)):
            emit.store(value, partials, [self.threads.group, part, result])
        self.threads.barrier()
        with self.threads.share(self.count, results) as own:
            self._store(self._total(partials, own), own)
        # The partial results may be overwritten by the next use of the same memory.
        self.threads.barrier()

    def _total(self, partials: ir.Value, result: Index) -> ir.Value:
        """The combination of all groups of a result."""

        def load(part: Index) -> ir.Value:
            return emit.load(partials, [self.threads.group, part, result])

        if self.plan.split <= UNROLLED:
            return combine.tree(self.op, [load(part) for part in range(self.plan.split)])
        loop = scf.ForOp(emit.index(1), emit.index(self.plan.split), emit.index(1), [load(0)])
        with ir.InsertionPoint(loop.body):
            element = load(loop.induction_variable)
            scf.yield_([combine.combine(self.op, loop.inner_iter_args[0], element)])
        return loop.results[0]

    def _fold(self, result: Index, first: Index, step: int) -> ir.Value:
        """This thread's part of a result: chunks `first`, `first + step`, … A thread without a
        result or without chunks works on the last one; `max` and `min` begin with a chunk that
        they may meet again."""
        kept_at = elements.decode(_at_most(result, emit.sub(self.count, 1)), self.kept)
        chunks = _product([*self.reduced[:-1], emit.div(self.reduced[-1], self.plan.width)])
        start = self._start(kept_at, first, chunks)
        most = -(-self.plan.length // self.plan.width)
        folded = emit.fold(
            (first, chunks, step),
            start,
            lambda total, i: combine.combine(self.op, total, self._chunk(kept_at, i)),
            is_once=most <= step,
        )
        if self.plan.width == 1:
            return folded
        parts = [vector.extract(folded, [], [i]) for i in range(self.plan.width)]
        total = combine.tree(self.op, parts)
        return total if self._is_whole() else self._rest(total, kept_at, first, chunks, step)

    def _is_whole(self) -> bool:
        """Whether vectors are known to fill the rows."""
        return self.plan.width == 1 or emit.known(self.reduced[-1]) is not None

    def _start(self, kept_at: list[Index], first: Index, chunks: Index) -> ir.Value:
        """From what the fold starts, a vector if it is one over vectors."""
        if not combine.starts_from_element(self.op):
            return combine.identity(self.op, self._vector(self.kind))
        if self._is_whole():
            return self._chunk(kept_at, _at_most(first, emit.sub(chunks, 1)))
        # A row may be too short for a vector.
        own = _at_most(first, emit.sub(self.reduced[-1], 1))
        return vector.broadcast(self._vector(self.kind), self._element(kept_at, [own]))

    def _rest(
        self, total: ir.Value, kept_at: list[Index], first: Index, chunks: Index, step: int
    ) -> ir.Value:
        """`total` and this thread's elements behind the last chunk, in the only dimension."""
        start = emit.add(emit.mul(chunks, self.plan.width), first)
        return emit.fold(
            (start, self.reduced[-1], step),
            total,
            lambda total, i: combine.combine(self.op, total, self._element(kept_at, [i])),
            is_once=self.plan.width <= step,
        )

    def _element(self, kept_at: list[Index], at: list[Index]) -> ir.Value:
        """One element of a result, as a partial result."""
        position = region.source(self.op, kept_at, at)
        return combine.widen(emit.load(self.src, position), self.kind)

    def _vector(self, kind: ir.Type) -> ir.Type:
        return kind if self.plan.width == 1 else ir.VectorType.get([self.plan.width], kind)

    def _chunk(self, kept_at: list[Index], number: Index) -> ir.Value:
        """The elements of chunk `number` of a result, as partial results."""
        width = self.plan.width
        at = elements.decode(number, [*self.reduced[:-1], emit.div(self.reduced[-1], width)])
        if width == 1:
            return self._element(kept_at, at)
        position = region.source(self.op, kept_at, [*at[:-1], emit.mul(at[-1], width)])
        element = emit.element(self.op.src.type)
        bytes_ = width * emit.size_in_bytes(self.op.src.type)
        loaded = vector.load(
            self._vector(element),
            self.src,
            [emit.index(i) for i in position],
            alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), bytes_),
        )
        return combine.widen(loaded, self.kind)

    def _join(self, value: ir.Value) -> ir.Value:
        """The combination over the lanes of a group."""
        steps = [1 << i for i in range(self.plan.lanes.bit_length() - 1)]
        return butterfly(self.op, value, steps, self._mask()) if steps else value

    def _mask(self) -> ir.Value | None:
        """The lanes that exist: the last warp of a CTA may be smaller."""
        rest = self.threads.count % WARP
        if rest == 0:
            return None
        i32 = ir.IntegerType.get_signless(32)
        whole = emit.less(self.threads.index, self.threads.count - rest)
        partial = arith.constant(i32, (1 << rest) - 1)
        return arith.select(emit.truth(whole), arith.constant(i32, -1), partial)

    def _store(self, value: ir.Value, result: Index) -> None:
        at = region.destination(self.op, elements.decode(result, self.kept))
        if combine.has(self.op, "accum"):
            old = combine.widen(emit.load(self.dst, at), self.kind)
            value = combine.combine(self.op, old, value)
        emit.store(combine.narrow(value, emit.element(self.op.dst.type)), self.dst, at)


def _product(sizes: list[Index]) -> Index:
    product: Index = 1
    for size in sizes:
        product = emit.mul(product, size)
    return product


def _at_most(value: Index, most: Index) -> Index:
    a, b = emit.known(value), emit.known(most)
    if a is not None and b is not None:
        return min(a, b)
    return arith.minsi(emit.index(value), emit.index(most))
