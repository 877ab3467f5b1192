"""Operations that treat every position of a box alike: `tirx.map`, `tirx.compare`, `tirx.select`,
and the maps of a `tirx.fused`.

The box is as `bounded` says: its sizes are constants around a region that may be smaller. Sources
are buffers, whose dimensions of 1 stand for any number of copies, or scalars.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir.dialects import vector

from pto.dialects import tirx
from pto.lowering import address, alignment, elements, emit, vectors, workers
from pto.lowering.alignment import WIDEST
from pto.lowering.emit import Condition, Index
from pto.lowering.facts import fact
from pto.target import Target


def is_buffer(value: Any) -> bool:
    return isinstance(value.type, tirx.BufferType)


def parts(op: Any) -> list[Any]:
    """The operations in a `tirx.fused`, or the one itself."""
    is_fused = op.operation.name == "tirx.fused"
    return list(op.body.blocks[0].operations) if is_fused else [op]


@fact
def whole(op: Any) -> list[Any]:
    """The buffers whose sizes are those of the box."""
    return [buffer for part in parts(op) for buffer in _whole(part)]


def _whole(op: Any) -> list[Any]:
    sources = list(filter(is_buffer, op.srcs))
    box = op.dst if op.operation.name != "tirx.compare" else sources[0]
    return [box, *(source for source in sources if 1 not in source.type.shape)]


@fact
def _bounds(op: Any) -> list[int | None]:
    """What is known to be enough along each dimension."""
    sides = zip(*(emit.bounds(buffer) for buffer in whole(op)), strict=True)
    return [min((size for size in side if size is not None), default=None) for side in sides]


def is_bounded(op: Any, _: Target | None = None) -> str | None:
    """Every dimension has a known bound."""
    for dim, bound in enumerate(_bounds(op)):
        if bound is None:
            return f"is_bounded: dimension {dim} has no known bound"
    return None


def shape(op: Any) -> list[int]:
    """The sizes of the box."""
    return [size for size in _bounds(op) if size is not None]


def size(op: Any, dim: int) -> Index:
    """The size of the region along `dim`, static if a buffer knows it."""
    buffers = whole(op)
    for buffer in buffers:
        if buffer.type.shape[dim] is not None:
            return buffer.type.shape[dim]
    return emit.extent(buffers[0], dim)


def inside(op: Any, position: Sequence[Index]) -> Condition:
    """Whether a position, or its outer part, lies inside the region."""
    condition: Condition = True
    box = shape(op)
    for dim, index in enumerate(position):
        length = size(op, dim)
        if length != box[dim]:
            condition = emit.both(condition, emit.less(index, length))
    return condition


# Access -------------------------------------------------------------------------------------------


def position_in(buffer: Any, position: Sequence[Index]) -> list[Index]:
    """Where a source keeps what stands at `position`."""
    return [
        0 if length == 1 else at for at, length in zip(position, buffer.type.shape, strict=True)
    ]


def read(source: Any, position: Sequence[Index], count: int = 1) -> ir.Value:
    """So many elements of a source from `position` on along the last dimension."""
    if not is_buffer(source):
        return _splat(source, count)
    at = position_in(source, position)
    memory = emit.as_memref(source)
    if count == 1 or source.type.shape[-1] == 1:
        return _splat(emit.load(memory, address.place(source, at)), count)
    kind = ir.VectorType.get([count], emit.element(source.type))
    return vector.load(kind, memory, [emit.index(i) for i in at], alignment=_bytes(source, count))


def once(source: Any) -> Any:
    """A buffer of one element as a scalar, read here rather than at every position."""
    if not is_buffer(source) or any(length != 1 for length in source.type.shape):
        return source
    return read(source, [0] * len(source.type.shape))


def write(value: ir.Value, buffer: Any, position: Sequence[Index], count: int = 1) -> None:
    """The inverse of `read`."""
    memory = emit.as_memref(buffer)
    if count == 1:
        emit.store(value, memory, address.place(buffer, position))
        return
    at = [emit.index(i) for i in position]
    vector.store(value, memory, at, alignment=_bytes(buffer, count))


def _splat(value: ir.Value, count: int) -> ir.Value:
    return value if count == 1 else vector.broadcast(ir.VectorType.get([count], value.type), value)


def _bytes(buffer: Any, count: int) -> ir.Attribute:
    """Registers have no addresses, and no alignment to keep."""
    element = emit.size_in_bytes(buffer.type)
    aligned = element if buffer.type.scope == "local" else count * element
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), aligned)


# Vectors ------------------------------------------------------------------------------------------


@fact
def width(op: Any) -> int:
    """Elements per vector: the most that every buffer allows; `op` is bounded."""
    buffers = [buffer for part in parts(op) for buffer in (part.dst, *filter(is_buffer, part.srcs))]
    box = shape(op)
    if not box:
        return 1
    count = WIDEST // max(emit.size_in_bytes(buffer.type) for buffer in buffers)
    while count > 1 and not (
        box[-1] >= count and all(_allows(buffer, count) for buffer in buffers)
    ):
        count //= 2
    return count


def _allows(buffer: Any, count: int) -> bool:
    if not emit.has_strides(buffer.type):
        return False
    if buffer.type.shape[-1] == 1:
        return True
    *pitches, stride = buffer.type.strides
    for pitch, length in zip(pitches, buffer.type.shape, strict=False):
        if length != 1 and (pitch is None or pitch % count):
            return False
    size = count * emit.size_in_bytes(buffer.type)
    return stride == 1 and (buffer.type.scope == "local" or alignment.of(buffer) % size == 0)


def over_elements(op: Any, compute: Callable[[list[Index]], None]) -> None:
    """Threads take the positions of the region in turn, along the rows."""
    threads, box = workers.of(op), shape(op)
    with threads.share(elements.volume(box)) as i:
        position = elements.decode(i, box)
        with emit.when(inside(op, position)):
            compute(position)


def over_vectors(op: Any, compute: Callable[[list[Index], int], None]) -> None:
    """The same, `width` elements at a time; what does not fill a vector goes one by one."""
    box = shape(op)
    columns = size(op, len(box) - 1)

    def each(positions: list[list[Index]], count: int) -> None:
        for position in positions:
            compute(position, count)

    vectors.share(workers.of(op), box, columns, width(op), lambda at: inside(op, at), each)
