"""Barriers between primitives of a CTA that depend on each other.

All threads of the CTA execute a primitive, so what one writes the next may read only after a
barrier. A walk in program order keeps the accesses since the last barrier and asks for one where an
access meets an earlier one to the same bytes, at least one of them writing. What is pending where
ways join is what is pending at the end of any of them; loops and blocks that branch are walked
until that does not change, and only then the barriers are placed. Each keeps why it is there as the
attribute `pto.because`.

Conditions at this level are the same for all threads of a CTA, so a barrier may stand in a branch.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.buffers.accesses import Access, accesses
from pto.lowering import pointwise
from pto.passes import place, subject


@dataclass
class Step:
    """An operation: a primitive, or one with regions."""

    op: Any
    number: int
    """Its position in the program."""
    accesses: dict[Access, tuple[Any, Any]]
    """What it touches, and the first and the last primitive that does: itself, or those in it."""
    regions: list["list[Block]"]
    because: tuple[Access, Access, "Step"] | None = None
    """Its access that needs a barrier before it, and whose access before."""


@dataclass
class Block:
    """The steps of a block that matter, and where it may go, as positions in its region."""

    steps: list[Step] = field(default_factory=list)
    successors: list[int] = field(default_factory=list)


Pending = dict[Access, Step]
"""The accesses since the last barrier, each with the latest step that made it."""

_EXACT = 4
"""Walks after which what is pending only grows, so that it comes to an end."""


def insert_barriers(kernel: gpu.GPUFuncOp) -> None:
    """Puts `gpu.barrier` where it is needed."""
    steps: list[Step] = []
    _flow(_blocks(kernel.body, steps), {})
    given: Any = kernel.operation.attributes["pto.arguments"]
    names: list[str] = [each["name"].value for each in given]
    for step in steps:
        if step.because is not None:
            location = step.op.operation.location
            barrier = gpu.BarrierOp(ip=ir.InsertionPoint(step.op), loc=location)
            reason = ir.StringAttr.get(_reason(step, names))
            barrier.operation.attributes["pto.because"] = reason


def _blocks(region: Any, steps: list[Step]) -> list[Block]:
    """The blocks of a region; their steps are appended to `steps` in program order."""
    found = list(region.blocks)
    blocks: list[Block] = []
    for block in found:
        blocks.append(Block())
        for op in block.operations:
            is_primitive = op.operation.name.startswith("tirx.")
            if touched := _touched(op) if is_primitive else {}:
                step = Step(op, len(steps), touched, [])
            elif len(op.operation.regions):
                step = Step(op, len(steps), {}, [])
            else:
                continue
            steps.append(step)
            blocks[-1].steps.append(step)
            if not step.accesses:
                step.regions = [_blocks(inner, steps) for inner in op.operation.regions]
        end = block.operations[len(block.operations) - 1].operation
        blocks[-1].successors = [found.index(next_) for next_ in end.successors]
    return blocks


def _touched(op: Any) -> dict[Access, tuple[Any, Any]]:
    """What a primitive touches. The maps in a `tirx.fused` need no barriers between them."""
    found: dict[Access, tuple[Any, Any]] = {}
    for part in pointwise.parts(op):
        for access in accesses(part):
            first, _ = found.get(access, (part, part))
            found[access] = first, part
    return found


# What is pending ----------------------------------------------------------------------------------


def _flow(blocks: Sequence[Block], before: Pending) -> Pending:
    """What is pending at the end of a region; a region without blocks does nothing."""
    if len(blocks) < 2:
        return _walk(blocks[0], before) if blocks else before
    ways = [block.successors for block in blocks]
    ends = _solve(ways, before, lambda i, entry: _walk(blocks[i], entry))
    return _join(end for end, successors in zip(ends, ways, strict=True) if not successors)


def _enter(step: Step, before: Pending) -> Pending:
    """What is pending after an operation with regions."""
    name, regions = step.op.operation.name, step.regions
    if name == "scf.if":
        return _join(_flow(region, before) for region in regions)
    if name == "scf.while":
        return _solve([[1], [0]], before, lambda i, entry: _flow(regions[i], entry))[0]
    # A loop, or regions that run in any order and number: each comes from and goes to one place.
    ways = [list(range(1, len(regions) + 1)), *([0] for _ in regions)]
    return _solve(ways, before, lambda i, entry: _flow(regions[i - 1], entry) if i else entry)[0]


def _walk(block: Block, before: Pending) -> Pending:
    """What is pending at the end of a block; decides which of its steps need a barrier."""
    pending = dict(before)
    for step in block.steps:
        if step.regions:
            pending = _enter(step, pending)
            continue
        pairs = itertools.product(step.accesses, reversed(pending))
        conflicts = ((new, old, pending[old]) for new, old in pairs if new.conflicts(old))
        step.because = next(conflicts, None)
        if step.because is not None:
            pending = {}
        for access in step.accesses:
            # Moves it to the end: a reason names the latest.
            pending.pop(access, None)
            pending[access] = step
    return pending


def _solve(
    ways: Sequence[Sequence[int]], before: Pending, run: Callable[[int, Pending], Pending]
) -> list[Pending]:
    """What is pending at the end of every node of a graph whose node 0 is entered with `before`:
    `run` goes through a node, `ways` says where it may go."""
    entries = [before, *({} for _ in ways[1:])]
    for walk in itertools.count():
        ends = [run(node, entry) for node, entry in enumerate(entries)]
        following = [before, *({} for _ in ways[1:])]
        for end, successors in zip(ends, ways, strict=True):
            for node in successors:
                following[node] = _join([following[node], end])
        if walk >= _EXACT:
            following = [_join(pair) for pair in zip(entries, following, strict=True)]
        if all(a.keys() == b.keys() for a, b in zip(entries, following, strict=True)):
            return ends
        entries = following
    raise AssertionError("what is pending grows, and ends")


def _join(ends: Iterable[Pending]) -> Pending:
    """What is pending where ways meet."""
    joined: Pending = {}
    for end in ends:
        for access, step in end.items():
            if access not in joined or joined[access].number < step.number:
                joined[access] = step
    return joined


# Reasons ------------------------------------------------------------------------------------------


def _reason(step: Step, arguments: Sequence[str]) -> str:
    """Why a step needs a barrier, in the words of the program."""
    assert step.because is not None
    new, old, before = step.because
    does = "overwrites" if new.writes else "reads"
    did = "wrote" if old.writes else "read"
    earlier = " in an iteration before" if before.number >= step.number else ""
    where = _memory(new, old, arguments)
    (ours, _), (_, theirs) = step.accesses[new], before.accesses[old]
    return f"{_at(ours)} {does} what {_at(theirs)} {did}{earlier} ({where})"


def _at(op: Any) -> str:
    """An operation of the program and its line and column."""
    line = place(op.operation.location).split(":", 1)[-1]
    return f"{subject(op).removeprefix('pto.')} at {line}"


def _memory(new: Access, old: Access, arguments: Sequence[str]) -> str:
    """The memory that two accesses share."""
    if new.memory == "global":
        first: int = min(new.base.arg_number, old.base.arg_number)
        second: int = max(new.base.arg_number, old.base.arg_number)
        if first == second:
            return f"both use argument '{arguments[first]}'"
        return f"arguments '{arguments[first]}' and '{arguments[second]}' may overlap"
    start, stop = max(new.span[0], old.span[0]), min(new.span[1], old.span[1])
    if new.memory == "placed":
        return f"bytes {start} to {stop}"
    return f"bytes {start} to {stop} of the memory of {_at(new.base.owner)}"
