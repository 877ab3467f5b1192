"""Combines the partial results of a CTA's threads: lanes by shuffles, warps through shared memory.

Before: every thread has a partial result of each of its own columns (results of the strip).

After (512 threads, one column)
    %s1 = the combination with the lanes whose number differs in bit 0, then bits 1, 2, 3, 4
    scf.if %lane == 0 { memref.store %s5, %warps[%warp, %c0] }
    gpu.barrier
    scf.if %tid < 1 {           // the thread that holds column 0
      %x0 = memref.load %warps[%c0, %c0]  …  %x15 = memref.load %warps[%c15, %c0]
      the tree over %x0 to %x15
    }
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.dialects import tirx
from pto.lowering import emit, partial
from pto.lowering.emit import Condition, Index
from pto.lowering.partial import Partial
from pto.lowering.schedule import WARP, Threads


@dataclass(frozen=True)
class Slot:
    """A partial result that this thread holds if `holds`: that of a column. `read` gives it, where
    the condition holds."""

    holds: Condition
    column: Index
    read: Callable[[], Partial]


def shared(op: Any, shape: Sequence[int]) -> list[Any]:
    """Buffers in shared memory for partial results."""
    return [tirx.alloc(tirx.BufferType.get(shape, kind, "shared")) for kind in partial.types(op)]


def load(buffers: Sequence[Any], at: Sequence[Index]) -> Partial:
    """A partial result out of buffers."""
    return tuple(emit.load(emit.as_memref(buffer), at) for buffer in buffers)


def store(item: Partial, buffers: Sequence[Any], at: Sequence[Index]) -> None:
    """A partial result into buffers."""
    for part, buffer in zip(item, buffers, strict=True):
        emit.store(part, emit.as_memref(buffer), at)


def join(
    op: Any, threads: Threads, thread: ir.Value, items: Sequence[Partial], columns: Sequence[Index]
) -> list[Slot]:
    """The combination over all threads of a column, one slot for each column that a thread then
    holds. `items` are this thread's, of its `columns`."""
    step = 1 if threads.by_rows else threads.kept
    lanes = min(threads.reduced, max(1, WARP // step))
    steps = [step << i for i in range(lanes.bit_length() - 1)]
    items = [partial.butterfly(op, item, steps) for item in items]
    first_lane = emit.equal(emit.rem(emit.div(thread, step), lanes), 0)
    rows = threads.reduced // lanes
    if rows == 1:
        return [
            Slot(first_lane, column, lambda item=item: item)
            for item, column in zip(items, columns, strict=True)
        ]
    row = emit.rem(emit.div(thread, step * lanes), rows)
    buffers = shared(op, [rows, threads.results])
    with emit.when(first_lane):
        for item, column in zip(items, columns, strict=True):
            store(item, buffers, [row, column])
    gpu.barrier()
    return [
        _folded(op, buffers, rows, emit.add(thread, start), threads.results)
        for start in range(0, threads.results, threads.count)
    ]


def _folded(op: Any, buffers: Sequence[Any], rows: int, column: Index, results: int) -> Slot:
    def read() -> Partial:
        return partial.tree(op, [load(buffers, [row, column]) for row in range(rows)])

    return Slot(emit.less(column, results), column, read)
