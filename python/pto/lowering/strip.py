"""Which results and which of their elements a CTA works on, when a grid or a cluster reduces.

Results are cut into strips of `threads.results` neighbours. With fewer CTAs than strips each takes
several strips in turn; with more, those that are left over share: `parts` of them (clusters, where
there are) walk over every `parts`-th group of a strip's elements. Where it is known that each has
one strip there is no loop, and nobody waits for the next one.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu, memref, scf, vector

from pto.dialects import tirx
from pto.lowering import address, emit, intrinsics, partial, region, rules, schedule
from pto.lowering.alignment import WIDEST
from pto.lowering.emit import Condition, Index
from pto.lowering.partial import Partial
from pto.lowering.schedule import Schedule
from pto.lowering.walk import Dim, Walk

MOST_SHARED = 4096
"""Strips that CTAs share; more of them fill any chip without."""


class Source:
    """The source of a reduction, before it is cut. All of it is computed where it is made, ahead of
    the loops that use it."""

    def __init__(self, op: Any, plan: Schedule):
        self.op, self.plan = op, plan
        kind = op.src.type
        # The kept dimensions; one with neighbours comes last.
        self.kept = sorted(region.kept(op), key=lambda dim: dim == plan.along)
        self.sizes = [emit.extent(op.src, dim) for dim in range(len(kind.shape))]
        self.strides: list[Index] = [
            tirx.stride(ir.IndexType.get(), op.src, dim) if stride is None else stride
            for dim, stride in enumerate(kind.strides)
        ]
        self.memory, self.base = _flat(op)

    def volume(self, dims: Sequence[int]) -> Index:
        """The number of positions along some dimensions."""
        count: Index = 1
        for dim in dims:
            count = emit.mul(count, self.sizes[dim])
        return count


def _flat(op: Any) -> tuple[ir.Value, Index]:
    """The memory of the source as one row, and where in it the first element is."""
    metadata = memref.ExtractStridedMetadataOp(emit.as_memref(op.src))
    dynamic = ir.ShapedType.get_dynamic_size()
    space = ir.Attribute.parse("#gpu.address_space<global>")
    kind = ir.MemRefType.get([dynamic], emit.element(op.src.type), None, space)
    # Nobody asks for its size.
    size = emit.index(2**62)
    view = memref.ReinterpretCastOp(kind, metadata.results[0], [], [size], [], [0], [dynamic], [1])
    return view.result, metadata.results[1]


class Strip:
    """A strip, and this CTA's part of it: number `part` of `parts`, counted in clusters where there
    are. `unit` is the number of this CTA, or of its cluster, in the grid, `rank` that in its
    cluster."""

    def __init__(
        self, source: Source, number: Index, part: Index, parts: Index, unit: Index, rank: Index
    ):
        self.source, self.op, self.plan = source, source.op, source.plan
        self.number, self.part, self.parts = number, part, parts
        self.unit, self.rank = unit, rank
        self.thread = emit.thread_id()
        if not self.plan.by_rows:
            self._outer, self._column = self._origin()

    # Results -------------------------------------------------------------------------------------

    def _origin(self) -> tuple[list[Index], Index]:
        """By columns: the position of the strip along the outer kept dimensions, and its first
        result along the last."""
        *outer, last = self.source.kept
        blocks = _ceil(self.source.sizes[last], self.plan.threads.results)
        number = self.number
        if outer:
            number, block = emit.div(number, blocks), emit.rem(number, blocks)
        else:
            block = number
        column = emit.mul(block, self.plan.threads.results)
        return _decode(number, [self.source.sizes[dim] for dim in outer]), column

    def result(self, column: Index) -> tuple[Condition, list[Index]]:
        """Whether the strip has a result number `column`, and its kept indices, in the order of
        `Source.kept`."""
        kept = self.source.kept
        if self.plan.by_rows:
            flat = emit.add(emit.mul(self.number, self.plan.threads.results), column)
            there = self._is_whole() or emit.less(flat, self.source.volume(kept))
            return there, _decode(flat, [self.source.sizes[dim] for dim in kept])
        index = emit.add(self._column, column)
        there = self._is_whole() or emit.less(index, self.source.sizes[kept[-1]])
        return there, [*self._outer, index]

    def _is_whole(self) -> bool:
        """Whether it is known that every strip has all its results."""
        kept = self.source.kept
        count = self.source.volume(kept if self.plan.by_rows else kept[-1:])
        size = emit.known(count)
        return size is not None and size % self.plan.threads.results == 0

    def destination(self, kept_at: list[Index]) -> list[Index]:
        """The position of a result in the destination."""
        order = sorted(zip(self.source.kept, kept_at, strict=True), key=lambda item: item[0])
        return region.destination(self.op, [index for _, index in order])

    # Elements ------------------------------------------------------------------------------------

    def fold(self) -> tuple[list[Partial], list[Index]]:
        """The combination of what this thread reads: one partial result for each of its own
        results, and their numbers in the strip."""
        threads, width = self.plan.threads, self.plan.vector
        if self.plan.by_rows:
            column = emit.div(self.thread, threads.reduced)
            return [self._fold_row(column)], [column]
        column = emit.mul(emit.rem(self.thread, threads.kept), width)
        return self._fold_columns(column), [emit.add(column, i) for i in range(width)]

    def _share(self, thread: Index) -> tuple[Index, Index]:
        """Where this thread starts, and how far its steps are, in groups of what a thread reads."""
        threads, ctas = self.plan.threads, self.plan.cluster
        share = emit.add(emit.mul(self.part, ctas), self.rank)
        first = emit.add(emit.mul(share, threads.reduced), thread)
        return first, emit.mul(emit.mul(self.parts, ctas), threads.reduced)

    def _dims(self, width: int, length: Index | None = None) -> list[Dim]:
        """The reduced dimensions, that with neighbours last: `length` vectors of `width`."""
        sizes, strides, along = self.source.sizes, self.source.strides, self.plan.along
        reduced = region.reduced(self.op)
        positions: dict[int, Index] = {}
        count: Index = 1
        for dim in reversed(reduced):
            positions[dim] = count
            count = emit.mul(count, sizes[dim])
        dims = [
            Dim(sizes[dim], strides[dim], positions[dim])
            for dim in sorted(reduced, key=lambda dim: dim == along)
        ]
        if length is not None:
            last = dims[-1]
            dims[-1] = Dim(length, emit.mul(last.stride, width), emit.mul(last.position, width))
        return dims

    def _fold_row(self, column: Index) -> Partial:
        """By rows: the vectors first, then the elements that fill none."""
        plan, source = self.plan, self.source
        first, step = self._share(emit.rem(self.thread, plan.threads.reduced))
        base = source.base
        _, kept_at = self.result(self._existing(column))
        for dim, index in zip(source.kept, kept_at, strict=True):
            base = emit.add(base, emit.mul(index, source.strides[dim]))
        last = self._dims(1)[-1]

        def walk(dims: list[Dim], base: Index, position: Index, width: int) -> Walk:
            in_words = width > 1 and partial.adds_in_words(self.op)

            def read(offset: Index, at: Index) -> Partial:
                elements = _load(self.op, source.memory, offset, width)
                if in_words:
                    return partial.sum_of_elements(self.op, elements, width)
                return partial.of_elements(self.op, elements, at, last.position)

            held = 1 if in_words else width
            return Walk(self.op, dims, base, position, first, step, plan.unroll, held, read)

        if plan.vector == 1:
            return walk(self._dims(1), base, 0, 1).run()
        vectors = emit.div(last.size, plan.vector)
        wide = walk(self._dims(plan.vector, vectors), base, 0, plan.vector)
        total = partial.tree(self.op, partial.split(wide.run(), wide.width))
        taken = emit.mul(vectors, plan.vector)
        rest = emit.sub(last.size, taken)
        if emit.known(rest) == 0:
            return total
        branch = scf.IfOp(
            emit.truth(emit.less(0, rest)), [part.type for part in total], has_else=True
        )
        with ir.InsertionPoint(branch.then_block):
            start = emit.add(base, emit.mul(taken, last.stride))
            position = emit.mul(taken, last.position)
            scf.yield_(list(walk(self._dims(1, rest), start, position, 1).run(total)))
        otherwise = branch.else_block
        assert otherwise is not None
        with ir.InsertionPoint(otherwise):
            scf.yield_(list(total))
        return tuple(branch.results)

    def _existing(self, column: Index) -> Index:
        """By rows: a thread without a result reads the elements of the last one."""
        if not self.source.kept or self._is_whole():
            return column
        first = emit.mul(self.number, self.plan.threads.results)
        last = emit.sub(emit.sub(self.source.volume(self.source.kept), 1), first)
        return emit.smaller(column, last)

    def _fold_columns(self, column: Index) -> list[Partial]:
        """By columns: a vector of neighbouring results."""
        plan, source = self.plan, self.source
        first, step = self._share(emit.div(self.thread, plan.threads.kept))
        base = source.base
        for dim, index in zip(source.kept, self._outer, strict=False):
            base = emit.add(base, emit.mul(index, source.strides[dim]))
        along = emit.add(self._column, column)
        if not self._is_whole():
            # A thread beyond the last result reads the last vector.
            along = emit.smaller(along, emit.sub(source.sizes[plan.along], plan.vector))
        base = emit.add(base, emit.mul(along, source.strides[plan.along]))

        def read(offset: Index, position: Index) -> Partial:
            elements = _load(self.op, source.memory, offset, plan.vector)
            return partial.of_elements(self.op, elements, position, 0)

        dims = self._dims(1)
        walk = Walk(self.op, dims, base, 0, first, step, plan.unroll, plan.vector, read)
        return partial.split(walk.run(), plan.vector)


def _load(op: Any, memory: ir.Value, offset: Index, width: int) -> ir.Value:
    if width == 1:
        return emit.load(memory, [offset])
    kind = ir.VectorType.get([width], emit.element(op.src.type))
    element = emit.size_in_bytes(op.src.type)
    if op.streaming and width * element == WIDEST:
        base = memref.extract_aligned_pointer_as_index(memory)
        return intrinsics.load_streaming(kind, address.at(base, op.src, offset))
    bytes_ = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), width * element)
    return vector.load(kind, memory, [emit.index(offset)], alignment=bytes_)


def _ceil(a: Index, b: int) -> Index:
    return emit.div(emit.add(a, b - 1), b)


def _decode(flat: Index, sizes: list[Index]) -> list[Index]:
    indices: list[Index] = []
    for size in reversed(sizes[1:]):
        indices.insert(0, emit.rem(flat, size))
        flat = emit.div(flat, size)
    return [flat, *indices] if sizes else []


# The cut ------------------------------------------------------------------------------------------


def count(source: Source) -> Index:
    """How many strips there are."""
    results = source.plan.threads.results
    if source.plan.by_rows:
        return _ceil(source.volume(source.kept), results)
    *outer, last = source.kept
    return emit.mul(source.volume(outer), _ceil(source.sizes[last], results))


@contextmanager
def strips(op: Any) -> Generator[Strip]:
    """A loop over this CTA's strips, if there may be several; its body is the same for all threads
    of a cluster."""
    source = Source(op, schedule.of(op))
    schedule.limit_registers(op)
    ctas = source.plan.cluster
    total = count(source)
    unit, units, rank = _units(op, ctas)
    parts = _parts(source.plan, total, units)
    if ctas > 1:
        intrinsics.cluster_arrive()
    if emit.known(total) == 1 and source.plan.split is None:
        yield Strip(source, 0, unit, units, unit, rank)
        return
    first, part = emit.div(unit, parts), emit.rem(unit, parts)
    if emit.known(units) is not None and emit.known(units) == emit.known(emit.mul(total, parts)):
        yield Strip(source, first, part, parts, unit, rank)
        return
    with emit.loop(first, total, emit.div(units, parts)) as number:
        yield Strip(source, number, part, parts, unit, rank)
        if ctas > 1:
            intrinsics.cluster_arrive()
        # Shared memory may be written again once everyone is here.
        gpu.barrier()
    if ctas > 1:
        intrinsics.cluster_wait()


def _units(op: Any, ctas: int) -> tuple[Index, Index, Index]:
    """The number of this CTA or cluster, how many there are, and this CTA's rank."""
    cta = gpu.block_id(gpu.Dimension.x)
    rank = emit.rem(cta, ctas)
    if rules.scope_of(op) == "cluster":
        return 0, 1, rank
    return emit.div(cta, ctas), emit.div(emit.grid_size(op), ctas), rank


def _parts(plan: Schedule, total: Index, units: Index) -> Index:
    """How many CTAs or clusters share a strip."""
    most = None if plan.split is None else plan.split // plan.cluster
    if most == 1 or emit.known(units) == 1:
        return 1
    if emit.known(total) == 1:
        return units if most is None else emit.smaller(units, most)
    shared = _quotient(units, emit.smaller(total, units))
    if most is not None:
        shared = emit.smaller(shared, most)
    return emit.select(emit.at_most(total, MOST_SHARED), shared, 1)


def _quotient(a: Index, b: Index) -> Index:
    """`a // max(b, 1)`, in 32 bits, which are faster to divide."""
    if isinstance(a, int) and isinstance(b, int):
        return a // max(b, 1)
    i32 = ir.IntegerType.get_signless(32)
    divisor = arith.maxsi(emit.index(b), emit.index(1))
    quotient = arith.divui(*(arith.index_cast(i32, emit.index(n)) for n in (a, divisor)))
    return arith.index_cast(ir.IndexType.get(), quotient)
