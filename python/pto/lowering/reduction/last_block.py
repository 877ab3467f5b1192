"""`last_block`: CTAs leave partial results in a workspace; the last to arrive combines them all.

A ticket for each strip counts arrivals, and wraps to zero with the last one: `atom.inc`. So one
launch is enough, the destination needs no value to begin with, and the next launch finds the
tickets as this one did. The last CTA combines in the order of the parts, not of their arrival: the
same grid gives the same bits. Any operation can.

The workspace, at a multiple of 16 bytes:

| bytes | what |
|---|---|
| 0 to 16384 | 4096 tickets of 32 bits, one for each strip; zero before the first launch |
| from 16384 | partial results, `threads.results` for each CTA or cluster of the grid |
| after them | their positions (i64), for `argmax` and `argmin` |

Arrival is ordered by `acq_rel` at gpu scope: the barrier before it makes the writes of all threads
of the CTA a part of what thread 0 releases; the barrier after it hands on what thread 0 acquired.

Before
    tirx.prod grid %x -> %y axes [0] workspace(%w) {vector = 4}
      : !tirx.buffer<?xf32, global, strides = [1]> -> !tirx.buffer<f32, global>

After
    %p = this CTA's partial result                                            (walk.py, cta.py)
    scf.if %parts > 1 {
      scf.if %tid < 1 { memref.store %p, %partials[%cta, %c0] }
      gpu.barrier
      scf.if %tid == 0 {
        %ticket = atom.acq_rel.gpu.global.inc.u32 [%w + 4 * %strip], %parts - 1
        memref.store %ticket == %parts - 1, %last[]
      }
      gpu.barrier
      scf.if %last[] {
        %q = the combination of %partials[0 to %parts, %c0]                   (walk.py, cta.py)
        scf.if %tid < 1 { memref.store %q, %y[] }
      }
    } else {
      scf.if %tid < 1 { memref.store %p, %y[] }
    }
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu, memref

from pto.dialects import tirx
from pto.lowering import address, combine, cta, emit, finish, intrinsics, partial, rules, schedule
from pto.lowering import strip as strips
from pto.lowering.cta import Slot
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.lowering.partial import Partial
from pto.lowering.reduction import dsmem
from pto.lowering.schedule import Threads
from pto.lowering.strip import MOST_SHARED, Strip
from pto.lowering.walk import Dim, Walk
from pto.target import Target

TICKET_BYTES = 4
HEADER_BYTES = MOST_SHARED * TICKET_BYTES
UNROLL = 4
"""Partial results that a thread reads before it combines them."""
MOST = 16
"""The same, if it can be all of them."""


def workspace_bytes(
    grid: int, results: int, element_bytes: int, *, cluster: int = 1, positions: bool = False
) -> int:
    """Bytes of workspace for a launch of `grid` CTAs in clusters of `cluster`.

    `results` are those of a strip: K of `threads = [R, K]`, times `vector` if neighbouring results
    are neighbours in memory. `element_bytes` is the size of a partial result, `positions` is for
    `argmax` and `argmin`. The first `HEADER_BYTES` are zero before the first launch; every launch
    leaves them so, whatever its shape.
    """
    held = grid // cluster * results
    return HEADER_BYTES + -(-held * element_bytes // 8) * 8 + held * 8 * positions


@variant(
    *partial.PRIMITIVES,
    priority=8,
    when=[
        rules.exec_scope("grid"),
        rules.strided,
        rules.given("workspace"),
        schedule.fits,
        schedule.all_work,
        combine.order_is_free,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop over strips."""
    with strips.strips(op) as here:
        items, columns = here.fold()
        slots = cta.join(op, here.plan.threads, here.thread, items, columns)
        slots = dsmem.join(here, slots)
        for is_shared in emit.branches(emit.less(1, here.parts)):
            if is_shared:
                # Only the first CTA of a cluster has something to leave.
                with emit.when(emit.equal(here.rank, 0)):
                    _meet(here, slots)
            else:
                finish.store(here, slots)


