"""`unrolled`: one thread computes an array of registers, without a loop.

So that local arrays are indexed by constants and stay in registers. Pairs of f32 become packed
`f32x2` instructions on sm_100 and newer.

Before
    tirx.map thread "mul"(%a, %b) -> %d
      : (!tirx.buffer<8xf32, local>, !tirx.buffer<8xf32, local>) -> !tirx.buffer<8xf32, local>

After
    %x0 = vector.load %a[%c0] : vector<4xf32>
    %y0 = vector.load %b[%c0] : vector<4xf32>
    %z0 = arith.mulf %x0, %y0 : vector<4xf32>
    vector.store %z0, %d[%c0] : vector<4xf32>
    …
"""

from typing import Any

from pto.lowering import elements, functions, pointwise, rules
from pto.lowering.dispatch import variant
from pto.target import Target


def is_short(op: Any, _: Target) -> str | None:
    """Unrolling stays within reason."""
    if elements.static_shapes(op) is not None:
        return None
    count = elements.volume(op.dst.type.shape)
    longest = elements.LONGEST
    return f"is_short({longest}): {count} elements" if count > longest else None


@variant(
    "tirx.map",
    priority=20,
    when=[
        rules.exec_scope("thread"),
        rules.memory("local"),
        rules.strided,
        elements.static_shapes,
        is_short,
        functions.known_function,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the accesses and what lies between them."""
    shape = op.dst.type.shape
    count = pointwise.width(op)
    while shape and shape[-1] % count:
        count //= 2
    for flat in range(0, elements.volume(shape), count):
        position = elements.decode(flat, shape)
        operands = [pointwise.read(source, position, count) for source in op.srcs]
        pointwise.write(functions.apply(op, operands), op.dst, position, count)
