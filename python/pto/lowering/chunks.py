"""How bulk copies cut a copy: the longest runs that lie contiguous in source and destination.

A bulk copy moves a multiple of 16 bytes between addresses that are multiples of 16 (PTX ISA,
`cp.async.bulk`). The dimensions of both sides are split into common factors; those that continue
one another at the same distance in both make up the chunk, the others are looped over, each side
with its own strides. Where both sides have the same swizzle, a chunk of whole swizzled blocks moves
as it is; a smaller one in the units that the swizzle keeps together.
"""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from pto.lowering import address, alignment, elements, emit
from pto.lowering.address import Factor
from pto.lowering.alignment import WIDEST
from pto.lowering.emit import Index
from pto.target import Target


@dataclass(frozen=True)
class Step:
    """A factor of dimension `dim` of both sides: `extent` steps, of so many elements each."""

    dim: int
    extent: int
    src: int | None
    dst: int | None


@dataclass(frozen=True)
class Chunks:
    """`elements` at a time, once for all the `loops`; `swizzled`: every chunk lies where its first
    element does, else chunks lie as if there were no swizzle."""

    elements: int
    loops: tuple[Step, ...]
    swizzled: bool = False

    @property
    def count(self) -> int:
        """How many chunks there are."""
        return elements.volume([step.extent for step in self.loops])


# Discovery ----------------------------------------------------------------------------------------


def of(op: Any) -> Chunks | str:
    """The chunks of a copy between buffers of static shape, or which dimension breaks them."""
    if 0 in op.src.type.shape:
        return "there are no elements"
    steps = _steps(op)
    if isinstance(steps, str):
        return steps
    length, rest = 1, list(steps)
    while step := next((s for s in rest if s.src == s.dst == length), None):
        length *= step.extent
        rest.remove(step)
    if op.src.type.swizzle:
        return _swizzled(op, length, tuple(rest))
    size = emit.size_in_bytes(op.src.type)
    if length * size % WIDEST:
        return (
            f"chunks of {length * size} bytes, not of a multiple of {WIDEST}{_break(rest, length)}"
        )
    return Chunks(length, tuple(rest))


def _steps(op: Any) -> list[Step] | str:
    """The common factors of both sides, from the outermost in."""
    steps: list[Step] = []
    sides = zip(address.factors(op.src.type), address.factors(op.dst.type), strict=True)
    for dim, (src, dst) in enumerate(sides):
        found = _refine(dim, list(src), list(dst))
        if found is None:
            extents = [" x ".join(str(part.extent) for part in side) for side in (src, dst)]
            return (
                f"dimension {dim} is split into {extents[0]} in the source and {extents[1]} in the "
                "destination, which have no common split"
            )
        steps += found
    return steps


