"""Copies along the rows, in vectors of up to 16 bytes.

What the types do not tell about global memory (the address, the strides) is tested at run time: if
the rows are contiguous and aligned the wide loop runs, else one over elements. The columns that do
not fill a vector are copied one by one.
"""

from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.dialects import memref

from pto.lowering import address, alignment, bounded, elements, emit, vectors, workers
from pto.lowering.alignment import WIDEST
from pto.lowering.emit import Index
from pto.lowering.facts import fact
from pto.target import Target

AT_ONCE = 4
"""Vectors that a thread reads before it writes them."""

Move = Callable[[ir.Value, ir.Value, list[list[Index]], int], None]
"""Copies so many neighbouring elements, given both memrefs, from some positions on."""


@fact
def width(op: Any) -> int:
    """Elements per vector: the most that the static part of both sides allows."""
    element = emit.size_in_bytes(op.src.type)
    columns = bounded.shape(op)[-1] if bounded.is_bounded(op) is None else 1
    count = WIDEST // element
    while count > 1 and not _fits(op, count, element, columns):
        count //= 2
    return count


def _fits(op: Any, count: int, element: int, columns: int) -> bool:
    if columns < count:
        return False
    for buffer in (op.src, op.dst):
        if any(pitch is not None and pitch % count for pitch in buffer.type.strides[:-1]):
            return False
        if buffer.type.scope != "global" and alignment.of(buffer) % (count * element):
            return False
    return True


def unit_stride(op: Any, _: Target) -> str | None:
    """Neighbouring columns are not known to lie apart."""
    for buffer in (op.src, op.dst):
        if buffer.type.strides and buffer.type.strides[-1] not in (None, 1):
            return f"unit_stride: the columns of {buffer.type} lie {buffer.type.strides[-1]} apart"
    return None


def copy(op: Any, move: Move) -> None:
    """The wide loop, and the other where a test decides; `move` copies `count` elements."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    count = width(op)
    condition = emit.both(_allows(op.src, src, count), _allows(op.dst, dst, count))
    for is_aligned in emit.branches(condition):
        if is_aligned:
            _copy_vectors(op, src, dst, count, move)
        else:
            copy_elements(op, src, dst)


def copy_elements(op: Any, src: ir.Value, dst: ir.Value) -> None:
    """The loop, over a box that contains the region, with a guard where it is larger; over one row
    it goes as far as the region."""
    threads, shape = workers.of(op), bounded.shape(op)
    outer = [0] * (len(shape) - 1)
    is_row = elements.volume(shape[:-1]) == 1 and shape != []
    total = bounded.size(op, len(outer)) if is_row else elements.volume(shape)
    with emit.loop(threads.index, total, threads.count) as i:
        position = [*outer, i] if is_row else elements.decode(i, shape)
        with emit.when(bounded.inside(op, outer if is_row else position)):
            value = emit.load(src, address.place(op.src, position))
            emit.store(value, dst, address.place(op.dst, position))


def _allows(buffer: Any, storage: ir.Value, count: int) -> emit.Condition:
    """The run-time test that vectors may be used; True where nothing is left to ask."""
    size = count * emit.size_in_bytes(buffer.type)
    *pitches, stride = buffer.type.strides
    rank = len(buffer.type.strides)
    is_aligned = alignment.of(buffer) % size == 0
    if is_aligned and None not in pitches and stride == 1:
        return True
    metadata = memref.ExtractStridedMetadataOp(storage)
    offset, strides = metadata.results[1], metadata.results[2 + rank :]
    condition: emit.Condition = True
    if stride is None:
        condition = emit.equal(strides[-1], 1)
    for pitch, value in zip(pitches, strides, strict=False):
        if pitch is None:
            condition = emit.both(condition, emit.equal(emit.rem(value, count), 0))
    if not is_aligned:
        base = memref.extract_aligned_pointer_as_index(storage)
        address = emit.add(base, emit.mul(offset, emit.size_in_bytes(buffer.type)))
        condition = emit.both(condition, emit.equal(emit.rem(address, size), 0))
    return condition


def _contiguous(storage: ir.Value) -> ir.Value:
    """A memref whose type says what the run-time test found: columns lie side by side."""
    kind = storage.type
    assert isinstance(kind, ir.MemRefType)
    strides, offset = kind.get_strides_and_offset()
    if strides[-1] == 1:
        return storage
    # Not a memref.cast, which canonicalization would fold into the vector access.
    metadata = memref.ExtractStridedMetadataOp(storage)
    rank = len(strides)
    sizes = metadata.results[2 : 2 + rank]
    dynamic = ir.ShapedType.get_dynamic_size()
    layout = ir.StridedLayoutAttr.get(offset, [*strides[:-1], 1])
    view = memref.ReinterpretCastOp(
        ir.MemRefType.get(kind.shape, kind.element_type, layout, kind.memory_space),
        metadata.results[0],
        [metadata.results[1]],
        [size for size, static in zip(sizes, kind.shape, strict=True) if static == dynamic],
        [
            value
            for value, static in zip(metadata.results[2 + rank :], strides[:-1], strict=False)
            if static == dynamic
        ],
        [offset],
        kind.shape,
        [*strides[:-1], 1],
    )
    return view.result


def _copy_vectors(op: Any, src: ir.Value, dst: ir.Value, count: int, move: Move) -> None:
    src, dst = _contiguous(src), _contiguous(dst)
    box = bounded.shape(op)

    def compute(positions: list[list[Index]], number: int) -> None:
        if number == count:
            move(src, dst, positions, count)
            return
        for position in positions:
            emit.store(emit.load(src, position), dst, position)

    threads, columns = workers.of(op), bounded.size(op, len(box) - 1)
    vectors.share(
        threads, box, columns, count, lambda at: bounded.inside(op, at), compute, at_once=AT_ONCE
    )
