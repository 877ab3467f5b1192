"""`registers`: every thread computes the elements of a distributed buffer that it stores.

Before (a warp; lane l holds row l)
    tirx.map warp "neg"(%a) -> %d
      : (!tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>)
      -> !tirx.buffer<32x4xf32, local, shards = [32 : 1@laneid, 4 : 1]>

After
    %a_own = tirx.own %a
    %d_own = tirx.own %d
    tirx.map thread "neg"(%a_own) -> %d_own
      : (!tirx.buffer<4xf32, local>) -> !tirx.buffer<4xf32, local>
"""

from typing import Any

from pto.dialects import tirx
from pto.lowering import functions, layout, pointwise, rules, workers
from pto.lowering.dispatch import variant
from pto.target import Target


def same_layout(op: Any, _: Target) -> str | None:
    """All buffers lie over the threads in the same way."""
    kind = op.dst.type
    for source in filter(pointwise.is_buffer, op.srcs):
        if (source.type.shards, source.type.replicas) != (kind.shards, kind.replicas):
            return f"same_layout: {source.type} beside {kind}"
    return None


@variant(
    "tirx.map",
    priority=10,
    when=[
        rules.exec_scope("warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.distributed,
        same_layout,
        functions.known_function,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the same function of each thread's part."""
    sources = [layout.own(source) if pointwise.is_buffer(source) else source for source in op.srcs]
    tirx.map(
        tirx.ExecScope.Thread,
        op.function,
        sources,
        layout.own(op.dst),
        approx=op.approx or None,
        rounding=op.rounding,
        saturate=op.saturate or None,
    )
