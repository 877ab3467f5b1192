"""`flagged`: CTAs leave partial results with a flag; others, at the end of the grid, wait for them.

A partial result of 32 bits and its flag are one word of 64 bits, which memory reads and writes at
once. So whoever sees the flag has the result: no fence, no counter, and a CTA that has left its
words may end. The last CTAs of the grid start when most others have ended; they poll the words,
combine them in the order of the parts, and set them to zero for the next launch. The same kernel
gives the same bits. (Flag and value in one word: the low latency protocol of NCCL. CTAs that wait
for those of smaller numbers, which the hardware starts first: the single-pass scan of Merrill and
Garland, 2016.)

Nobody waits for a CTA that finds no room, since CTAs start in the order of their numbers. Should a
chip not keep to that: no more than `MOST_WAITING` wait, in plans of `pto.reductions` no more than
half as many as there are multiprocessors.

The workspace, at a multiple of 8 bytes, is zero before the first launch, and again after each. By
rows its words lie in the order of the results, for each its parts; by columns in the order of the
strips, for each its parts, for each of those the results of the strip.

Before
    tirx.prod grid %x -> %y axes [1] workspace(%w) {split = 8, waiting = 8, vector = 4, unroll = 2}
      : !tirx.buffer<1024x65536xf32, global> -> !tirx.buffer<1024xf32, global>
    in CTAs of 1024 threads, of which the grid has 8 for each of 1024 strips, and 8

After
    scf.if %cta < 8192 {
      %p = the partial result of part %cta % 8 of strip %cta / 8                (walk.py, cta.py)
      scf.if %tid < 1 { st.relaxed.gpu.global.b64 %words[%cta], %p | 1 << 32 }
    } else {
      %q = scf.while { ld.relaxed.gpu.global.b64 %words[1024 * (%cta - 8192) + %tid] }, again and
           again until its flag is there
      st.relaxed.gpu.global.b64 %words[1024 * (%cta - 8192) + %tid], 0
      %r = the combination of the values of 8 neighbouring lanes                       (cta.py)
      scf.if %tid % 8 == 0 { memref.store %r, %y[128 * (%cta - 8192) + %tid / 8] }
    }

Any other grid will do: CTAs take several parts in turn, or several groups of results; in one that
has no more CTAs than should wait, the first works before it waits.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu, scf

from pto.lowering import (
    address,
    combine,
    cta,
    emit,
    finish,
    intrinsics,
    partial,
    region,
    rules,
    schedule,
)
from pto.lowering.dispatch import variant
from pto.lowering.emit import Condition, Index
from pto.lowering.partial import Partial
from pto.lowering.schedule import WARP, Threads
from pto.lowering.strip import Source, Strip, count
from pto.target import Target

WORD_BYTES = 8
FLAG = 1 << 32
MOST_WAITING = 64
"""CTAs that wait at most."""
MOST_WORDS = 1 << 40
"""Parts of all results at most: 8 TB."""
READS = 8
"""Words for which a thread waits at once."""
LINE = 16
"""Words of a line of memory."""


def workspace_bytes(strips: int, split: int, results: int) -> int:
    """Bytes of workspace where `split` CTAs share each of so many strips. `results` are those of a
    strip: K of `threads = [R, K]`, times `vector` if neighbouring results are neighbours in memory.
    """
    return WORD_BYTES * strips * split * results


def is_word(op: Any, _: Target) -> str | None:
    """A partial result has at most 32 bits."""
    size = sum(partial.size_in_bytes(op))
    return None if size <= 4 else f"is_word: a partial result has {size} bytes, more than 4"


def has_waiting(op: Any, _: Target) -> str | None:
    """CTAs share strips, and a few wait for the others."""
    plan = schedule.of(op)
    if op.waiting is None:
        return "has_waiting: none of the CTAs waits for the others"
    if op.waiting.value > MOST_WAITING:
        return f"has_waiting: {op.waiting.value} CTAs wait, more than {MOST_WAITING}"
    if plan.split is None or plan.split < 2 or plan.cluster > 1:
        return "has_waiting: no number of CTAs shares each strip, or they are in clusters"
    sizes = [op.src.type.shape[dim] for dim in region.kept(op)]
    if math.prod(size for size in sizes if size is not None) * plan.split > MOST_WORDS:
        return f"has_waiting: {plan.split} parts of each result are more than memory holds"
    return None


@variant(
    *partial.PRIMITIVES,
    priority=9,
    when=[
        rules.exec_scope("grid"),
        rules.strided,
        rules.given("workspace"),
        schedule.fits,
        combine.order_is_free,
        is_word,
        has_waiting,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the CTAs that work and those that wait."""
    source = Source(op, schedule.of(op))
    # With few vectors in flight there is room for more threads.
    few = source.plan.unroll < schedule.UNROLL // 2
    schedule.limit_registers(op, schedule.RESIDENT * (2 if few else 1))
    words = Words(source)
    cta_id, grid = gpu.block_id(gpu.Dimension.x), emit.grid_size(op)
    first = emit.larger(emit.sub(grid, op.waiting.value), 0)
    if isinstance(first, int) and first == words.shares:
        for works in emit.branches(emit.less(cta_id, first)):
            if works:
                _leave(source, words, cta_id)
            else:
                _gather(source, words, emit.sub(cta_id, first), op.waiting.value)
        return
    working = emit.larger(first, 1)
    with emit.when(emit.less(cta_id, working)), emit.loop(cta_id, words.shares, working) as share:
        _leave(source, words, share)
        # Shared memory may be written again once everyone is here.
        gpu.barrier()
    with emit.when(emit.at_most(first, cta_id)):
        _gather(source, words, emit.sub(cta_id, first), emit.sub(grid, first))


