"""What a primitive touches: which memory, which bytes of it, and whether it writes them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mlir import ir

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.facts import fact

Span = tuple[int, int]
"""The first, and the one after the last."""

_ALL: Span = (0, 1 << 62)
"""More bytes than there are."""


@dataclass(frozen=True)
class Access:
    """One operand of a primitive.

    Arguments in global memory may overlap each other, tiles with addresses do where their bytes do,
    and the tiles that the compiler places have memory of their own.
    """

    base: Any
    """The kernel argument, or the buffer that `tirx.alloc` makes."""
    memory: str
    """`global`, `placed` (at an address) or `own`."""
    span: Span
    """Bytes: of shared memory if placed, else counted from the start of `base`."""
    window: tuple[Span, ...]
    """The part of each dimension of a tile; of a view of global memory empty."""
    writes: bool
    buffer: Any = field(compare=False)
    """The operand itself."""

    @cached_property
    def _hash(self) -> int:
        return hash((self.base, self.memory, self.span, self.window, self.writes))

    def __hash__(self) -> int:
        """Computed once: what is pending is kept in dictionaries."""
        return self._hash

    def conflicts(self, other: "Access") -> bool:
        """Whether the two must stay in order."""
        return (self.writes or other.writes) and self.overlaps(other)

    def overlaps(self, other: "Access") -> bool:
        """Whether the two may touch the same bytes."""
        if self.memory != other.memory:
            return False
        if self.base != other.base:
            return self.memory == "global" or (
                self.memory == "placed" and _meet(self.span, other.span)
            )
        return _meet(self.span, other.span) and all(map(_meet, self.window, other.window))


def _meet(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]


@fact
def accesses(op: Any) -> list[Access]:
    """What a primitive reads and writes; views and allocations do neither."""
    if "exec" not in op.operation.attributes:
        return []
    reads = [
        access(operand, writes=False)
        for operand in op.operands
        if isinstance(operand.type, tirx.BufferType) and operand != op.dst
    ]
    return [*reads, access(op.dst, writes=True)]


def access(buffer: Any, *, writes: bool) -> Access:
    """What using all of a buffer touches."""
    base, memory, span, window = _place(buffer)
    return Access(base, memory, span, window, writes, buffer)


@fact
def _place(buffer: Any) -> tuple[Any, str, Span, tuple[Span, ...]]:
    """Of a buffer, the first fields of an `Access`."""
    if buffer.type.scope == "global":
        base, span = _global(buffer)
        return base, "global", span, ()
    base, window, _ = _tile_window(buffer)
    size = emit.size_in_bytes(base.type)
    first = last = 0
    for (start, stop), stride in zip(window, base.type.strides, strict=True):
        first += start * stride
        last += (stop - 1) * stride
    span = (first * size, (last + 1) * size)
    address = base.owner.opview.address
    if address is None:
        return base, "own", span, window
    at = address.value
    return base, "placed", (at + span[0], at + span[1]), window


def _tile_window(buffer: Any) -> tuple[Any, tuple[Span, ...], bool]:
    """The allocation behind a buffer, the part of each of its dimensions that the buffer covers
    (all of it where that is not known), and whether the buffer has these dimensions itself."""
    part = emit.defining(buffer, "tirx.view", "tirx.subview")
    if part is None:
        return buffer, tuple((0, size) for size in buffer.type.shape), True
    base, window, is_direct = _tile_window(part.source)
    if part.operation.name == "tirx.view" or not is_direct:
        return base, window, False
    spans = map(_part, window, part.offsets, part.buffer.type.shape, part.source.type.shape)
    return base, tuple(spans), True


def _part(whole: Span, offset: ir.Value, size: int | None, extent: int | None) -> Span:
    """`size` elements from `offset` on, of a dimension of `extent` that covers `whole`."""
    start = emit.known(offset)
    if start is None:
        return whole
    begin = whole[0] + start
    # `whole` is wider than the extent where its place in the tile is not known.
    if extent is None or whole[1] - whole[0] != extent:
        return whole
    return (begin, whole[1] if size is None else begin + size)


def _global(buffer: Any) -> tuple[Any, Span]:
    """The argument behind a view, and the bytes from its start on that the view covers."""
    view = emit.defining(buffer, "tirx.view")
    if view is None:
        return buffer, _ALL
    offset = emit.known(view.offset)
    kind = buffer.type
    if offset is None or not _are_known(kind.shape) or not _are_known(kind.strides):
        return view.source, _ALL
    reach = sum((size - 1) * stride for size, stride in zip(kind.shape, kind.strides, strict=True))
    size = emit.size_in_bytes(kind)
    return view.source, (offset * size, (offset + reach + 1) * size)


def _are_known(numbers: Sequence[int | None]) -> bool:
    """Whether all are known, and lead forward."""
    return all(number is not None and number >= 0 for number in numbers)
