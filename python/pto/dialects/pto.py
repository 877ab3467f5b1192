"""The `pto` dialect: `pto.TColProdOp`, `pto.TileType` and the others."""

from pto._pto import (
    PartitionTensorViewType,
    PtrType,
    TensorViewType,
    TileBufType,
    TileType,
)
from pto.dialects._pto_ops_gen import *  # noqa: F403

__all__ = [
    "PartitionTensorViewType",
    "PtrType",
    "TensorViewType",
    "TileBufType",
    "TileType",
]