class Words:
    """The words of all partial results: `parts` for each result, of which a strip has `results`."""

    def __init__(self, source: Source):
        plan = source.plan
        assert plan.split is not None
        self.parts, self.results, self.by_rows = plan.split, plan.threads.results, plan.by_rows
        self.strips = count(source)
        self.shares = emit.mul(self.strips, self.parts)
        """Parts of all strips."""
        self._base = address.base(source.op.workspace)

    def has(self, result: Index, threads: Threads) -> Condition:
        """Whether there are words of a result, where a CTA with such threads waits. By rows it is
        one of all strips."""
        results = emit.mul(self.strips, self.results)
        is_whole = isinstance(results, int) and results % threads.kept == 0
        return not self.by_rows or is_whole or emit.less(result, results)

    def address(self, strip: Index, part: Index, result: Index) -> ir.Value:
        """Where the word of a part of a result is; `result` is its number in the strip."""
        if self.by_rows:
            number = emit.add(emit.mul(strip, self.results), result)
            at = emit.add(emit.mul(number, self.parts), part)
        else:
            number = emit.add(emit.mul(strip, self.parts), part)
            at = emit.add(emit.mul(number, self.results), result)
        place = emit.add(self._base, emit.mul(at, WORD_BYTES))
        return arith.index_cast(_int(64), emit.index(place))


# Those that work ----------------------------------------------------------------------------------


def _leave(source: Source, words: Words, share: Index) -> None:
    """A part of a strip: its partial results, with their flags. Shares are counted in the order of
    memory, so that what is read at the same time lies together."""
    if words.by_rows:
        strip, part = emit.div(share, words.parts), emit.rem(share, words.parts)
    else:
        strip, part = emit.rem(share, words.strips), emit.div(share, words.strips)
    here = Strip(source, strip, part, words.parts, share, 0)
    items, columns = here.fold()
    for slot in cta.join(here.op, here.plan.threads, here.thread, items, columns):
        with emit.when(slot.holds):
            at = words.address(strip, part, slot.column)
            word = arith.ori(_wide(slot.read()[0]), arith.constant(_int(64), FLAG))
            intrinsics.effect("st.relaxed.gpu.global.b64 [$0], $1;", [at, word])


# Those that wait ----------------------------------------------------------------------------------


def _gather(source: Source, words: Words, number: Index, waiting: Index) -> None:
    """What CTA `number` of those that wait combines, several results at once."""
    threads = _threads(words, source.plan.threads.count)
    results = emit.mul(words.strips, words.results)
    groups = emit.div(emit.add(results, threads.kept - 1), threads.kept)
    if isinstance(groups, int) and isinstance(waiting, int) and groups <= waiting:
        with emit.when(groups == waiting or emit.less(number, groups)):
            _combine(source, words, threads, number)
        return
    with emit.loop(number, groups, waiting) as group:
        _combine(source, words, threads, group)
        # Shared memory may be written again once everyone is here.
        gpu.barrier()


