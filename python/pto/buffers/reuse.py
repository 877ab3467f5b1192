"""Tiles that are values share memory where their lives do not overlap.

A value lives from the operation that computes it to the last that reads it, in program order; what
is carried into a loop or out of one lives in all of it. Those of one type take turns, the one that
ended longest ago first, so that fewer barriers wait for its last readers. Tile buffers of the
program keep what is in them, and so their memory.

Before
    %a = tirx.alloc : !tile
    %b = tirx.alloc : !tile
    tirx.copy cta %x -> %a
    tirx.sum cta %a -> %s axes [1]
    tirx.copy cta %y -> %b

After
    %a = tirx.alloc : !tile
    tirx.copy cta %x -> %a
    tirx.sum cta %a -> %s axes [1]
    tirx.copy cta %y -> %a
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.passes import find


@dataclass
class _Life:
    """Of a buffer, the numbers of the first and the last operation that needs it."""

    buffer: Any
    first: int
    last: int


def share_memory(kernel: gpu.GPUFuncOp, buffers: Sequence[Any]) -> None:
    """Lets buffers take the place of others of their type whose lives are over."""
    if len(buffers) < 2:
        return
    ops = [op.operation for op in find(kernel, lambda _: True)]
    if any(len(region.blocks) > 1 for op in ops for region in op.regions):
        return
    order = _Order(ops)
    lives = [life for buffer in buffers if (life := order.life(buffer)) is not None]
    living: list[_Life] = []
    free: dict[ir.Type, deque[Any]] = {}
    for life in sorted(lives, key=lambda each: each.first):
        for old in [old for old in living if old.last < life.first]:
            living.remove(old)
            free.setdefault(old.buffer.type, deque()).append(old.buffer)
        if waiting := free.get(life.buffer.type):
            allocation = life.buffer.owner.operation
            life.buffer = waiting.popleft()
            allocation.results[0].replace_all_uses_with(life.buffer)
            allocation.erase()
        living.append(life)


class _Order:
    """The operations of a kernel, in program order."""

    def __init__(self, ops: Sequence[ir.Operation]) -> None:
        self._number = {op: number for number, op in enumerate(ops)}
        self._end: dict[ir.Operation, int] = {}
        for number, op in enumerate(ops):
            for around in self._around(op):
                self._end[around] = number

    def life(self, buffer: Any) -> _Life | None:
        """None for a buffer of one operation: nothing reads it, or the `tirx.fused` that writes it,
        which needs no memory for it."""
        users = set(_users(buffer))
        if len(users) < 2:
            return None
        loops = {user: [op for op in self._around(user) if op.name != "scf.if"] for user in users}
        common = set.intersection(*(set(around) for around in loops.values()))
        numbers: list[int] = []
        for user, around in loops.items():
            numbers.append(self._number[user])
            for loop in around:
                if loop not in common:
                    numbers += [self._number[loop], self._end[loop]]
        return _Life(buffer, min(numbers), max(numbers))

    def _around(self, op: Any) -> Iterator[ir.Operation]:
        """The operations that an operation is in."""
        while (op := op.parent.operation) in self._number:
            yield op


def _users(buffer: Any) -> Iterator[ir.Operation]:
    """What reads or writes a buffer or a window of it. A `tirx.fused` does all at once."""
    for use in buffer.uses:
        user: Any = use.owner.operation
        if user.name in ("tirx.subview", "tirx.view"):
            yield from _users(user.results[0])
        else:
            yield user.parent if user.parent.name == "tirx.fused" else user
