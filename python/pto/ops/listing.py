"""The op table with the element types that the verifier admits: what `pto ops` prints."""

from typing import NamedTuple

from mlir import ir

from pto import _pto
from pto.ops import TABLE, Elementwise, TileOp


class Row(NamedTuple):
    """One line of `pto ops`; element types are spelled as in the IR."""

    name: str
    summary: str
    takes: str
    """Its operands: `tile, scalar`, `scalar, tile` being as good where it ends in `any order`."""
    types: tuple[str, ...]
    """Without a profile."""
    a2a3: tuple[str, ...]
    a5: tuple[str, ...]
    primitive: str
    """With its prefix: `tirx.prod`."""


def _takes(op: TileOp) -> str:
    if not isinstance(op, Elementwise):
        return "view" if op.name == "pto.tload" else "tile"
    return ", ".join(op.operands) + (", any order" if op.is_either_order else "")


def _function(op: TileOp) -> str:
    return f' "{op.function}"' if isinstance(op, Elementwise) and op.function else ""


def rows(context: ir.Context) -> list[Row]:
    """A row per op in the order of the table; `context` comes from `pto.context.create`."""

    def types(name: str, profile: str) -> tuple[str, ...]:
        return tuple(_pto.element_types(context, name, profile))

    return [
        Row(
            op.name,
            op.summary,
            _takes(op),
            types=types(op.name, ""),
            a2a3=types(op.name, "a2a3"),
            a5=types(op.name, "a5"),
            primitive=f"tirx.{op.primitive}" + _function(op),
        )
        for op in TABLE.values()
    ]
