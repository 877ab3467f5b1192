"""`copy`: the copy is done at once.

Nothing is left to wait for, so that groups of copies hold nothing of it.

Before
    tirx.copy_async cta %src -> %dst
      : !tirx.buffer<4x4xf32, shared> -> !tirx.buffer<4x4xf32, shared>

After
    tirx.copy cta %src -> %dst
      : !tirx.buffer<4x4xf32, shared> -> !tirx.buffer<4x4xf32, shared>
"""

from typing import Any

from pto.dialects import tirx
from pto.lowering import rules
from pto.lowering.dispatch import variant
from pto.passes import named
from pto.target import Target


@variant("tirx.copy_async", priority=1, when=[rules.absent("mbar"), rules.absent("remote_cta")])
def lower(op: Any, _: Target) -> None:
    """Emits the copy."""
    tirx.CopyOp(op.attributes["exec"], op.src, op.dst, loc=named(op))
