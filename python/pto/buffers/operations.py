"""One handler per `pto` operation: what it becomes in `tirx`."""

from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu

from pto import ops
from pto.buffers import carried, elementwise, inequalities
from pto.buffers.state import (
    CTA,
    Kernel,
    constant_or_value,
    dispatch,
    has_elements,
    has_flag,
    is_empty,
    may_pad,
    pad,
)
from pto.buffers.tiles import Tile, allocate, check, check_bounds, new_cell
from pto.buffers.views import View
from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.emit import Index
from pto.passes import OpError

# Views --------------------------------------------------------------------------------------------


def make_tensor_view(op: Any, kernel: Kernel) -> None:
    if op.ptr not in list(kernel.entry.arguments):
        raise OpError(op, "takes a pointer that is an argument of the kernel")
    shape = tuple(constant_or_value(size) for size in op.shape)
    strides = tuple(constant_or_value(stride) for stride in op.strides)
    kernel.views[op.view] = View(op.ptr, 0, shape, strides)


def tensor_view_dim(op: Any, kernel: Kernel) -> None:
    dim: int = op.dim.value
    size = kernel.view(op, op.view).sizes[dim]
    op.size.replace_all_uses_with(emit.index(size))


def partition_view(op: Any, kernel: Kernel) -> None:
    source = kernel.view(op, op.source)
    offsets = [constant_or_value(offset) for offset in op.offsets]
    sizes = [
        constant_or_value(size) if static is None else static
        for static, size in zip(op.window.type.shape, op.sizes, strict=True)
    ]
    for size, operand in zip(sizes, op.sizes, strict=True):
        check(op, emit.equal(size, constant_or_value(operand)), "size differs from the type's")
    inside: emit.Condition = True
    for offset, size, whole in zip(offsets, sizes, source.sizes, strict=True):
        inside = emit.both(inside, inequalities.at_most(0, offset))
        inside = emit.both(inside, inequalities.at_most(emit.add(offset, size), whole))
    check(op, inside, "window leaves the view")
    kernel.views[op.window] = source.window(offsets, sizes)


# Tiles --------------------------------------------------------------------------------------------


def alloc_tile(op: Any, kernel: Kernel) -> None:
    kind = op.tile.type
    address = None
    if op.addr is not None:
        address = emit.known(op.addr)
        if address is None:
            raise OpError(op, "needs a constant address")
    tile = Tile(allocate(kernel.entry, kind, address), kind, _valid(op, kind))
    _define(op, op.tile, tile, kernel)


def subview(op: Any, kernel: Kernel) -> None:
    kind = op.window.type
    source = kernel.tile(op, op.source)
    offsets = constant_or_value(op.rowOffset), constant_or_value(op.colOffset)
    sizes = zip(offsets, kind.shape, source.kind.shape, ("rows", "columns"), strict=True)
    for offset, size, extent, what in sizes:
        inside = emit.both(
            inequalities.at_most(0, offset), inequalities.at_most(offset, extent - size)
        )
        check(op, inside, f"window leaves the {extent} {what} of the tile")
    _define(op, op.window, source.window(kind, offsets, _valid(op, kind)), kernel)


def _valid(op: Any, kind: Any) -> tuple[Index, Index]:
    """The valid region of a new handle: what the type says, else the operands."""
    rows, columns = kind.valid
    return (
        constant_or_value(op.validRow) if rows is None else rows,
        constant_or_value(op.validCol) if columns is None else columns,
    )


def _define(op: Any, handle: ir.Value, tile: Tile, kernel: Kernel) -> None:
    """`handle` stands for `tile`, whose valid region `set_validshape` may change."""
    for size, most, what in zip(tile.valid, tile.kind.shape, ("rows", "columns"), strict=True):
        check_bounds(op, size, most, what)
    if any(use.owner.name == "pto.set_validshape" for use in handle.uses):
        valid = tile.valid
        tile.cell = new_cell(kernel.entry)
        tile.set_valid_region(*valid)
    kernel.tiles[handle] = tile


def tassign(op: Any, kernel: Kernel) -> None:
    if op.tile not in kernel.tiles:
        raise OpError(
            op, "binds a tile that this kernel makes, not one passed through another operation"
        )
    if carried.is_carried(op.tile):
        raise OpError(op, "binds a tile that a loop or a branch carries; bind what it is made from")
    tile = kernel.tiles[op.tile]
    if tile.root != tile.buffer:
        raise OpError(op, "binds a window of a tile; bind the tile")
    allocation = tile.buffer.owner.opview
    if tile.is_used:
        raise OpError(op, "comes after a use of the tile; bind a tile before it is used")
    if allocation.address is not None and allocation.address.value != op.address.value:
        raise OpError(op, f"moves a tile that is bound to 0x{allocation.address.value:x} already")
    allocation.address = op.address


def set_validshape(op: Any, kernel: Kernel) -> None:
    tile = kernel.tile(op, op.tile)
    valid = (op.validRow, op.validCol)
    for size, most, what in zip(valid, tile.kind.shape, ("rows", "columns"), strict=True):
        check_bounds(op, size, most, what)
    tile.set_valid_region(*valid)


# Memory -------------------------------------------------------------------------------------------


