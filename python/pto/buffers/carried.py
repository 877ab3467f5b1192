"""Tile values that `scf.for`, `scf.if` and `scf.while` carry from block to block.

The argument of a loop's body and the result of the loop share memory: the value it starts with is
copied there before the loop, the one that an iteration yields at its end. No copy is made

- of an initial value that nothing else uses: its memory is the loop's;
- of a yielded value that is computed once the old one is no longer read: it is computed in the
  loop's memory.

Before
    %sum = scf.for … iter_args(%acc = %zero) -> (!pto.tile<1x1xf32>) {
      %part = …
      %next = pto.tadd %acc, %part : …
      scf.yield %next : !pto.tile<1x1xf32>
    }

After
    scf.for … {
      …
      tirx.map cta add %zero, %part -> %zero : …
    }
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from pto.buffers.state import CTA, Kernel, is_empty, may_pad, pad
from pto.buffers.tiles import Tile, new_cell
from pto.dialects import pto, tirx
from pto.lowering import emit
from pto.passes import OpError

BRANCHING = ("scf.for", "scf.if", "scf.while")
ENDS = ("scf.yield", "scf.condition")
NAMES = (*BRANCHING, *ENDS, "arith.select")

REFUSAL = "carries {}; what may be carried are tile values (!pto.tile), by " + ", ".join(BRANCHING)


def is_tile(value: Any) -> bool:
    """Whether a value is a tile, not a buffer that holds one."""
    return isinstance(value.type, pto.TileType)


def carries(op: Any) -> bool:
    """Whether an operation of `NAMES` has to do with tiles."""
    arguments = [
        argument
        for region in op.operation.regions
        for block in region.blocks
        for argument in block.arguments
    ]
    return any(map(is_tile, [*op.operands, *op.results, *arguments]))


def is_carried(value: Any) -> bool:
    """Whether a value stands for what an operation carries."""
    return isinstance(value.owner, ir.Block) or value.owner.operation.name in NAMES


@dataclass
class _Slot:
    """One value that is carried: all its names have the same memory."""

    names: list[ir.Value]
    initial: ir.Value | None
    old: ir.Value | None
    """Its name in the blocks that yield the next one."""
    yielded: list[tuple[Any, ir.Value]]
    """Blocks, and what each ends with."""


def _slots(op: Any) -> Iterator[_Slot]:
    """What an operation carries, tiles or not."""
    blocks: list[Any] = [region.blocks[0] for region in op.operation.regions if len(region.blocks)]
    ends = [list(_end(block).operands) for block in blocks]
    results = list(op.results)
    match op.operation.name:
        case "scf.for":
            initials, arguments = list(op.operands)[3:], list(blocks[0].arguments)[1:]
            for initial, old, result, last in zip(
                initials, arguments, results, ends[0], strict=True
            ):
                yield _Slot([old, result], initial, old, [(blocks[0], last)])
        case "scf.if":
            for result, *last in zip(results, *ends, strict=True):
                yield _Slot([result], None, None, list(zip(blocks, last, strict=True)))
        case _:
            before, after = blocks
            for initial, argument, last in zip(op.operands, before.arguments, ends[1], strict=True):
                yield _Slot([argument], initial, None, [(after, last)])
            for argument, result, last in zip(after.arguments, results, ends[0][1:], strict=True):
                yield _Slot([argument, result], None, None, [(before, last)])


def _end(block: Any) -> Any:
    return block.operations[len(block.operations) - 1]


def enter(op: Any, kernel: Kernel) -> None:
    """Gives memory to the tiles that an operation carries, and their initial values to it."""
    slots = [slot for slot in _slots(op) if is_tile(slot.names[0])]
    for slot in slots:
        tile = _memory(op, slot, kernel)
        for name in slot.names:
            kernel.tiles[name] = tile
        for block, value in slot.yielded:
            if value not in kernel.homes and _is_free(block, value, slot.old):
                kernel.homes[value] = tile.buffer
    starting = [(slot.initial, slot.names[0]) for slot in slots if slot.initial is not None]
    _assign(op, starting, kernel)


def leave(op: Any, kernel: Kernel) -> None:
    """At the end of a block, what it yields goes where its successors look for it."""
    parent: Any = op.operation.parent.opview
    if parent.operation.name not in BRANCHING:
        raise OpError(parent, REFUSAL.format(next(filter(is_tile, op.operands)).type))
    ending = [
        (value, slot.names[0])
        for slot in _slots(parent)
        for block, value in slot.yielded
        if is_tile(value) and block == op.operation.block
    ]
    _assign(op, ending, kernel)


def select(op: Any, kernel: Kernel) -> None:
    """MLIR makes this of an `scf.if` that only chooses between tiles."""
    kernel.tiles[op.result] = _memory(op, _Slot([op.result], None, None, []), kernel)
    for holds in emit.branches(op.condition):
        _assign(op, [(op.true_value if holds else op.false_value, op.result)], kernel)


def strip(op: Any) -> None:
    """Puts the same operation without tiles in place of `op`, once nothing uses them any more."""
    old: ir.Operation = op.operation
    if old.name == "arith.select":
        old.erase()
        return
    kept = [result for result in old.results if not is_tile(result)]
    new = ir.Operation.create(
        old.name,
        [result.type for result in kept],
        [operand for operand in old.operands if not is_tile(operand)],
        {each.name: each.attr for each in old.attributes},
        regions=len(old.regions),
        loc=old.location,
        ip=ir.InsertionPoint(old),
    )
    for source, region in zip(old.regions, new.regions, strict=True):
        for block in list(source.blocks):
            block.append_to(region)
            for i in reversed(range(len(block.arguments))):
                if is_tile(block.arguments[i]):
                    block.erase_argument(i)
    for result, replacement in zip(kept, new.results, strict=True):
        result.replace_all_uses_with(replacement)
    old.erase()


# Memory -------------------------------------------------------------------------------------------


def _memory(op: Any, slot: _Slot, kernel: Kernel) -> Tile:
    """Where a carried tile lives. Its valid region changes with it where the type says `?`."""
    kind: Any = slot.names[0].type
    homes = (kernel.homes[name] for name in slot.names if name in kernel.homes)
    buffer = next(homes, None)
    if buffer is None and slot.initial is not None and _is_last_use(op, slot.initial):
        buffer = kernel.tile(op, slot.initial).buffer
    if buffer is None:
        buffer = kernel.allocate(kind)
    rows, columns = kind.valid
    if rows is not None and columns is not None:
        return Tile(buffer, kind, (rows, columns))
    return Tile(buffer, kind, tuple(kind.shape), cell=new_cell(kernel.entry))


def _is_last_use(op: Any, value: Any) -> bool:
    """Whether nothing but `op` uses the value, which is computed once for each time it does."""
    return _is_computed_in(value, op.operation.block) and len(list(value.uses)) == 1


def _is_computed_in(value: Any, block: Any) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.operation.block == block


def _is_free(block: Any, value: Any, old: ir.Value | None) -> bool:
    """Whether `value`, with which the block ends, may be computed in the memory of `old`."""
    if not _is_computed_in(value, block):
        return False
    if any(use.owner.operation.name == "pto.tassign" for use in value.uses):
        return False
    last = value.owner.operation
    return old is None or all(_is_read_before(last, block, use) for use in old.uses)


def _is_read_before(last: ir.Operation, block: Any, use: Any) -> bool:
    """Whether a use in the block is over once `last` writes: it comes before, or is an operand."""
    user: Any = use.owner.operation
    if user == last:
        return True
    while user.block != block:
        user = user.parent
    return user.is_before_in_block(last)


def _assign(op: Any, pairs: Sequence[tuple[Any, Any]], kernel: Kernel) -> None:
    """Gives each second value the tile of the first, all at once."""
    tiles = [(kernel.tile(op, value), kernel.tiles[name]) for value, name in pairs]
    tiles = [(source, target) for source, target in tiles if source is not target]
    regions = [source.valid_region() for source, _ in tiles]
    written: list[ir.Value] = []
    sources: list[Tile] = []
    for source, target in tiles:
        sources.append(source if source.buffer not in written else kernel.copy_of(source))
        if source.buffer != target.buffer:
            written.append(target.buffer)
    for source, (_, target), region in zip(sources, tiles, regions, strict=True):
        if source.buffer != target.buffer and not is_empty(region):
            with emit.when(may_pad(target, region)):
                # Not `tirx.copy`, which does not fuse with what computes the value.
                tirx.map(CTA, "copy", [source.region(*region)], target.region(*region))
                pad(target, region)
        if target.cell is not None:
            target.set_valid_region(*region)
