"""`scalar`: threads write elements in turn.

Before
    tirx.fill cta %value -> %dst : f32 -> !tirx.buffer<16x16xf32, shared>

After
    scf.for %i = %tid to %c256 step %threads {
      memref.store %value, %dst[%i / 16, %i mod 16]
    }
"""

from collections.abc import Callable
from typing import Any

from mlir import ir

from pto.lowering import address, elements, emit, rules, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.target import Target


def is_bounded(op: Any, _: Target) -> str | None:
    """Every dimension has a known bound."""
    if elements.bounds(op.dst) is not None:
        return None
    return f"is_bounded: {op.dst.type} has no known bound"


@variant(
    "tirx.fill",
    priority=1,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        is_bounded,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the loop."""
    over_elements(op, lambda _: op.value)


def over_elements(op: Any, value_at: Callable[[list[Index]], ir.Value]) -> None:
    """Threads take the positions of the destination in turn, along the rows."""
    dst = emit.as_memref(op.dst)
    threads, shape = workers.of(op), elements.bounds(op.dst)
    assert shape is not None
    with threads.share(elements.volume(shape)) as i:
        position = elements.decode(i, shape)
        inside: emit.Condition = True
        for dim, at in enumerate(position):
            if op.dst.type.shape[dim] is None:
                inside = emit.both(inside, emit.less(at, emit.extent(op.dst, dim)))
        with emit.when(inside):
            emit.store(value_at(position), dst, address.place(op.dst, position))
