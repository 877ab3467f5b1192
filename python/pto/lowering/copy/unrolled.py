"""`unrolled`: one thread copies an array of known shape, without a loop.

So that local arrays are indexed by constants and stay in registers. Neighbouring elements move in
vectors of up to 16 bytes (32 from global memory on sm_100 and newer), where the alignment of both
sides is known: a kernel argument of static shape is aligned to 16 bytes by contract.

Before
    tirx.copy thread %src -> %dst : !tirx.buffer<32xf32, global> -> !tirx.buffer<32xf32, local>

After
    %v0 = vector.load %src[%c0] {alignment = 16} : vector<4xf32>
    vector.store %v0, %dst[%c0] : vector<4xf32>
    %v1 = vector.load %src[%c4] {alignment = 16} : vector<4xf32>
    …
"""

from typing import Any

from mlir import ir
from mlir.dialects import vector

from pto.lowering import alignment, elements, emit, rules
from pto.lowering.dispatch import variant
from pto.target import Target


@variant(
    "tirx.copy",
    priority=20,
    when=[rules.exec_scope("thread"), rules.strided, elements.static_shapes, elements.is_short],
)
def lower(op: Any, _: Target) -> None:
    """Emits the accesses."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    shape = op.src.type.shape
    count = width(op)
    kind = ir.VectorType.get([count], emit.element(op.src.type))
    for flat in range(0, elements.volume(shape), count):
        position = [emit.index(i) for i in elements.decode(flat, shape)]
        if count == 1:
            emit.store(emit.load(src, position), dst, position)
            continue
        value = vector.load(kind, src, position, alignment=_bytes(op.src, count))
        vector.store(value, dst, position, alignment=_bytes(op.dst, count))


def width(op: Any) -> int:
    """Elements per access: all of a row's vectors are whole and aligned."""
    shape, element = op.src.type.shape, emit.size_in_bytes(op.src.type)
    count = 16 // element
    while count > 1 and not _fits(op, shape, count, count * element):
        count //= 2
    return count


def _fits(op: Any, shape: list[int], count: int, size: int) -> bool:
    if not shape or shape[-1] % count:
        return False
    for buffer in (op.src, op.dst):
        *pitches, stride = buffer.type.strides
        if stride != 1 or any(pitch is None or pitch % count for pitch in pitches):
            return False
        # Registers have no addresses.
        if buffer.type.scope != "local" and alignment.of(buffer) % size:
            return False
    return True


def _bytes(buffer: Any, count: int) -> ir.Attribute:
    element = emit.size_in_bytes(buffer.type)
    size = element if buffer.type.scope == "local" else count * element
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), size)
