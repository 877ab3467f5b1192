"""Barriers between primitives of a CTA that depend on each other.

All threads of the CTA execute a primitive, so what one writes the next may read only after a
barrier. One walk in program order keeps the accesses since the last barrier and puts one where an
access meets an earlier one to the same memory, at least one of them writing. Global memory counts
as one: arguments may overlap. Shared buffers with addresses overlap where their bytes do.

Conditions at this level are the same for all threads of a CTA, so a barrier may stand in a branch.
"""

from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.storage import bytes_of


@dataclass(frozen=True)
class Access:
    """One operand of a primitive: whose memory, which bytes of it, and whether it writes."""

    memory: ir.Value | str
    start: int
    stop: int
    writes: bool

    def conflicts(self, other: "Access") -> bool:
        """Whether the two must stay in order."""
        same = self.memory == other.memory and self.start < other.stop and other.start < self.stop
        return same and (self.writes or other.writes)


Pending = frozenset[Access]

_ALL = 1 << 62
"""More bytes than there are."""


def insert_barriers(kernel: gpu.GPUFuncOp) -> None:
    """Puts `gpu.barrier` where it is needed. In a function of several blocks each block but the
    first begins with one."""
    blocks = list(kernel.body.blocks)
    for block in blocks[1:]:
        gpu.BarrierOp(ip=ir.InsertionPoint.at_block_begin(block), loc=kernel.location)
    for block in blocks:
        _walk(block, frozenset())


def _walk(block: ir.Block, pending: Pending) -> Pending:
    for op in list(block.operations):
        if isinstance(op, gpu.BarrierOp):
            pending = frozenset()
        elif op.operation.name.startswith("tirx."):
            accesses = _accesses(op)
            if any(new.conflicts(old) for new in accesses for old in pending):
                gpu.BarrierOp(ip=ir.InsertionPoint(op), loc=op.operation.location)
                pending = frozenset()
            pending |= accesses
        elif len(op.operation.regions):
            pending = _enter(op, pending)
    return pending


def _enter(op: Any, before: Pending) -> Pending:
    """Regions run in any order and number: a loop's body also follows itself."""
    is_loop = op.operation.name in ("scf.for", "scf.while")
    while True:
        after = before
        for region in op.operation.regions:
            for block in region.blocks:
                after |= _walk(block, before)
        if not is_loop or after == before:
            return after
        before = after


def _accesses(op: Any) -> Pending:
    """What a primitive reads and writes; views and allocations do neither."""
    if "exec" not in op.operation.attributes:
        return frozenset()
    found = {_access(op.dst, writes=True)}
    for operand in op.operands:
        if isinstance(operand.type, tirx.BufferType) and operand != op.dst:
            found.add(_access(operand, writes=False))
    return frozenset(found)


def _access(buffer: Any, *, writes: bool) -> Access:
    while (part := emit.defining(buffer, "tirx.view", "tirx.subview")) is not None:
        buffer = part.source
    if buffer.type.scope == "global":
        return Access("global", 0, _ALL, writes)
    address = buffer.owner.opview.address
    if address is None:
        return Access(buffer, 0, _ALL, writes)
    return Access("placed", address.value, address.value + bytes_of(buffer.type), writes)
