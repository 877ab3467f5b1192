"""`registers`: every thread copies the elements of a distributed buffer that it stores.

Loads fill every replica; a store writes the first.

Before (a warp; lane l holds row l)
    tirx.copy warp %src -> %dst : !tirx.buffer<32x4xf32, global>
      -> !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>

After
    %x0 = memref.load %src[%lane, %c0]
    memref.store %x0, %own[%c0]
    %x1 = memref.load %src[%lane, %c1]
    …
"""

from typing import Any

from pto.lowering import address, elements, emit, layout, rules, workers
from pto.lowering.dispatch import variant
from pto.target import Target


def one_side_distributed(op: Any, _: Target) -> str | None:
    """One side is distributed, the other lies in memory."""
    sides = [op.src.type.is_distributed, op.dst.type.is_distributed]
    return None if sides.count(True) == 1 else "one_side_distributed: both sides or none are"


@variant(
    "tirx.copy",
    priority=10,
    when=[
        rules.exec_scope("warp", "warpgroup", "cta"),
        workers.whole_scopes,
        one_side_distributed,
        elements.static_shapes,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the accesses."""
    is_load = op.dst.type.is_distributed
    registers, memory = (op.dst, op.src) if is_load else (op.src, op.dst)
    place = layout.here(op)
    own, storage = emit.as_memref(layout.own(registers)), emit.as_memref(memory)
    with emit.when(True if is_load else layout.is_first_replica(registers.type, place)):
        for slot in layout.slots(registers.type):
            at = layout.coordinates(registers.type, place, slot)
            position = address.place(memory, at)
            if is_load:
                emit.store(emit.load(storage, position), own, slot)
            else:
                emit.store(emit.load(own, slot), storage, position)
