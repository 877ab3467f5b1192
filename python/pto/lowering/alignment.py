"""What is known at compile time about where buffers begin."""

from typing import Any

from mlir import ir

from pto.lowering import address, emit
from pto.lowering.emit import Index
from pto.lowering.facts import fact

WIDEST = 16
"""Bytes: the widest access of one thread, and the unit of bulk copies."""


@fact
def of(buffer: Any) -> int:
    """Bytes by which the address of a buffer is known to be aligned, up to `WIDEST`."""
    element = emit.size_in_bytes(buffer.type)
    region = emit.defining(buffer, "tirx.subview")
    if region is None:
        return of_allocation(buffer)
    aligned = of(region.source)
    for at, dimension in zip(region.offsets, address.factors(region.source.type), strict=True):
        aligned = power_of_two(_pitch(divisor(at), dimension) * element, aligned)
    return aligned


def of_allocation(buffer: Any) -> int:
    """The same of the allocation or kernel argument that a buffer is a region of."""
    allocation = emit.defining(buffer, "tirx.alloc")
    if allocation is not None:
        address = allocation.address
        return WIDEST if address is None else power_of_two(address.value, WIDEST)
    region = emit.defining(buffer, "tirx.subview")
    if region is not None:
        return of_allocation(region.source)
    is_argument = isinstance(buffer.owner, ir.Block) and buffer.type.shape
    is_aligned = is_argument and not emit.is_strided(buffer.type)
    # The launcher holds callers to it (see `storage`).
    return WIDEST if is_aligned else emit.size_in_bytes(buffer.type)


def residue(buffer: Any, modulus: int) -> int | None:
    """The offset of a buffer in its allocation modulo a power of two, in elements, if it is
    known."""
    region = emit.defining(buffer, "tirx.subview")
    if region is None:
        # A view begins somewhere in its source.
        return None if emit.defining(buffer, "tirx.view") is not None else 0
    total = residue(region.source, modulus)
    parts = address.factors(region.source.type)
    for at, dimension in zip(region.offsets, parts, strict=True):
        step = _distance(at, dimension, modulus)
        if total is None or step is None:
            return None
        total += step
    return None if total is None else total % modulus


def _distance(at: Index, dimension: list[address.Factor], modulus: int) -> int | None:
    """What an index along a dimension adds to an offset, modulo a power of two."""
    number = emit.known(at)
    if number is not None and None not in (part.stride for part in dimension):
        total = 0
        for inner, part in reversed(list(enumerate(dimension))):
            # The outermost digit is what is left: its extent may be known at run time only.
            number, digit = divmod(number, part.extent) if inner else (0, number)
            total += digit * (part.stride or 0)
        return total
    return 0 if _pitch(divisor(at), dimension) % modulus == 0 else None


def _pitch(step: int, dimension: list[address.Factor]) -> int:
    """A number that divides what an index that is a multiple of `step` adds to an offset along a
    dimension; 0 if that is nothing."""
    if len(dimension) <= 1:
        return step * (dimension[0].stride or 1) if dimension else step
    found = 0
    for part in reversed(dimension):
        stride = part.stride or 1
        digit = step if part is dimension[0] else _common(step, part.extent & -part.extent)
        found = _common(found, digit * (stride & -stride))
        step = step // part.extent if step % part.extent == 0 else 1
    return found


def divisor(value: Index) -> int:
    """A power of two that divides an index, or 0 for zero itself."""
    number = emit.known(value)
    if number is not None:
        return number & -number
    assert isinstance(value, ir.Value)
    if isinstance(value.owner, ir.Block):
        loop: Any = value.owner.owner.opview
        if loop.operation.name == "scf.for" and value == loop.induction_variable:
            return _common(divisor(loop.lowerBound), divisor(loop.step))
        return 1
    op: Any = value.owner.opview
    match op.operation.name:
        case "arith.muli":
            return divisor(op.lhs) * divisor(op.rhs)
        case "arith.addi" | "arith.subi":
            return _common(divisor(op.lhs), divisor(op.rhs))
        case "arith.index_cast" | "arith.index_castui":
            return divisor(op.in_)
        case _:
            return 1


def _common(a: int, b: int) -> int:
    """Of two powers of two, or zeros, the one that divides both."""
    return min(a, b) if a and b else a | b


def power_of_two(value: int, most: int) -> int:
    """The largest power of two up to `most` that divides `value`."""
    return most if value % most == 0 else value & -value
