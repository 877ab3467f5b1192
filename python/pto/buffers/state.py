"""What the values of a kernel stand for while it is rewritten, and what its handlers share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.buffers import inequalities
from pto.buffers.tiles import Tile, allocate, check_bounds
from pto.buffers.views import View
from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.emit import Index
from pto.passes import OpError

CTA = tirx.ExecScope.Cta


@dataclass
class Kernel:
    """What the values of one kernel stand for."""

    entry: ir.Block
    views: dict[ir.Value, View] = field(default_factory=dict)
    tiles: dict[ir.Value, Tile] = field(default_factory=dict)
    homes: dict[ir.Value, ir.Value] = field(default_factory=dict)
    """Buffers that values are computed in, where they are not to have their own."""
    own: list[ir.Value] = field(default_factory=list)
    """Buffers that values have, which the program does not see."""

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

    def define(self, op: ir.OpView, value: ir.Value, valid: Sequence[Index | None]) -> Tile:
        """A new tile for the value that `op` computes; `valid` is its valid region where the type
        says `?`. A `tassign` of the value says where it lives."""
        kind: Any = value.type
        owners: list[Any] = [use.owner.opview for use in value.uses]
        places = (op for op in owners if op.operation.name == "pto.tassign")
        address = next((place.address.value for place in places), None)
        sizes: list[Index] = []
        for given, static, most, what in zip(
            valid, kind.valid, kind.shape, ("rows", "columns"), strict=True
        ):
            size = given if static is None else static
            if size is None:
                raise OpError(op, f"computes a tile whose valid {what} nothing tells; use a buffer")
            check_bounds(op, size if given is None else given, most, what)
            sizes.append(size)
        if address is not None:
            buffer = allocate(self.entry, kind, address)
        else:
            buffer = self.homes.get(value) or self.allocate(kind)
        self.tiles[value] = Tile(buffer, kind, (sizes[0], sizes[1]))
        return self.tiles[value]

    def allocate(self, kind: Any) -> ir.Value:
        """A buffer for a value of type `kind`."""
        self.own.append(allocate(self.entry, kind, None))
        return self.own[-1]

    def destination(self, op: Any, valid: Sequence[Index | None]) -> Tile:
        """The tile that `op` writes: that of `outs`, or a new one (see `define`)."""
        if op.dst is not None:
            return self.tile(op, op.dst)
        return self.define(op, op.result, valid)

    def readable(self, source: Tile, destination: Tile, *, in_place: bool) -> Tile:
        """`source`, or a copy of it where writing `destination` would change what is yet to be
        read. With `in_place` every element is read by the thread that then writes its bytes."""
        if not source.overlaps(destination) or (in_place and source.coincides(destination)):
            return source
        return self.copy_of(source)

    def copy_of(self, source: Tile) -> Tile:
        """The valid region of a tile in memory of its own."""
        rows, columns = source.valid_region()
        copy = Tile(self.allocate(source.kind), source.kind, (rows, columns))
        tirx.copy(CTA, source.region(rows, columns), copy.region(rows, columns))
        return copy


def constant_or_value(value: ir.Value) -> Index:
    """An index operand."""
    constant = emit.known(value)
    return value if constant is None else constant


def is_empty(region: Sequence[Index]) -> bool:
    """Whether a region certainly has no elements. An operation on it writes nothing."""
    return 0 in map(emit.known, region)


def may_pad(tile: Tile, region: Sequence[Index]) -> emit.Condition:
    """Whether padding may be written: not around an empty region. Loops over its elements need no
    such condition."""
    return has_elements(region) if tile.kind.pad else True


def has_elements(region: Sequence[Index]) -> emit.Condition:
    """Whether a region that is not known to be empty has elements."""
    rows, columns = region
    return emit.both(inequalities.less(0, rows), inequalities.less(0, columns))


def dispatch(op: ir.OpView) -> ir.Attribute | None:
    """The variant that the program asks for."""
    attributes = op.operation.attributes
    if "dispatch" not in attributes:
        return None
    if not isinstance(attributes["dispatch"], ir.StringAttr):
        raise OpError(op, 'has a dispatch that is no string, such as "fold"')
    return attributes["dispatch"]


def has_flag(op: Any, flag: str) -> bool:
    """Whether `fastmath<…>` on the operation has a flag, or all of them."""
    flags = str(op.fastmath).partition("<")[2].rstrip(">").split(",")
    return flag in flags or "fast" in flags


def pad(tile: Tile, region: Sequence[Index]) -> None:
    """Fills a tile that has a pad value outside its valid region, which was just written."""
    if not tile.kind.pad:
        return
    rows, columns = region
    all_rows, all_columns = tile.kind.shape
    below = (rows, 0), (emit.sub(all_rows, rows), all_columns)
    beside = (0, columns), (rows, emit.sub(all_columns, columns))
    outside = [part for part in (below, beside) if 0 not in part[1]]
    if not outside:
        return
    kind = emit.element(tile.buffer.type)
    value = arith.constant(kind, _pad_value(tile.kind.pad, tile.kind.element_type))
    for offsets, sizes in outside:
        tirx.fill(CTA, value, tile.part(offsets, sizes))


def _pad_value(pad: int, kind: ir.Type) -> float | int:
    """1 is zero, 2 the largest and 3 the smallest value of the element type."""
    if isinstance(kind, ir.FloatType):
        return {1: 0.0, 2: math.inf, 3: -math.inf}[pad]
    assert isinstance(kind, ir.IntegerType)
    if kind.is_unsigned:
        return {1: 0, 2: -1, 3: 0}[pad]
    half = 1 << (kind.width - 1)
    return {1: 0, 2: half - 1, 3: -half}[pad]
