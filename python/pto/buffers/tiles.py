"""Tiles: a buffer in shared memory and a valid region that may change at run time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import cf, memref

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.emit import Index
from pto.passes import OpError


@dataclass
class Tile:
    """What a tile value or a tile buffer stands for."""

    buffer: ir.Value
    kind: Any
    """Its type, a `TileType` or a `TileBufType`."""
    valid: tuple[Index, Index]
    cell: ir.Value | None = None
    """Two indices in local memory that hold the valid region, where `set_validshape` changes it."""
    is_used: bool = False

    def valid_region(self) -> tuple[Index, Index]:
        """The valid rows and columns, here."""
        if self.cell is None:
            return self.valid
        rows, columns = self.kind.valid
        return (
            emit.load(self.cell, [0]) if rows is None else rows,
            emit.load(self.cell, [1]) if columns is None else columns,
        )

    def set_valid_region(self, rows: Index, columns: Index) -> None:
        """Changes it from here on."""
        assert self.cell is not None
        emit.store(emit.index(rows), self.cell, [0])
        emit.store(emit.index(columns), self.cell, [1])

    def region(self, rows: Index, columns: Index) -> ir.Value:
        """The first rows and columns as a buffer."""
        if [emit.known(rows), emit.known(columns)] == list(self.kind.shape):
            return self.buffer
        return self.part((0, 0), (rows, columns))

    def part(self, offsets: Sequence[Index], sizes: Sequence[Index]) -> ir.Value:
        """The elements from `offsets` on as a buffer."""
        whole = self.buffer.type
        static = [emit.known(size) for size in sizes]
        kind = tirx.BufferType.get(static, whole.element_type, "shared", whole.strides)
        dynamic = [emit.index(size) for size in sizes if emit.known(size) is None]
        return tirx.subview(kind, self.buffer, [emit.index(at) for at in offsets], dynamic)

    def bytes(self) -> tuple[int, int] | None:
        """The addresses that a tile in manual placement occupies."""
        address = self.buffer.owner.opview.address
        if address is None:
            return None
        rows, columns = self.kind.shape
        size = rows * columns * emit.size_in_bytes(self.buffer.type)
        return address.value, address.value + size

    def overlaps(self, other: "Tile") -> bool:
        """Whether the two share bytes."""
        if self is other:
            return True
        mine, theirs = self.bytes(), other.bytes()
        return (
            mine is not None and theirs is not None and mine[0] < theirs[1] and theirs[0] < mine[1]
        )

    def coincides(self, other: "Tile") -> bool:
        """Whether of two tiles that overlap the elements at each position have the same bytes."""
        if self is other:
            return True
        mine, theirs = self.bytes(), other.bytes()
        assert mine is not None and theirs is not None
        return mine[0] == theirs[0] and self._pitch() == other._pitch()

    def _pitch(self) -> tuple[int, int]:
        return self.kind.shape[1], emit.size_in_bytes(self.buffer.type)


def transposed(buffer: Any) -> ir.Value:
    """The same elements with rows and columns exchanged."""
    kind = buffer.type
    sizes, strides = kind.shape[::-1], kind.strides[::-1]
    dynamic = [emit.extent(buffer, dim) for dim in (1, 0) if kind.shape[dim] is None]
    return tirx.view(
        tirx.BufferType.get(sizes, kind.element_type, kind.scope, strides),
        buffer,
        emit.index(0),
        [emit.index(size) for size in dynamic],
        [],
    )


def allocate(entry: ir.Block, kind: Any, address: int | None) -> ir.Value:
    """A buffer for a tile of type `kind`, allocated once at the start of the kernel."""
    with ir.InsertionPoint.at_block_begin(entry):
        return tirx.alloc(
            tirx.BufferType.get(list(kind.shape), kind.element_type, "shared"), address=address
        )


def new_cell(entry: ir.Block) -> ir.Value:
    """Local memory for a valid region."""
    with ir.InsertionPoint.at_block_begin(entry):
        return memref.alloca(ir.MemRefType.get([2], ir.IndexType.get()), [], [])


def check(op: ir.OpView, condition: emit.Condition, message: str) -> None:
    """`condition` must hold: an error now if it is known not to, else the kernel stops with
    `message` at run time."""
    if condition is False:
        raise OpError(op, message)
    if condition is not True:
        cf.assert_(emit.truth(condition), f"'{op.operation.name}' op {message}")


def check_bounds(op: ir.OpView, size: Index, most: int, what: str) -> None:
    """0 <= size <= most."""
    inside = emit.both(emit.at_most(0, size), emit.at_most(size, most))
    check(op, inside, f"valid {what} are outside 0 to {most}, the tile's size")
