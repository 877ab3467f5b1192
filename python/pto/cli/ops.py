"""`pto ops`: the table of tile ops."""

from __future__ import annotations

from collections.abc import Sequence


def ops() -> None:
    """List the tile ops: meaning, operands, tirx primitive, element types per profile, and in how
    many cases the simulator and GPUs gave the reference's result."""
    from pto import context
    from pto.dtypes import DTYPES
    from pto.ops import status
    from pto.ops.listing import rows

    from .console import line, table

    def types(names: Sequence[str]) -> str:
        return "all" if set(names) == set(DTYPES) else " ".join(names)

    record = status.load()
    devices = status.devices(record)
    heads = ("op", "meaning", "takes", "primitive", "types", "in profile a2a3", "in profile a5")
    table(
        (*heads, *devices),
        (
            (
                row.name,
                row.summary,
                row.takes,
                row.primitive,
                *map(types, (row.types, row.a2a3, row.a5)),
                *(status.describe(record, device, row.name, row.types) for device in devices),
            )
            for row in rows(context.create())
        ),
    )
    line()
    line(f"all: {' '.join(DTYPES)}")
    line("Every op has two forms: on values, and on buffers with ins(...) and outs(...).")
    line(f"{', '.join(devices)}: the cases of the test matrix with the result of the reference.")