def tload(op: Any, kernel: Kernel) -> None:
    window = kernel.view(op, op.src).matrix()
    tile = kernel.destination(op, window.sizes)
    window = _same_shape(op, window, tile)
    if is_empty(window.sizes):
        return
    with emit.when(may_pad(tile, window.sizes)):
        tirx.copy(CTA, window.buffer(), tile.region(*window.sizes), dispatch=dispatch(op))
        pad(tile, window.sizes)


def tstore(op: Any, kernel: Kernel) -> None:
    tile = kernel.tile(op, op.src)
    window = _same_shape(op, kernel.view(op, op.dst).matrix(), tile)
    if is_empty(window.sizes):
        return
    source, destination = tile.region(*window.sizes), window.buffer()
    if op.atomicType is None:
        tirx.copy(CTA, source, destination, dispatch=dispatch(op))
        return
    with emit.when(has_elements(window.sizes)):
        _combine(op, source, destination)


_ATOMICS = {"add": tirx.sum, "max": tirx.max, "min": tirx.min}


def _combine(op: Any, source: Any, destination: Any) -> None:
    """Each element with the one in memory: an atomic reduction over an axis of 1."""
    kind = source.type
    shape, strides = [1, *kind.shape], [0, *kind.strides]
    row = tirx.BufferType.get(shape, kind.element_type, "shared", strides)
    sizes = [
        tirx.dim(ir.IndexType.get(), source, dim)
        for dim, size in enumerate(kind.shape)
        if size is None
    ]
    stack = tirx.view(row, source, emit.index(0), sizes, [])
    # The atomic rounds to the element type, whatever came before.
    accumulate = emit.element(kind) if isinstance(kind.element_type, ir.FloatType) else None
    _ATOMICS[op.atomicType.value](
        CTA,
        stack,
        destination,
        [0],
        accum=True,
        atomic=True,
        accumulate=None if accumulate is None else ir.TypeAttr.get(accumulate),
        dispatch=dispatch(op),
    )


def _same_shape(op: ir.OpView, window: View, tile: Tile) -> View:
    """The window with the sizes of the valid region, which must be its own."""
    valid = tile.valid_region()
    for size, length, what in zip(window.sizes, valid, ("rows", "columns"), strict=True):
        check(op, emit.equal(size, length), f"window and valid region differ in {what}")
    return View(window.base, window.offset, valid, window.strides)


# Reductions ---------------------------------------------------------------------------------------

_PRIMITIVES: dict[str, Callable[..., Any]] = {
    "sum": tirx.sum,
    "prod": tirx.prod,
    "max": tirx.max,
    "min": tirx.min,
}


def reduction(op: Any, kernel: Kernel) -> None:
    """Folds columns (axis 0) or rows (axis 1), which leaves a tile of one row or one column."""
    entry = ops.TABLE[op.operation.name]
    assert isinstance(entry, ops.Reduction)
    src = kernel.tile(op, op.src)
    region = src.valid_region()
    result = [1 if dim == entry.axis else size for dim, size in enumerate(region)]
    dst = kernel.destination(op, result)
    kept = 1 - entry.axis
    what = ("rows", "columns")
    found = dst.valid_region()
    same = emit.equal(region[kept], found[kept])
    check(op, same, f"valid {what[kept]} of source and destination differ")
    is_one = emit.equal(found[entry.axis], 1)
    check(op, is_one, f"destination has not 1 valid {what[entry.axis].removesuffix('s')}")
    if is_empty(region):
        return
    with emit.when(has_elements(region)):
        source = kernel.readable(src, dst, in_place=False)
        _PRIMITIVES[entry.primitive](
            CTA,
            source.region(*region),
            dst.region(*result),
            [entry.axis],
            strict=not has_flag(op, "reassoc"),
            dispatch=dispatch(op),
        )
        pad(dst, result)


# The grid -----------------------------------------------------------------------------------------


def get_block_idx(op: Any, _: Kernel) -> None:
    _replace(op, gpu.block_id(gpu.Dimension.x))


def get_block_num(op: Any, _: Kernel) -> None:
    _replace(op, gpu.grid_dim(gpu.Dimension.x))


def _replace(op: Any, number: ir.Value) -> None:
    i64 = ir.IntegerType.get_signless(64)
    op.result.replace_all_uses_with(arith.index_cast(i64, number))


def return_(_: Any, __: Kernel) -> None:
    gpu.return_([])


HANDLERS: dict[str, Callable[[Any, Kernel], None]] = {
    "pto.make_tensor_view": make_tensor_view,
    "pto.tensor_view_dim": tensor_view_dim,
    "pto.partition_view": partition_view,
    "pto.alloc_tile": alloc_tile,
    "pto.subview": subview,
    "pto.tassign": tassign,
    "pto.set_validshape": set_validshape,
    "pto.tload": tload,
    "pto.tstore": tstore,
    **dict.fromkeys(elementwise.NAMES, elementwise.lower),
    **{name: reduction for name, entry in ops.TABLE.items() if isinstance(entry, ops.Reduction)},
    "pto.get_block_idx": get_block_idx,
    "pto.get_block_num": get_block_num,
    **dict.fromkeys(carried.BRANCHING, carried.enter),
    **dict.fromkeys(carried.ENDS, carried.leave),
    "arith.select": carried.select,
    "pto.return": return_,
    "func.return": return_,
}
