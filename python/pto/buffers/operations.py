"""One handler per `pto` operation: what it becomes in `tirx`."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu

from pto import ops
from pto.buffers.tiles import Tile, allocate, check, check_bounds, new_cell
from pto.buffers.views import View
from pto.dialects import tirx
from pto.lowering import emit
from pto.passes import OpError

CTA = tirx.ExecScope.Cta


@dataclass
class Kernel:
    """What the values of one kernel stand for."""

    entry: ir.Block
    views: dict[ir.Value, View] = field(default_factory=dict)
    tiles: dict[ir.Value, Tile] = field(default_factory=dict)

    def view(self, op: ir.OpView, value: ir.Value) -> View:
        """The view behind `value`."""
        if value not in self.views:
            raise OpError(
                op, "takes a view that this kernel makes, not one passed through another operation"
            )
        return self.views[value]

    def tile(self, op: ir.OpView, value: ir.Value) -> Tile:
        """The tile behind `value`, which `op` uses."""
        if value not in self.tiles:
            raise OpError(
                op, "takes a tile that this kernel makes, not one passed through another operation"
            )
        self.tiles[value].is_used = True
        return self.tiles[value]

    def define(self, op: ir.OpView, value: ir.Value) -> Tile:
        """A new tile for the value that `op` computes."""
        kind: Any = value.type
        if None in kind.valid:
            raise OpError(op, "computes a tile whose valid region is not known; use a tile buffer")
        buffer = allocate(self.entry, kind, None)
        self.tiles[value] = Tile(buffer, kind, kind.valid)
        return self.tiles[value]


# Views --------------------------------------------------------------------------------------------


def make_tensor_view(op: Any, kernel: Kernel) -> None:
    if op.ptr not in list(kernel.entry.arguments):
        raise OpError(op, "takes a pointer that is an argument of the kernel")
    shape = tuple(_constant_or_value(size) for size in op.shape)
    strides = tuple(_constant_or_value(stride) for stride in op.strides)
    kernel.views[op.view] = View(op.ptr, 0, shape, strides)


def tensor_view_dim(op: Any, kernel: Kernel) -> None:
    dim: int = op.dim.value
    size = kernel.view(op, op.view).sizes[dim]
    op.size.replace_all_uses_with(emit.index(size))


def partition_view(op: Any, kernel: Kernel) -> None:
    source = kernel.view(op, op.source)
    offsets = [_constant_or_value(offset) for offset in op.offsets]
    sizes = [
        _constant_or_value(size) if static is None else static
        for static, size in zip(op.window.type.shape, op.sizes, strict=True)
    ]
    for size, operand in zip(sizes, op.sizes, strict=True):
        check(op, emit.equal(size, _constant_or_value(operand)), "size differs from the type's")
    inside: emit.Condition = True
    for offset, size, whole in zip(offsets, sizes, source.sizes, strict=True):
        inside = emit.both(inside, emit.at_most(0, offset))
        inside = emit.both(inside, emit.at_most(emit.add(offset, size), whole))
    check(op, inside, "window leaves the view")
    kernel.views[op.window] = source.window(offsets, sizes)


def _constant_or_value(value: ir.Value) -> emit.Index:
    constant = emit.known(value)
    return value if constant is None else constant


# Tiles --------------------------------------------------------------------------------------------


def alloc_tile(op: Any, kernel: Kernel) -> None:
    kind = op.tile.type
    address = None
    if op.addr is not None:
        address = emit.known(op.addr)
        if address is None:
            raise OpError(op, "needs a constant address")
    rows, columns = kind.valid
    valid = (
        _constant_or_value(op.validRow) if rows is None else rows,
        _constant_or_value(op.validCol) if columns is None else columns,
    )
    tile = Tile(allocate(kernel.entry, kind, address), kind, valid)
    for size, most, what in zip(valid, kind.shape, ("rows", "columns"), strict=True):
        check_bounds(op, size, most, what)
    if any(use.owner.name == "pto.set_validshape" for use in op.tile.uses):
        tile.cell = new_cell(kernel.entry)
        tile.set_valid_region(*valid)
    kernel.tiles[op.tile] = tile


def tassign(op: Any, kernel: Kernel) -> None:
    if op.tile not in kernel.tiles:
        raise OpError(
            op, "binds a tile that this kernel makes, not one passed through another operation"
        )
    tile = kernel.tiles[op.tile]
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
    tile = kernel.tile(op, op.dst) if op.dst is not None else kernel.define(op, op.result)
    window = _same_shape(op, window, tile)
    if (has_elements := _has_elements(window.sizes)) is False:
        return
    with emit.when(has_elements):
        _pad(tile)
        tirx.copy(CTA, window.buffer(), tile.region(*window.sizes), dispatch=_dispatch(op))


def tstore(op: Any, kernel: Kernel) -> None:
    tile = kernel.tile(op, op.src)
    window = _same_shape(op, kernel.view(op, op.dst).matrix(), tile)
    if (has_elements := _has_elements(window.sizes)) is False:
        return
    with emit.when(has_elements):
        source, destination = tile.region(*window.sizes), window.buffer()
        if op.atomicType is None:
            tirx.copy(CTA, source, destination, dispatch=_dispatch(op))
        else:
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
        dispatch=_dispatch(op),
    )


def _same_shape(op: ir.OpView, window: View, tile: Tile) -> View:
    """The window with the sizes of the valid region, which must be its own."""
    valid = tile.valid_region()
    for size, length, what in zip(window.sizes, valid, ("rows", "columns"), strict=True):
        check(op, emit.equal(size, length), f"window and valid region differ in {what}")
    return View(window.base, window.offset, valid, window.strides)


def _has_elements(region: Sequence[emit.Index]) -> emit.Condition:
    """An operation on an empty region writes nothing, not even padding."""
    rows, columns = region
    return emit.both(emit.less(0, rows), emit.less(0, columns))


def _dispatch(op: ir.OpView) -> ir.Attribute | None:
    attributes = op.operation.attributes
    if "dispatch" not in attributes:
        return None
    if not isinstance(attributes["dispatch"], ir.StringAttr):
        raise OpError(op, 'has a dispatch that is no string, such as "fold"')
    return attributes["dispatch"]


def _pad(tile: Tile) -> None:
    """Fills a tile that has a pad value, before its valid region is written."""
    if tile.kind.pad:
        kind = emit.element(tile.buffer.type)
        value = arith.constant(kind, _pad_value(tile.kind.pad, tile.kind.element_type))
        tirx.fill(CTA, value, tile.buffer)


def _pad_value(pad: int, kind: ir.Type) -> float | int:
    """1 is zero, 2 the largest and 3 the smallest value of the element type."""
    if isinstance(kind, ir.FloatType):
        return {1: 0.0, 2: math.inf, 3: -math.inf}[pad]
    assert isinstance(kind, ir.IntegerType)
    if kind.is_unsigned:
        return {1: 0, 2: -1, 3: 0}[pad]
    half = 1 << (kind.width - 1)
    return {1: 0, 2: half - 1, 3: -half}[pad]


# Reductions ---------------------------------------------------------------------------------------

_PRIMITIVES: dict[str, Callable[..., Any]] = {
    "sum": tirx.sum,
    "prod": tirx.prod,
    "max": tirx.max,
    "min": tirx.min,
}


def column_reduction(op: Any, kernel: Kernel) -> None:
    src = kernel.tile(op, op.src)
    dst = kernel.tile(op, op.dst) if op.dst is not None else kernel.define(op, op.result)
    if src.overlaps(dst):
        raise OpError(op, "writes to bytes of its source; give the destination other addresses")
    name = op.operation.name
    rows, columns = src.valid_region()
    dst_rows, dst_columns = dst.valid_region()
    check(
        op,
        emit.equal(columns, dst_columns),
        "valid columns of source and destination differ",
    )
    check(op, emit.equal(dst_rows, 1), "destination has not 1 valid row")
    if (has_elements := _has_elements((rows, columns))) is False:
        return
    with emit.when(has_elements):
        _pad(dst)
        _PRIMITIVES[ops.TABLE[name].primitive](
            CTA,
            src.region(rows, columns),
            dst.region(1, columns),
            [0],
            strict=not _may_reassociate(op.fastmath),
            dispatch=_dispatch(op),
        )


def _may_reassociate(fastmath: ir.Attribute) -> bool:
    flags = str(fastmath).partition("<")[2].rstrip(">").split(",")
    return "reassoc" in flags or "fast" in flags


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
    "pto.tassign": tassign,
    "pto.set_validshape": set_validshape,
    "pto.tload": tload,
    "pto.tstore": tstore,
    "pto.tcolprod": column_reduction,
    "pto.tcolsum": column_reduction,
    "pto.tcolmax": column_reduction,
    "pto.tcolmin": column_reduction,
    "pto.get_block_idx": get_block_idx,
    "pto.get_block_num": get_block_num,
    "pto.return": return_,
    "func.return": return_,
}
