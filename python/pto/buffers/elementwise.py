"""Elementwise tile ops: `tirx.map`, `tirx.compare` and `tirx.select` over the valid region."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from pto import ops
from pto.buffers.state import CTA, Kernel, dispatch, has_elements, pad
from pto.buffers.tiles import Tile, check
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
    sources: list[Any] = [
        value if kind == "scalar" else kernel.tile(op, value)
        for kind, value in zip(entry.operands, given, strict=True)
    ]
    regions = [
        source.valid_region()
        for kind, source in zip(entry.operands, sources, strict=True)
        if kind == "tile"
    ]
    region = _agreed(op, regions)
    is_mask = entry.result == "mask"
    dst = kernel.destination(op, _bytes_of(region) if is_mask else region)
    if is_mask:
        _check_mask(op, dst, region)
    else:
        region = _agreed(op, [region, dst.valid_region()])
    for kind, source in zip(entry.operands, sources, strict=True):
        if kind == "mask":
            _check_mask(op, source, region)
    if (is_there := has_elements(region)) is False:
        return
    with emit.when(is_there):
        buffers = [
            source
            if kind == "scalar"
            else _readable(kernel, source, dst, region, kind, is_plain=kind == entry.result)
            for kind, source in zip(entry.operands, sources, strict=True)
        ]
        written = _bytes_of(region) if is_mask else region
        _emit(op, entry, buffers, dst.region(*written))
        pad(dst, written)


def _agreed(op: Any, regions: Sequence[Region]) -> list[Index]:
    """The one valid region that all tiles have, with what is known of it at compile time."""
    agreed = list(regions[0])
    for region in regions[1:]:
        for dim, what in enumerate(("rows", "columns")):
            same = emit.equal(agreed[dim], region[dim])
            check(op, same, f"valid {what} of its tiles differ")
            if emit.known(agreed[dim]) is None:
                agreed[dim] = region[dim]
    return agreed


def _bytes_of(region: Region) -> tuple[Index, Index]:
    """The region of a mask that holds a bit for each element of `region`."""
    rows, columns = region
    return rows, emit.div(emit.add(columns, 7), 8)


def _check_mask(op: Any, mask: Tile, region: Region) -> None:
    rows, columns = mask.valid_region()
    check(op, emit.equal(rows, region[0]), "valid rows of mask and tile differ")
    bits = emit.mul(columns, 8)
    check(op, emit.at_most(region[1], bits), "a row of the mask has too few bits")


def _readable(
    kernel: Kernel, source: Tile, dst: Tile, region: Region, kind: str, *, is_plain: bool
) -> ir.Value:
    """What the primitive reads in place of `source`; see `Kernel.readable`."""
    tile = kernel.readable(source, dst, in_place=is_plain)
    return tile.region(*(_bytes_of(region) if kind == "mask" else region))


def _emit(op: Any, entry: ops.Elementwise, sources: list[ir.Value], dst: ir.Value) -> None:
    match entry.primitive:
        case "compare":
            relation = pto.mode(op.cmp).lower()
            tirx.compare(CTA, relation, sources, dst, dispatch=dispatch(op))
        case "select":
            mask, *values = sources
            tirx.select(CTA, mask, values, dst, dispatch=dispatch(op))
        case _:
            tirx.map(CTA, entry.function, sources, dst, dispatch=dispatch(op))
