"""Tiles: their storage, windows of it, their valid region and manual placement."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pto.dialects.pto import TileType
from pto.reference.cta import SPACE_BYTES, Cta, Handler, unwritten
from pto.reference.faults import fault
from pto.reference.scalars import element_dtype


@dataclass(eq=False)
class Tile:
    """A handle on a tile; two handles on overlapping bytes of a space share them."""

    storage: NDArray[Any]
    """All elements, rows by columns."""
    rows: int
    cols: int
    """The valid region."""
    pad: int
    """What stands outside it: 0 what was there, 1 zero, 2 the largest and 3 the smallest value."""

    @property
    def valid(self) -> NDArray[Any]:
        """The elements of the valid region, in place."""
        return self.storage[: self.rows, : self.cols]

    @property
    def is_empty(self) -> bool:
        return self.rows == 0 or self.cols == 0

    def write(self, elements: NDArray[Any], shape: tuple[int, int] | None = None) -> None:
        """Replaces the first `shape` elements (the valid region), and what is outside where the
        tile has a pad value."""
        rows, cols = (self.rows, self.cols) if shape is None else shape
        self.storage[:rows, :cols] = elements
        if self.pad:
            value = _pad_value(self.pad, self.storage.dtype)
            self.storage[rows:] = value
            self.storage[:rows, cols:] = value


def _pad_value(pad: int, dtype: np.dtype[Any]) -> Any:
    if pad == 1:
        return 0
    if dtype.kind not in "iu":
        return np.inf if pad == 2 else -np.inf
    limits = np.iinfo(dtype)
    return limits.max if pad == 2 else limits.min


def check_valid(op: Any, type: Any, rows: int, cols: int) -> tuple[int, int]:
    """The valid region, which must fit the tile."""
    for what, given, size in zip(("rows", "columns"), (rows, cols), type.shape, strict=True):
        if not 0 <= given <= size:
            text = f"valid {what} {given} are outside 0 to {size}, the tile's size"
            raise fault(op, text)
    return rows, cols


def _valid(type: Any, rows: Any, cols: Any) -> tuple[int, int]:
    """The valid region that the type says, `rows` and `cols` where it says `?`."""
    static_rows, static_cols = type.valid
    return (
        rows if static_rows is None else static_rows,
        cols if static_cols is None else static_cols,
    )


def new_tile(op: Any, type: Any, rows: int, cols: int) -> Tile:
    """A tile of `type` in storage of its own; the valid region applies where the type says `?`."""
    dtype = element_dtype(type)
    rows, cols = check_valid(op, type, *_valid(type, rows, cols))
    storage = unwritten(type.shape[0] * type.shape[1] * dtype.itemsize).view(dtype)
    return Tile(storage.reshape(type.shape), rows, cols, type.pad)


def _place(cta: Cta, op: Any, tile: Tile, space: str, address: int) -> None:
    """Makes `tile` a view of the bytes at `address`."""
    size, unit = tile.storage.nbytes, tile.storage.itemsize
    if address < 0 or address + size > SPACE_BYTES:
        extent = f"{size} bytes at address {address:#x}"
        raise fault(op, f"needs {extent}, outside the {SPACE_BYTES} bytes of space '{space}'")
    if address % unit:
        raise fault(op, f"address {address} is not a multiple of the element's {unit} bytes")
    content = cta.space(space)[address : address + size]
    tile.storage = content.view(tile.storage.dtype).reshape(tile.storage.shape)


def _alloc_tile(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    rest = iter(operands)
    segments = op.attributes["operandSegmentSizes"]
    given: list[Any] = [next(rest) if present else None for present in segments]
    address, rows, cols = given
    type = op.results[0].type
    tile = new_tile(op, type, rows, cols)
    if address is not None:
        _place(cta, op, tile, type.space, address)
    return [tile]


def _subview(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    segments = op.attributes["operandSegmentSizes"]
    source, row, col, *valid = operands
    given = iter(valid)
    rows, cols = (next(given) if present else None for present in list(segments)[3:])
    type = op.results[0].type
    sizes = zip(("rows", "columns"), (row, col), type.shape, source.storage.shape, strict=True)
    for what, offset, size, extent in sizes:
        if not 0 <= offset <= extent - size:
            window = f"window of {what} {offset} to {offset + size}"
            raise fault(op, f"{window} leaves the tile, which has {extent}")
    rows, cols = check_valid(op, type, *_valid(type, rows, cols))
    storage = source.storage[row : row + type.shape[0], col : col + type.shape[1]]
    return [Tile(storage, rows, cols, type.pad)]


def _tassign(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    """A value moves to the address; a buffer has from now on what the bytes there hold."""
    tile: Tile = operands[0]
    content, type = tile.storage, op.operands[0].type
    _place(cta, op, tile, type.space, op.attributes["address"].value)
    if isinstance(type, TileType):
        tile.storage[...] = content
    return []


def _set_validshape(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    tile, rows, cols = operands
    tile.rows, tile.cols = check_valid(op, op.operands[0].type, rows, cols)
    return []


HANDLERS: dict[str, Handler] = {
    "pto.alloc_tile": _alloc_tile,
    "pto.subview": _subview,
    "pto.tassign": _tassign,
    "pto.set_validshape": _set_validshape,
}
