"""The op table: one entry per tile op, one file per family. Needs no MLIR.

Which element types an op admits is asked of its verifier: `pto.ops.listing`.
"""

from pto.ops import (
    arithmetic,
    conversion,
    expansion,
    initialization,
    layout,
    logical,
    memory,
    reduction,
    scalar,
    transcendental,
)
from pto.ops.entry import Elementwise, Reduction, TileOp

FAMILIES = (
    memory,
    arithmetic,
    transcendental,
    logical,
    conversion,
    scalar,
    reduction,
    expansion,
    layout,
    initialization,
)
"""The modules of the table, each with its `OPS`, in the order of the docs."""

TABLE: dict[str, TileOp] = {op.name: op for family in FAMILIES for op in family.OPS}

__all__ = ["FAMILIES", "TABLE", "Elementwise", "Reduction", "TileOp"]
