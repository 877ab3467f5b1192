"""One thread's way through elements that are combined: every `step`-th, several at a time.

Before (`unroll` 2 of N vectors, which lie `stride` apart)
    the combination of elements first, first + step, first + 2 step, …

After
    %i, %at, %a, %b = scf.for %i = %first to %n - %step step 2 * %step
        iter_args(%at = %base + %first * %stride, %a = %identity, %b = %identity) {
      %x = vector.load %src[%at]
      %y = vector.load %src[%at + %step * %stride]
      %p = arith.addf %a, %x
      %q = arith.addf %b, %y
      scf.yield …
    }
    scf.if %i < %n {            // fewer than two: those that are not there become identities
      %x = vector.load %src[%at]
      %y = vector.load %src[%i + %step < %n ? … : %base]
      …
    }

Where `n` and `step` are known, all threads have the same number of whole batches, then a shorter
one whose last element alone may not be there.

Offsets advance by additions, whatever the number of dimensions: a step adds to every digit, and
carries.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import scf

from pto.lowering import emit, partial
from pto.lowering.emit import Condition, Index
from pto.lowering.partial import Partial

CHAINS = 8
"""Combinations of a thread that do not depend on each other, at least."""

Read = Callable[[Index, Index], Partial]
"""Reads what lies at an offset, and has a position, as a partial result."""


@dataclass(frozen=True)
class Dim:
    """A dimension: `stride` elements, and `position` positions in row-major order, per step."""

    size: Index
    stride: Index
    position: Index


@dataclass(frozen=True)
class _At:
    """A place on the way: its number, the digits of all dimensions but the first, and where that
    is."""

    number: Index
    digits: tuple[Index, ...]
    offset: Index
    position: Index


@dataclass(frozen=True)
class Walk:
    """The elements `first`, `first + step`, … of a box that begins at offset `base`, row-major;
    `first` is less than `step`."""

    op: Any
    dims: Sequence[Dim]
    base: Index
    position: Index
    first: Index
    step: Index
    unroll: int
    width: int
    """Partial results that `read` gives at once."""
    read: Read
    chains: int = CHAINS
    """Combinations that do not depend on each other, at most."""

    def run(self, start: Partial | None = None) -> Partial:
        """The combination of `start` and all elements; vectors of `width`."""
        count: Index = 1
        for dim in self.dims:
            count = emit.mul(count, dim.size)
        sums = [partial.identity(self.op, self.width) for _ in range(self._chains())]
        if start is not None:
            sums[0] = start
        size, step = emit.known(count), emit.known(self.step)
        if size != 0:
            at = self._place(self.first)
            if size is not None and step is not None:
                sums = self._counted(at, sums, size, step)
            else:
                sums = self._uncounted(at, sums, count)
        return partial.tree(self.op, sums)

    def _counted(self, at: _At, sums: list[Partial], size: int, step: int) -> list[Partial]:
        """All threads have the same batches; then some have one element more than others."""
        steps, more = divmod(size, step)
        batches, left = divmod(steps, self.unroll)
        if batches == 1:
            at, sums = self._batch(at, sums, self.unroll)
        elif batches > 1:
            end = emit.add(self.first, batches * self.unroll * step)
            at, sums = self._loop((0, batches, 1), at, sums, end)
        if more:
            return self._batch(at, sums, left + 1, left, size)[1]
        return self._batch(at, sums, left)[1]

    def _uncounted(self, at: _At, sums: list[Partial], count: Index) -> list[Partial]:
        """As many whole batches as there are; then the last few, which do not fill one."""
        stride = emit.mul(self.step, self.unroll)
        last = emit.sub(count, emit.mul(self.step, self.unroll - 1))
        at, sums = self._loop((self.first, last, stride), at, sums)
        if self.unroll == 1:
            return sums
        flat = [part for item in sums for part in item]
        branch = scf.IfOp(
            emit.truth(emit.less(at.number, count)), [part.type for part in flat], has_else=True
        )
        with ir.InsertionPoint(branch.then_block):
            _, held = self._batch(at, sums, self.unroll, 1, count)
            scf.yield_([part for item in held for part in item])
        otherwise = branch.else_block
        assert otherwise is not None
        with ir.InsertionPoint(otherwise):
            scf.yield_(flat)
        return self._partials(list(branch.results))

    def _loop(
        self,
        bounds: tuple[Index, Index, Index],
        at: _At,
        sums: list[Partial],
        end: Index | None = None,
    ) -> tuple[_At, list[Partial]]:
        """Whole batches. They end at number `end`, if that is known."""
        start, stop, step = (emit.index(bound) for bound in bounds)
        loop = scf.ForOp(start, stop, step, self._pack(at, sums))
        with ir.InsertionPoint(loop.body):
            here, held = self._unpack(list(loop.inner_iter_args))
            here, held = self._batch(here, held, self.unroll)
            scf.yield_(self._pack(here, held))
        at, sums = self._unpack(list(loop.results))
        if len(self.dims) == 1:
            # Not carried out of the loop, where the address alone is enough.
            at = self._place(at.number if end is None else end)
        return at, sums

    def _batch(
        self,
        at: _At,
        sums: list[Partial],
        reads: int,
        sure: int | None = None,
        count: Index = 0,
    ) -> tuple[_At, list[Partial]]:
        """Reads some elements, then combines them. All are there, or the first `sure` and those of
        a number less than `count`."""
        jump = self._digits(self.step)
        found: list[tuple[Partial, Condition]] = []
        for number in range(reads):
            there: Condition = True
            offset = at.offset
            if sure is not None and number >= sure:
                there = emit.less(at.number, count)
                offset = emit.select(there, offset, self.base)
            found.append((self.read(offset, at.position), there))
            at = self._advance(at, jump)
        sums = list(sums)
        nothing = partial.identity(self.op, self.width)
        for number, (item, there) in enumerate(found):
            chain = number % len(sums)
            item = partial.select(there, item, nothing)
            sums[chain] = partial.combine(self.op, sums[chain], item)
        return at, sums

    def _chains(self) -> int:
        return min(self.unroll, self.chains, max(1, CHAINS // self.width))

    # Places --------------------------------------------------------------------------------------

    def _digits(self, number: Index) -> list[Index]:
        """The digits of `number`, one for each dimension."""
        digits: list[Index] = []
        for dim in reversed(self.dims[1:]):
            digits.insert(0, emit.rem(number, dim.size))
            number = emit.div(number, dim.size)
        return [number, *digits]

    def _place(self, number: Index) -> _At:
        digits = self._digits(number)
        offset, position = self.base, self.position
        for digit, dim in zip(digits, self.dims, strict=True):
            offset = emit.add(offset, emit.mul(digit, dim.stride))
            position = emit.add(position, emit.mul(digit, dim.position))
        return _At(number, tuple(digits[1:]), offset, position)

    def _advance(self, at: _At, jump: list[Index]) -> _At:
        """The place `step` numbers further."""
        offset, position = at.offset, at.position
        for digit, dim in zip(jump, self.dims, strict=True):
            offset = emit.add(offset, emit.mul(digit, dim.stride))
            position = emit.add(position, emit.mul(digit, dim.position))
        digits: list[Index] = []
        carry: Condition = False
        for level in reversed(range(1, len(self.dims))):
            dim, outer = self.dims[level], self.dims[level - 1]
            digit = emit.add(at.digits[level - 1], jump[level])
            digit = emit.select(carry, emit.add(digit, 1), digit)
            carry = emit.at_most(dim.size, digit)
            digits.insert(0, emit.select(carry, emit.sub(digit, dim.size), digit))
            back = emit.sub(outer.stride, emit.mul(dim.size, dim.stride))
            offset = emit.select(carry, emit.add(offset, back), offset)
            back = emit.sub(outer.position, emit.mul(dim.size, dim.position))
            position = emit.select(carry, emit.add(position, back), position)
        return _At(emit.add(at.number, self.step), tuple(digits), offset, position)

    # What loops carry ----------------------------------------------------------------------------

    def _pack(self, at: _At, sums: Sequence[Partial]) -> list[ir.Value]:
        place = [at.number, at.offset, *at.digits]
        if partial.is_position(self.op):
            place.append(at.position)
        return [*(emit.index(item) for item in place), *(part for item in sums for part in item)]

    def _unpack(self, values: list[ir.Value]) -> tuple[_At, list[Partial]]:
        number, offset, *rest = values
        inner = len(self.dims) - 1
        digits, rest = rest[:inner], rest[inner:]
        position: Index = 0
        if partial.is_position(self.op):
            position, *rest = rest
        return _At(number, tuple(digits), offset, position), self._partials(rest)

    def _partials(self, values: list[ir.Value]) -> list[Partial]:
        parts = len(partial.types(self.op))
        return [tuple(values[i : i + parts]) for i in range(0, len(values), parts)]
