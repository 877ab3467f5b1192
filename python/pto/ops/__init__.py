"""The op table: one entry per tile op, one file per family. Needs no MLIR.

Which element types an op admits is asked of its verifier: `pto.ops.listing`.
"""

from pto.ops import memory, reduction
from pto.ops.entry import Reduction, TileOp

TABLE: dict[str, TileOp] = {op.name: op for op in (*memory.OPS, *reduction.OPS)}

__all__ = ["TABLE", "Reduction", "TileOp"]
