"""Elementwise tile ops, as the op table defines them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pto.dialects import pto
from pto.ops import TABLE, Elementwise, numeric
from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault
from pto.reference.tiles import Tile, new_tile


def _handler(entry: Elementwise) -> Handler:
    def compute(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        sources = operands[: len(entry.operands)]
        kinds = entry.kinds([isinstance(source, Tile) for source in sources])
        pairs = list(zip(kinds, sources, strict=True))
        rows = _size(op, pairs, "rows")
        cols = _size(op, pairs, "cols")
        is_mask = entry.result == "mask"
        if op.results:
            static_rows, static_cols = op.results[0].type.valid
            rows = static_rows if rows is None else rows
            cols = static_cols if cols is None else cols
            shape = (rows, -(-cols // 8)) if is_mask else (rows, cols)
            results = [new_tile(op, op.results[0].type, *shape)]
            destination = results[0]
        else:
            results = []
            destination = operands[-1]
            rows = destination.rows if rows is None else rows
            cols = destination.cols if cols is None else cols
            shape = (rows, -(-cols // 8)) if is_mask else (rows, cols)
        for kind, tile in [*pairs, (entry.result, destination)]:
            if entry.fills and tile is destination:
                _check_inside(op, tile, rows, cols)
            else:
                _check(op, kind, tile, rows, cols)
        if rows == 0 or cols == 0:
            return results
        dtype = next((s.storage.dtype for kind, s in pairs if kind in _DATA), None)
        dtype = destination.storage.dtype if dtype is None else dtype
        arrays = [_array(kind, source, cols, dtype) for kind, source in pairs]
        if entry.counts:
            arrays.append(np.arange(cols).astype(dtype))
        keywords: dict[str, Any] = {
            name: pto.mode(op.attributes[name]) for name in entry.attributes
        }
        if entry.results:
            keywords["to"] = destination.storage.dtype
        try:
            value = entry.compute(*arrays, **keywords)
        except ArithmeticError as error:
            raise fault(op, str(error)) from None
        value = np.broadcast_to(value, (rows, cols))
        destination.write(
            numeric.mask_of_bits(value).view(destination.storage.dtype) if is_mask else value,
            shape,
        )
        return results

    return compute


_DATA = ("tile", "row", "column", "transposed")
_TELLS = {
    "rows": {"tile": "rows", "column": "rows", "transposed": "cols"},
    "cols": {"tile": "cols", "row": "cols", "transposed": "rows"},
}


def _size(op: Any, pairs: Sequence[tuple[str, Any]], what: str) -> int | None:
    """The one size that all sources have, None if none has it."""
    tells = _TELLS[what]
    sizes = [getattr(source, tells[kind]) for kind, source in pairs if kind in tells]
    for size in sizes:
        _check_same(op, what, size, sizes[0])
    return sizes[0] if sizes else None


def _check_same(op: Any, what: str, mine: int, its: int) -> None:
    if mine != its:
        word = "rows" if what == "rows" else "columns"
        raise fault(op, f"valid {word} of its tiles differ: {its} and {mine}")


def _check_inside(op: Any, tile: Tile, rows: int, cols: int) -> None:
    for what, mine, most in (("rows", rows, tile.rows), ("columns", cols, tile.cols)):
        if mine > most:
            raise fault(op, f"source has more valid {what} than the destination: {mine} of {most}")


def _check(op: Any, kind: str, tile: Any, rows: int, cols: int) -> None:
    """The valid region of one tile, beside that of the op."""
    match kind:
        case "mask":
            _check_mask(op, tile, rows, cols)
        case "row":
            if tile.rows != 1:
                raise fault(op, f"a row has 1 valid row, not {tile.rows}")
        case "column":
            if tile.cols != 1:
                raise fault(op, f"a column has 1 valid column, not {tile.cols}")
        case "tile":
            _check_same(op, "rows", tile.rows, rows)
            _check_same(op, "cols", tile.cols, cols)
        case _:
            pass


def _array(kind: str, source: Any, cols: int, dtype: Any) -> Any:
    match kind:
        case "mask":
            return numeric.bits_of_mask(source.valid, cols)
        case "scalar":
            return _scalar(source, dtype)
        case "transposed":
            return source.valid.T.copy()
        case _:
            return source.valid.copy()


def _scalar(value: Any, dtype: Any) -> Any:
    """A scalar operand: the bits of an integer, whose type has no sign, or a float."""
    if dtype.kind == "u":
        value %= 1 << 8 * dtype.itemsize
    return np.asarray(dtype.type(value))


def _check_mask(op: Any, mask: Tile, rows: int, cols: int) -> None:
    if mask.rows != rows:
        raise fault(op, f"valid rows of mask and tile differ: {mask.rows} and {rows}")
    if mask.cols * 8 < cols:
        raise fault(op, f"a row of the mask has {mask.cols * 8} bits for {cols} columns")


HANDLERS: dict[str, Handler] = {
    name: _handler(entry) for name, entry in TABLE.items() if isinstance(entry, Elementwise)
}
