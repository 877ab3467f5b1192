"""Tiles from and to global memory."""

from pto.ops.entry import TileOp

TLOAD = TileOp("pto.tload", "fills a tile from a window of global memory", primitive="copy")
TSTORE = TileOp(
    "pto.tstore", "writes the valid region of a tile to a window of global memory", primitive="copy"
)

OPS = (TLOAD, TSTORE)