def _threads(words: Words, block: int) -> Threads:
    """Threads of a CTA that waits. By columns neighbours read a line of memory; by rows as many
    share a result as then read `READS` words each, or a warp."""
    if not words.by_rows:
        kept = min(LINE, words.results, block)
        return Threads(block // kept, kept, False)
    reads = min(words.parts, max(WARP, -(-words.parts // READS)))
    each = min(block, 1 << (reads - 1).bit_length())
    return Threads(each, block // each, True)


def _combine(source: Source, words: Words, threads: Threads, group: Index) -> None:
    """Waits for all parts of some results, and stores those."""
    thread = emit.thread_id()
    if threads.by_rows:
        column, row = emit.div(thread, threads.reduced), emit.rem(thread, threads.reduced)
        strip, start = 0, emit.mul(group, threads.kept)
    else:
        column, row = emit.rem(thread, threads.kept), emit.div(thread, threads.kept)
        each = words.results // threads.kept
        strip, start = emit.div(group, each), emit.mul(emit.rem(group, each), threads.kept)
    here = Strip(source, strip, 0, 1, group, 0)
    item = _fold(here, words, threads, emit.add(start, column), row)
    for slot in cta.join(here.op, threads, thread, [item], [column]):
        result = emit.add(start, slot.column)
        holds = emit.both(slot.holds, words.has(result, threads))
        finish.store(here, [replace(slot, holds=holds, column=result)])


def _fold(here: Strip, words: Words, threads: Threads, result: Index, row: Index) -> Partial:
    """This thread's parts of one result: number `row`, and every further one at the distance of the
    rows of threads."""
    op, rows = here.op, threads.reduced
    exists = words.has(result, threads)

    def batch(total: ir.Value, start: Index, reads: int, sure: int) -> ir.Value:
        """The combination with a few more, of which the first `sure` are there for all rows."""
        places: list[tuple[Condition, ir.Value]] = []
        for number in range(reads):
            part = emit.add(emit.add(row, start), number * rows)
            there = emit.both(exists, number < sure or emit.less(part, words.parts))
            places.append((there, words.address(here.number, part, result)))
        values = [
            partial.select(there, (_narrow(word, total.type),), partial.identity(op))
            for (there, _), word in zip(places, _wait(places), strict=True)
        ]
        return partial.combine(op, (total,), partial.tree(op, values))[0]

    (total,) = partial.identity(op)
    step = READS * rows
    batches, left = divmod(words.parts, step)
    end = batches * step
    if batches == 1:
        total = batch(total, 0, READS, READS)
    elif batches:
        steps = 0, end, step
        total = emit.fold(steps, total, lambda t, at: batch(t, at, READS, READS), is_once=False)
    if left:
        total = batch(total, end, -(-left // rows), left // rows)
    return (total,)


def _wait(places: Sequence[tuple[Condition, ir.Value]]) -> list[ir.Value]:
    """The words at some addresses, each under its condition, once all have their flags; they are
    zero then."""
    loop = scf.WhileOp([_int(64)] * len(places), [])
    with ir.InsertionPoint(loop.before.blocks.append()):
        words = [_read(there, at) for there, at in places]
        seen = words[0]
        for word in words[1:]:
            seen = arith.andi(seen, word)
        flag = arith.andi(seen, arith.constant(_int(64), FLAG))
        scf.condition(arith.cmpi(arith.CmpIPredicate.eq, flag, _zero()), words)
    with ir.InsertionPoint(loop.after.blocks.append(*[_int(64)] * len(places))):
        scf.yield_([])
    for there, at in places:
        with emit.when(there):
            intrinsics.effect("st.relaxed.gpu.global.b64 [$0], $1;", [at, _zero()])
    return list(loop.results)


def _read(there: Condition, at: ir.Value) -> ir.Value:
    """A word, or one with a flag where there is none to wait for."""
    text = "ld.relaxed.gpu.global.b64 $0, [$1];"
    if isinstance(there, bool):
        return intrinsics.effect(text, [at], _int(64))
    branch = scf.IfOp(there, [_int(64)], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        scf.yield_([intrinsics.effect(text, [at], _int(64))])
    otherwise = branch.else_block
    assert otherwise is not None
    with ir.InsertionPoint(otherwise):
        scf.yield_([arith.constant(_int(64), FLAG)])
    return branch.results[0]


# A value of up to 32 bits in a word of 64 ---------------------------------------------------------


def _wide(value: ir.Value) -> ir.Value:
    kind: Any = value.type
    if not isinstance(kind, ir.IntegerType):
        value = intrinsics.bitcast(_int(kind.width), value)
    return arith.extui(_int(64), value)


def _narrow(word: ir.Value, kind: Any) -> ir.Value:
    value = arith.trunci(_int(kind.width), word)
    return value if isinstance(kind, ir.IntegerType) else intrinsics.bitcast(kind, value)


def _int(width: int) -> ir.IntegerType:
    return ir.IntegerType.get_signless(width)


def _zero() -> ir.Value:
    return arith.constant(_int(64), 0)
