"""`pto ops`: the table of tile ops."""

from __future__ import annotations

from collections.abc import Sequence


def ops() -> None:
    """List the tile ops: meaning, element types per profile, and tirx primitive."""
    from pto import context
    from pto.dtypes import DTYPES
    from pto.ops.listing import rows

    from .console import line, table

    def types(names: Sequence[str]) -> str:
        return "all" if set(names) == set(DTYPES) else " ".join(names)

    table(
        ("op", "meaning", "primitive", "types", "in profile a2a3", "in profile a5"),
        (
            (row.name, row.summary, row.primitive, *map(types, (row.types, row.a2a3, row.a5)))
            for row in rows(context.create())
        ),
    )
    line()
    line(f"all: {' '.join(DTYPES)}")