def _refine(dim: int, src: list[Factor], dst: list[Factor]) -> list[Step] | None:
    """The factors of a dimension, split further until both sides have the same extents."""
    steps: list[Step] = []
    while src and dst:
        a, b = src.pop(), dst.pop()
        extent = min(a.extent, b.extent)
        for part, side in ((a, src), (b, dst)):
            if part.extent % extent:
                return None
            if part.extent > extent:
                stride = None if part.stride is None else part.stride * extent
                side.append(Factor(part.extent // extent, stride))
        steps.insert(0, Step(dim, extent, a.stride, b.stride))
    return steps


def _break(rest: Sequence[Step], length: int) -> str:
    """Which dimension does not continue a run of that length."""
    for step in reversed(rest):
        if length in (step.src, step.dst):
            return (
                f": dimension {step.dim} has stride {_spell(step.src)} in the source and "
                f"{_spell(step.dst)} in the destination"
            )
    for step in reversed(rest):
        return f": dimension {step.dim} continues at stride {_spell(step.src)}, not {length}"
    return ""


def _spell(stride: int | None) -> str:
    return "?" if stride is None else str(stride)


def _swizzled(op: Any, length: int, loops: tuple[Step, ...]) -> Chunks | str:
    bits, base, shift = op.src.type.swizzle
    unit, block, period = 1 << base, 1 << (base + bits), 1 << (base + bits + shift)
    starts = [alignment.residue(buffer, period) for buffer in (op.src, op.dst)]
    size = emit.size_in_bytes(op.src.type)
    whole = length % block == 0 and length * size % WIDEST == 0 and starts[0] == starts[1]
    whole = whole and starts[0] is not None and starts[0] % block == 0
    if whole and all(_keeps(step, block, period) for step in loops):
        return Chunks(length, loops)
    if unit * size % WIDEST:
        return f"units of {unit} elements under the swizzle, not of a multiple of {WIDEST} bytes"
    if length % unit:
        return f"chunks of {length} elements, not of whole units of {unit}{_break(loops, length)}"
    if length > unit:
        dim = len(op.src.type.shape) - 1
        loops = (*loops, Step(dim, length // unit, unit, unit))
    return Chunks(unit, loops, swizzled=True)


def _keeps(step: Step, block: int, period: int) -> bool:
    """Whether source and destination stay in step with each other under the swizzle."""
    if step.src is None or step.dst is None:
        return False
    return not (step.src % block or step.dst % block or (step.src - step.dst) % period)


# Rules --------------------------------------------------------------------------------------------


def equal_swizzles(op: Any, _: Target) -> str | None:
    """Source and destination have the same swizzle, or none."""
    src, dst = (buffer.type.swizzle or "none" for buffer in (op.src, op.dst))
    return None if src == dst else f"equal_swizzles: the source has {src}, the destination {dst}"


def contiguous(op: Any, chip: Target) -> str | None:
    """There are chunks of at least 16 bytes, and of a multiple of 16."""
    if elements.static_shapes(op) is not None or equal_swizzles(op, chip) is not None:
        return None
    found = of(op)
    return f"contiguous: {found}" if isinstance(found, str) else None


def aligned(op: Any, chip: Target) -> str | None:
    """Every chunk begins at a multiple of 16 bytes on both sides, units under a swizzle at a
    multiple of their size."""
    if elements.static_shapes(op) is not None or equal_swizzles(op, chip) is not None:
        return None
    found = of(op)
    if isinstance(found, str):
        return None
    size = emit.size_in_bytes(op.src.type)
    unit = found.elements * size if found.swizzled else WIDEST
    for name, buffer in (("source", op.src), ("destination", op.dst)):
        for step in found.loops:
            stride = step.src if buffer == op.src else step.dst
            if stride is None or stride * size % unit:
                apart = "?" if stride is None else stride * size
                return (
                    f"aligned: the chunks of the {name} lie {apart} bytes apart along dimension "
                    f"{step.dim}, which is not known to be a multiple of {unit}"
                )
        start = alignment.residue(buffer, max(unit // size, 1))
        if start is None or alignment.of_allocation(buffer) < WIDEST:
            return f"aligned: the {name} is not known to begin at a multiple of {unit} bytes"
        if start:
            return f"aligned: the {name} begins {start * size} bytes after a multiple of {unit}"
    return None


def summary(op: Any, _: Target) -> str:
    """For the report: how many chunks of how many bytes."""
    found = of(op)
    assert not isinstance(found, str)
    size = found.elements * emit.size_in_bytes(op.src.type)
    return f"{found.count} chunk{'s' if found.count > 1 else ''} of {size} bytes"


# Emission -----------------------------------------------------------------------------------------


@contextmanager
def walk(op: Any) -> Generator[tuple[Index, Index, int]]:
    """The loops over the chunks; yields where a chunk begins in the allocation of the source and of
    the destination, in elements, and its size in bytes."""
    chunks = of(op)
    assert not isinstance(chunks, str)
    src: Index = address.offset(op.src)
    dst: Index = address.offset(op.dst)
    with ExitStack() as loops:
        for step in chunks.loops:
            assert step.src is not None and step.dst is not None
            i = loops.enter_context(emit.loop(0, step.extent))
            src, dst = emit.add(src, emit.mul(i, step.src)), emit.add(dst, emit.mul(i, step.dst))
        if chunks.swizzled:
            src, dst = (address.swizzled(op.src.type, start) for start in (src, dst))
        yield src, dst, chunks.elements * emit.size_in_bytes(op.src.type)
