"""The `pto` dialect: `pto.TColProdOp`, `pto.TileType` and the others."""

from typing import Any

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
    "mode",
]


def mode(attribute: Any) -> str:
    """The word in an attribute such as `#pto<cmp LT>`."""
    return str(attribute).removesuffix(">").rpartition(" ")[2]
