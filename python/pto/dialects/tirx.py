"""The `tirx` dialect: `tirx.CopyOp`, `tirx.BufferType` and the others."""

from pto._pto import BufferType, MBarrierType
from pto.dialects._tirx_enum_gen import CopyGroup, ExecScope, FenceKind
from pto.dialects._tirx_ops_gen import *  # noqa: F403

__all__ = ["BufferType", "CopyGroup", "ExecScope", "FenceKind", "MBarrierType"]
