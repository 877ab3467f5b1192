"""Elementwise tile ops, as the op table defines them."""

from typing import Any

from pto.dialects import pto
from pto.ops import TABLE, Elementwise, numeric
from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault
from pto.reference.tiles import Tile, new_tile


def _handler(entry: Elementwise) -> Handler:
    def compute(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        sources = operands[: len(entry.operands)]
        tiles: list[Tile] = [
            source for kind, source in zip(entry.operands, sources, strict=True) if kind == "tile"
        ]
        rows, cols = tiles[0].rows, tiles[0].cols
        is_mask = entry.result == "mask"
        shape = (rows, -(-cols // 8)) if is_mask else (rows, cols)
        results = [new_tile(op, result.type, *shape) for result in op.results]
        destination: Tile = (results or operands[len(sources) :])[0]
        for tile in tiles if is_mask else [*tiles, destination]:
            _check_region(op, tile, rows, cols)
        masks: list[Tile] = [
            source for kind, source in zip(entry.operands, sources, strict=True) if kind == "mask"
        ]
        for mask in [*masks, destination] if is_mask else masks:
            _check_mask(op, mask, rows, cols)
        if tiles[0].is_empty:
            return results
        arrays = [
            _array(kind, source, cols, tiles[0].storage.dtype)
            for kind, source in zip(entry.operands, sources, strict=True)
        ]
        modes = {name: pto.mode(op.attributes[name]) for name in entry.attributes}
        try:
            value = entry.compute(*arrays, **modes)
        except ArithmeticError as error:
            raise fault(op, str(error)) from None
        destination.write(
            numeric.mask_of_bits(value).view(destination.storage.dtype) if is_mask else value,
            shape,
        )
        return results

    return compute


def _array(kind: str, source: Any, cols: int, dtype: Any) -> Any:
    match kind:
        case "mask":
            return numeric.bits_of_mask(source.valid, cols)
        case "scalar":
            return _scalar(source, dtype)
        case _:
            return source.valid.copy()


def _scalar(value: Any, dtype: Any) -> Any:
    """A scalar operand: the bits of an integer, whose type has no sign, or a float."""
    if dtype.kind not in "iu":
        return dtype.type(value)
    return dtype.type(value % (1 << 8 * dtype.itemsize)) if dtype.kind == "u" else dtype.type(value)


def _check_region(op: Any, tile: Tile, rows: int, cols: int) -> None:
    for what, mine, its in (("rows", tile.rows, rows), ("columns", tile.cols, cols)):
        if mine != its:
            raise fault(op, f"valid {what} of its tiles differ: {mine} and {its}")


def _check_mask(op: Any, mask: Tile, rows: int, cols: int) -> None:
    if mask.rows != rows:
        raise fault(op, f"valid rows of mask and tile differ: {mask.rows} and {rows}")
    if mask.cols * 8 < cols:
        raise fault(op, f"a row of the mask has {mask.cols * 8} bits for {cols} columns")


HANDLERS: dict[str, Handler] = {
    name: _handler(entry) for name, entry in TABLE.items() if isinstance(entry, Elementwise)
}
