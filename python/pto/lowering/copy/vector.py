"""`vector`: threads copy up to 16 bytes at a time, along the rows.

What the types do not tell about global memory (the address, the strides) is tested at run time: if
the rows are contiguous and aligned the wide loop runs, else the loop of `scalar`. The columns that
do not fill a vector are copied one by one.

Before
    tirx.copy cta %src -> %dst
      : !tirx.buffer<16x16xf32, global, strides = [?, 1]> -> !tirx.buffer<16x16xf32, shared>

After
    scf.if %aligned {           // (address | row stride in bytes) mod 16 == 0
      scf.for %i = %tid to %c64 step %threads {
        %v = vector.load %src[%i / 4, (%i mod 4) * 4] {alignment = 16} : vector<4xf32>
        vector.store %v, %dst[%i / 4, (%i mod 4) * 4] {alignment = 16} : vector<4xf32>
      }
    } else { … }
"""

from typing import Any

from mlir import ir
from mlir.dialects import memref, scf, vector

from pto.lowering import bounded, elements, emit, rules, workers
from pto.lowering.copy.scalar import copy_elements
from pto.lowering.dispatch import variant
from pto.target import Target

WIDEST = 16
"""Bytes that one thread moves with one instruction."""


def alignment(buffer: Any) -> int:
    """Bytes by which the address of a buffer is known to be aligned."""
    element = emit.size_in_bytes(buffer.type)
    allocation = emit.defining(buffer, "tirx.alloc")
    if allocation is not None:
        address = allocation.address
        return WIDEST if address is None else _power_of_two(address.value, WIDEST)
    region = emit.defining(buffer, "tirx.subview")
    if region is None:
        is_argument = isinstance(buffer.owner, ir.Block) and buffer.type.shape
        is_aligned = is_argument and not emit.is_strided(buffer.type)
        # The launcher holds callers to it (see `storage`).
        return WIDEST if is_aligned else element
    aligned = alignment(region.source)
    for offset, stride in zip(region.offsets, region.source.type.strides, strict=True):
        known = emit.known(offset)
        distance = (stride or 1) * (1 if known is None else known)
        aligned = _power_of_two(distance * element, aligned)
    return aligned


def _power_of_two(value: int, most: int) -> int:
    """The largest power of two up to `most` that divides `value`."""
    return most if value % most == 0 else value & -value


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
        if buffer.type.scope != "global" and alignment(buffer) % (count * element):
            return False
    return True


def unit_stride(op: Any, _: Target) -> str | None:
    """Neighbouring columns are not known to lie apart."""
    for buffer in (op.src, op.dst):
        if buffer.type.strides and buffer.type.strides[-1] not in (None, 1):
            return f"unit_stride: the columns of {buffer.type} lie {buffer.type.strides[-1]} apart"
    return None


def at_least_two(op: Any, _: Target) -> str | None:
    """A vector has at least two elements."""
    if op.src.type.shape and bounded.is_bounded(op) is None and width(op) < 2:
        return "at_least_two: shape, strides or address allow single elements only"
    return None


@variant(
    "tirx.copy",
    priority=10,
    when=[
        rules.exec_scope("warp", "warpgroup", "cta"),
        workers.whole_scopes,
        rules.in_memory,
        rules.has_dimensions,
        bounded.is_bounded,
        unit_stride,
        at_least_two,
    ],
)
def lower(op: Any, _: Target) -> None:
    """Emits the wide loop, and the other where a test decides."""
    src, dst = emit.as_memref(op.src), emit.as_memref(op.dst)
    count = width(op)
    condition = emit.both(_allows(op.src, src, count), _allows(op.dst, dst, count))
    if isinstance(condition, bool):
        assert condition
        _copy_vectors(op, src, dst, count)
        return
    branch = scf.IfOp(condition, has_else=True)
    with ir.InsertionPoint(branch.then_block):
        _copy_vectors(op, src, dst, count)
        scf.yield_([])
    otherwise = branch.else_block
    assert otherwise is not None
    with ir.InsertionPoint(otherwise):
        copy_elements(op, src, dst)
        scf.yield_([])


def _allows(buffer: Any, storage: ir.Value, count: int) -> emit.Condition:
    """The run-time test that vectors may be used; True where nothing is left to ask."""
    size = count * emit.size_in_bytes(buffer.type)
    *pitches, stride = buffer.type.strides
    rank = len(buffer.type.strides)
    is_aligned = alignment(buffer) % size == 0
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


def _copy_vectors(op: Any, src: ir.Value, dst: ir.Value, count: int) -> None:
    src, dst = _contiguous(src), _contiguous(dst)
    kind = ir.VectorType.get([count], emit.element(op.src.type))
    bytes_ = count * emit.size_in_bytes(op.src.type)
    aligned = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), bytes_)
    threads, shape = workers.of(op), bounded.shape(op)
    columns = bounded.size(op, len(shape) - 1)
    is_whole = isinstance(columns, int) and columns % count == 0
    chunks = [*shape[:-1], -(-shape[-1] // count)]
    with emit.loop(threads.index, elements.volume(chunks), threads.count) as i:
        *outer, chunk = elements.decode(i, chunks)
        with emit.when(bounded.inside(op, outer)):
            column = emit.mul(chunk, count)
            end = emit.add(column, count)
            with emit.when(True if is_whole else emit.less(end, emit.add(columns, 1))):
                position = [emit.index(index) for index in (*outer, column)]
                value = vector.load(kind, src, position, alignment=aligned)
                vector.store(value, dst, position, alignment=aligned)
            if is_whole:
                return
            with emit.when(emit.less(columns, end)), emit.loop(column, columns) as j:
                emit.store(emit.load(src, [*outer, j]), dst, [*outer, j])