def _meet(here: Strip, slots: Sequence[Slot]) -> None:
    """Leaves the partial results, and combines those of all if this CTA is the last."""
    op, results = here.op, here.plan.threads.results
    partials = _partials(here)
    for slot in slots:
        with emit.when(slot.holds):
            at = emit.add(emit.mul(here.unit, results), slot.column)
            for part, memory in zip(slot.read(), partials, strict=True):
                emit.store(part, memory, [at])
    gpu.barrier()
    flag = emit.as_memref(tirx.alloc(tirx.BufferType.get([1], _i32(), "shared")))
    with emit.when(emit.equal(here.thread, 0)):
        ticket = emit.add(address.base(op.workspace), emit.mul(here.number, TICKET_BYTES))
        at = arith.index_cast(ir.IntegerType.get_signless(64), emit.index(ticket))
        most = arith.index_cast(_i32(), emit.index(emit.sub(here.parts, 1)))
        text = "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;"
        arrived = intrinsics.effect(text, [at, most], _i32())
        last = arith.cmpi(arith.CmpIPredicate.eq, arrived, most)
        emit.store(arith.extui(_i32(), last), flag, [0])
    gpu.barrier()
    is_last = arith.cmpi(arith.CmpIPredicate.ne, emit.load(flag, [0]), intrinsics.word(0))
    with emit.when(is_last):
        finish.store(here, _combined(here, partials))


def _unroll(here: Strip, threads: Threads) -> int:
    """All at once, if it is known that they are not many."""
    parts = emit.known(here.parts)
    reads = 0 if parts is None else -(-parts // threads.reduced)
    return reads if UNROLL < reads <= MOST // threads.own else UNROLL


def _i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def _partials(here: Strip) -> list[ir.Value]:
    """The partial results in the workspace, one row for each part of a partial result."""
    op = here.op
    dynamic = ir.ShapedType.get_dynamic_size()
    space = ir.Attribute.parse("#gpu.address_space<global>")
    byte = ir.MemRefType.get([dynamic], ir.IntegerType.get_signless(8), None, space)
    whole = memref.ReinterpretCastOp(
        byte, emit.as_memref(op.workspace), [], [emit.index(2**62)], [], [0], [dynamic], [1]
    ).result
    units = emit.div(emit.grid_size(op), here.plan.cluster)
    held = emit.mul(units, here.plan.threads.results)
    start: Index = HEADER_BYTES
    found: list[ir.Value] = []
    for kind, size in zip(partial.types(op), partial.size_in_bytes(op), strict=True):
        row = ir.MemRefType.get([dynamic], kind, None, space)
        found.append(memref.view(row, whole, emit.index(start), [emit.index(held)]))
        rounded = emit.div(emit.add(emit.mul(held, size), 7), 8)
        start = emit.add(start, emit.mul(rounded, 8))
    return found


def _combined(here: Strip, partials: Sequence[ir.Value]) -> list[Slot]:
    """The combination of all partial results of a strip by the threads of this CTA."""
    op, results = here.op, here.plan.threads.results
    kept = min(results, here.plan.threads.count)
    threads = Threads(here.plan.threads.count // kept, kept, False, results // kept)
    column, row = emit.rem(here.thread, kept), emit.div(here.thread, kept)
    columns = [emit.add(column, i * kept) for i in range(threads.own)]
    first = emit.mul(emit.sub(here.unit, here.part), results)

    def read(offset: Index, _: Index) -> Partial:
        items = [
            tuple(emit.load(memory, [emit.add(offset, at)]) for memory in partials)
            for at in columns
        ]
        return partial.join(items)

    dims = [Dim(here.parts, results, 0)]
    unroll = _unroll(here, threads)
    walk = Walk(op, dims, first, 0, row, threads.reduced, unroll, threads.own, read, UNROLL)
    items = partial.split(walk.run(), threads.own)
    return cta.join(op, threads, here.thread, items, columns)
