"""Elementwise tile ops: `tirx.map`, `tirx.compare` and `tirx.select` over the valid region."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from pto import ops
from pto.buffers.state import CTA, Kernel, dispatch, has_flag, is_empty, may_pad, pad
from pto.buffers.tiles import Tile, check, transposed
from pto.dialects import pto, tirx
from pto.lowering import emit
from pto.lowering.emit import Index

NAMES = [name for name, entry in ops.TABLE.items() if isinstance(entry, ops.Elementwise)]

Region = Sequence[Index]


def lower(op: Any, kernel: Kernel) -> None:
    """The handler of every elementwise op: its entry in the table says what it becomes."""
    entry = ops.TABLE[op.operation.name]
    assert isinstance(entry, ops.Elementwise)
    given = list(op.operands)[: len(entry.operands)]
    kinds = entry.kinds([_is_tile(value) for value in given])
    sources: list[Any] = [
        value if kind == "scalar" else kernel.tile(op, value)
        for kind, value in zip(kinds, given, strict=True)
    ]
    pairs = list(zip(kinds, sources, strict=True))
    region = _region(op, pairs)
    is_mask = entry.result == "mask"
    dst = kernel.destination(op, _bytes_of(region) if is_mask else region)
    if entry.fills:
        region = _inside(op, region, dst.valid_region())
    elif not is_mask:
        region = _agreed(op, [region, dst.valid_region()])
    for kind, source in [*pairs, (entry.result, dst)]:
        _check(op, kind, source, region)
    if is_empty(region):
        return
    with emit.when(may_pad(dst, region)):
        buffers = [
            source if kind == "scalar" else _readable(kernel, source, dst, region, kind, entry)
            for kind, source in pairs
        ]
        written = _part(entry.result, region)
        _emit(op, entry, buffers, dst.region(*written))
        pad(dst, written)


def _is_tile(value: ir.Value) -> bool:
    return isinstance(value.type, pto.TileType | pto.TileBufType)


def _region(op: Any, pairs: Sequence[tuple[str, Any]]) -> list[Index | None]:
    """The valid region that the sources have; None for a size that none of them knows."""
    rows: list[Index] = []
    columns: list[Index] = []
    for kind, source in pairs:
        if kind in ("tile", "column"):
            rows.append(source.valid_region()[0])
        if kind in ("tile", "row"):
            columns.append(source.valid_region()[1])
        if kind == "transposed":
            for sizes, size in zip((columns, rows), source.valid_region(), strict=True):
                sizes.append(size)
    return [
        _same(op, sizes, what) if sizes else None
        for sizes, what in ((rows, "rows"), (columns, "columns"))
    ]


def _same(op: Any, sizes: Sequence[Index], what: str) -> Index:
    """The one size that all are, known at compile time if one of them is."""
    agreed = sizes[0]
    for size in sizes[1:]:
        check(op, emit.equal(agreed, size), f"valid {what} of its tiles differ")
        if emit.known(agreed) is None:
            agreed = size
    return agreed


def _agreed(op: Any, regions: Sequence[Sequence[Index | None]]) -> list[Index]:
    """The one valid region that all have."""
    found: list[Index] = []
    for sizes, what in zip(zip(*regions, strict=True), ("rows", "columns"), strict=True):
        found.append(_same(op, [size for size in sizes if size is not None], what))
    return found


def _inside(op: Any, region: Sequence[Index | None], dst: Region) -> list[Index]:
    """The region of the sources, which must not leave that of the destination."""
    found: list[Index] = []
    for size, most, what in zip(region, dst, ("rows", "columns"), strict=True):
        assert size is not None
        fits = emit.at_most(size, most)
        check(op, fits, f"source has more valid {what} than the destination")
        found.append(size)
    return found


def _bytes_of(region: Sequence[Any]) -> tuple[Index, Index]:
    """The region of a mask that holds a bit for each element of `region`."""
    rows, columns = region
    return rows, emit.div(emit.add(columns, 7), 8)


def _part(kind: str, region: Region) -> tuple[Index, Index]:
    """What an operand holds of a region."""
    rows, columns = region
    match kind:
        case "mask":
            return _bytes_of(region)
        case "row":
            return 1, columns
        case "column":
            return rows, 1
        case "transposed":
            return columns, rows
        case _:
            return rows, columns


def _check(op: Any, kind: str, source: Any, region: Region) -> None:
    """What is special about masks, rows and columns."""
    if kind == "mask":
        rows, columns = source.valid_region()
        check(op, emit.equal(rows, region[0]), "valid rows of mask and tile differ")
        bits = emit.mul(columns, 8)
        check(op, emit.at_most(region[1], bits), "a row of the mask has too few bits")
    elif kind == "row":
        check(op, emit.equal(source.valid_region()[0], 1), "a row has not 1 valid row")
    elif kind == "column":
        check(op, emit.equal(source.valid_region()[1], 1), "a column has not 1 valid column")


def _readable(
    kernel: Kernel, source: Tile, dst: Tile, region: Region, kind: str, entry: ops.Elementwise
) -> ir.Value:
    """What the primitive reads in place of `source`; see `Kernel.readable`."""
    tile = kernel.readable(source, dst, in_place=kind == entry.result == "tile")
    part = tile.region(*_part(kind, region))
    return transposed(part) if kind == "transposed" else part


def _emit(op: Any, entry: ops.Elementwise, sources: list[ir.Value], dst: ir.Value) -> None:
    match entry.primitive:
        case "compare":
            relation = pto.mode(op.cmp).lower()
            tirx.compare(CTA, relation, sources, dst, dispatch=dispatch(op))
        case "select":
            mask, *values = sources
            tirx.select(CTA, mask, values, dst, dispatch=dispatch(op))
        case "iota":
            descending = op.descending.value or None
            tirx.iota(CTA, sources[0], dst, descending=descending, dispatch=dispatch(op))
        case _ if entry.function == "cast":
            tirx.map(
                CTA,
                entry.function,
                sources,
                dst,
                rounding=_rounding(op),
                saturate=pto.mode(op.sat) == "ON" or None,
                dispatch=dispatch(op),
            )
        case _:
            approx = entry.fast_error is not None and has_flag(op, "afn")
            tirx.map(
                CTA, entry.function, sources, dst, approx=approx or None, dispatch=dispatch(op)
            )


_ROUNDINGS = {
    "RINT": "nearest",
    "ROUND": "away",
    "FLOOR": "down",
    "CEIL": "up",
    "TRUNC": "zero",
    "ODD": "odd",
}


def _rounding(op: Any) -> str:
    """Without a mode, towards zero from a float to an integer and to nearest otherwise."""
    mode, result = pto.mode(op.rmode), op.result if op.dst is None else op.dst
    if mode != "NONE":
        return _ROUNDINGS[mode]
    kinds = [value.type.element_type for value in (op.src, result)]
    to_integer = isinstance(kinds[0], ir.FloatType) and isinstance(kinds[1], ir.IntegerType)
    return "zero" if to_integer else "nearest"
