"""Tiles: a buffer in shared memory and a valid region that may change at run time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir
from mlir.dialects import cf, memref

from pto.buffers import inequalities
from pto.buffers.accesses import access
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
    origin: tuple[Index, Index] = (0, 0)
    """Of a window of another tile, its first row and column there."""
    _parts: dict[Any, ir.Value] = field(default_factory=dict)
    """The parts that blocks of the program have taken already."""

    def window(self, kind: Any, offsets: tuple[Index, Index], valid: tuple[Index, Index]) -> "Tile":
        """A tile of type `kind` that shares this one's bytes from row and column `offsets` on."""
        row, column = (emit.add(a, b) for a, b in zip(self.origin, offsets, strict=True))
        return Tile(self.part(offsets, kind.shape), kind, valid, origin=(row, column))

    @property
    def root(self) -> Any:
        """The buffer that `tirx.alloc` made, of which a window has a part."""
        return emit.root(self.buffer)

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
        block = ir.InsertionPoint.current.block
        key = block, *offsets, *sizes
        if key not in self._parts:
            self._parts[key] = self._new_part(offsets, sizes)
        return self._parts[key]

    def _new_part(self, offsets: Sequence[Index], sizes: Sequence[Index]) -> ir.Value:
        whole = self.buffer.type
        static = [emit.known(size) for size in sizes]
        kind = tirx.BufferType.get(static, whole.element_type, "shared", whole.strides)
        dynamic = [emit.index(size) for size in sizes if emit.known(size) is None]
        return tirx.subview(kind, self.buffer, [emit.index(at) for at in offsets], dynamic)

    def overlaps(self, other: "Tile") -> bool:
        """Whether the two may share bytes."""
        mine, theirs = (access(tile.buffer, writes=True) for tile in (self, other))
        return mine.overlaps(theirs)

    def coincides(self, other: "Tile") -> bool:
        """Whether of two tiles that overlap the elements at each position certainly have the same
        bytes."""
        if self.buffer == other.buffer:
            return True
        if self._pitch() != other._pitch():
            return False
        if self.root == other.root:
            return all(map(_are_same, self.origin, other.origin))
        starts = [tile._start() for tile in (self, other)]
        return None not in starts and starts[0] == starts[1]

    def _start(self) -> int | None:
        """The address of the first element of a tile in manual placement, where known."""
        address = self.root.owner.opview.address
        row, column = (emit.known(at) for at in self.origin)
        if address is None or row is None or column is None:
            return None
        pitch, size = self._pitch()
        return address.value + (row * pitch + column) * size

    def _pitch(self) -> tuple[int, int]:
        """Elements from row to row, and bytes per element."""
        return self.buffer.type.strides[0], emit.size_in_bytes(self.buffer.type)


def _are_same(a: Index, b: Index) -> bool:
    """Whether two indices are known to be equal."""
    return a == b or (emit.known(a) is not None and emit.known(a) == emit.known(b))


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
    inside = emit.both(inequalities.at_most(0, size), inequalities.at_most(size, most))
    check(op, inside, f"valid {what} are outside 0 to {most}, the tile's size")
