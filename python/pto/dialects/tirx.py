"""The `tirx` dialect: `tirx.CopyOp`, `tirx.BufferType` and the others."""

from pto._pto import BufferType
from pto.dialects._tirx_enum_gen import ExecScope
from pto.dialects._tirx_ops_gen import *  # noqa: F403

__all__ = ["BufferType", "ExecScope"]
