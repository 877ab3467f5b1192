"""Where the elements of a buffer lie in memory, whatever its layout: strides, shards, swizzles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import arith, memref

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.emit import Index


@dataclass(frozen=True)
class Factor:
    """A factor of a dimension: `extent` steps of `stride` elements (None: known at run time)."""

    extent: int
    stride: int | None


def factors(kind: Any) -> list[list[Factor]]:
    """For each dimension of a buffer of static shape, its factors from the outermost in. Factors of
    one step are left out."""
    found: list[list[Factor]] = [[] for _ in kind.shape]
    if kind.shards:
        for dim, extent, stride, _ in kind.shards:
            if extent > 1:
                found[dim].append(Factor(extent, stride))
        return found
    for dim, (size, stride) in enumerate(zip(kind.shape, kind.strides, strict=True)):
        if size != 1:
            found[dim].append(Factor(size, stride))
    return found


def distance(buffer: Any, position: Sequence[Index]) -> Index:
    """Elements from the first of `buffer` to the one at `position`, before any swizzle."""
    kind = buffer.type
    total: Index = 0
    if not kind.shards:
        for dim, (index, stride) in enumerate(zip(position, kind.strides, strict=True)):
            step = tirx.stride(ir.IndexType.get(), buffer, dim) if stride is None else stride
            total = emit.add(total, emit.mul(index, step))
        return total
    for index, parts in zip(position, factors(kind), strict=True):
        rest = index
        for number, part in reversed(list(enumerate(parts))):
            assert part.stride is not None
            digit = emit.rem(rest, part.extent) if number else rest
            total = emit.add(total, emit.mul(digit, part.stride))
            rest = emit.div(rest, part.extent)
    return total


def offset(buffer: Any) -> ir.Value:
    """Elements from the first of the allocation to the first of `buffer`."""
    return tirx.offset(ir.IndexType.get(), buffer)


def swizzled(kind: Any, at: Index) -> Index:
    """Where the layout moves the element at offset `at` of the allocation."""
    if not kind.swizzle:
        return at
    bits, base, shift = kind.swizzle
    value = emit.index(at)
    row = arith.shrui(value, emit.index(shift))
    return arith.xori(value, arith.andi(row, emit.index((2**bits - 1) << base)))


def place(buffer: Any, position: Sequence[Index]) -> list[Index]:
    """The indices of an element in the memref that holds `buffer`: its position, or its offset in
    the allocation where one stride per dimension does not say it."""
    if emit.has_strides(buffer.type):
        return list(position)
    return [swizzled(buffer.type, emit.add(offset(buffer), distance(buffer, position)))]


# Addresses ----------------------------------------------------------------------------------------


def base(buffer: Any) -> ir.Value:
    """The address of the allocation or the argument that `buffer` is in, in bytes."""
    return memref.extract_aligned_pointer_as_index(emit.as_memref(buffer))


def at(base: ir.Value, buffer: Any, elements: Index) -> ir.Value:
    """The address of the element at that offset of an allocation that begins at `base`, in
    bytes."""
    return emit.index(emit.add(base, emit.mul(elements, emit.size_in_bytes(buffer.type))))


def of(buffer: Any, position: Sequence[Index]) -> ir.Value:
    """The address of an element, in bytes."""
    inside = emit.add(offset(buffer), distance(buffer, position))
    return at(base(buffer), buffer, swizzled(buffer.type, inside))
