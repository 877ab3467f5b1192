"""`pto ops`: the table of tile ops."""

from __future__ import annotations


def ops() -> None:
    """List the tile ops: meaning, element types per profile, and tirx primitive."""
    from pto import context
    from pto.ops.listing import rows

    from .console import table

    table(
        ("op", "summary", "types", "profile a2a3", "profile a5", "primitive"),
        (
            (row.name, row.summary, *map(" ".join, (row.types, row.a2a3, row.a5)), row.primitive)
            for row in rows(context.create())
        ),
    )
