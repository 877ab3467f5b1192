"""Comparisons of indices, decided where the program tells: no check is left where none can fail.

An index is a sum of multiples of other values. Each has a smallest and a largest value, and may be
bounded by another: a loop's variable by the loop's ends, a minimum by both of its operands. Putting
such bounds in place of values until only what is never negative remains shows that a difference is
not negative. Sums that may leave 64 bits are taken as values of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mlir import ir

from pto.lowering import emit
from pto.lowering.emit import Condition, Index
from pto.lowering.facts import fact

_MOST_SIZE = 1 << 62
"""No array has more elements along a dimension."""
_MOST_BLOCKS = 1 << 31
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_DEPTH = 6
"""Bounds that are put in place of values, one after another."""
_TRIES = 100
"""Sums that are looked at before a comparison is left to the program."""


@dataclass(frozen=True)
class Sum:
    """Values by how often they are taken, and a constant."""

    terms: dict[ir.Value, int]
    constant: int = 0

    def plus(self, times: int, other: "Sum") -> "Sum":
        """This and `times` the other."""
        terms = dict(self.terms)
        for value, count in other.terms.items():
            terms[value] = terms.get(value, 0) + times * count
        left = {value: count for value, count in terms.items() if count}
        return Sum(left, self.constant + times * other.constant)

    def least(self) -> int:
        """The least that it can be, from the ranges of its values."""
        ranges = ((count, *_range(value)) for value, count in self.terms.items())
        return self.constant + sum(
            count * (low if count > 0 else high) for count, low, high in ranges
        )


def at_most(a: Index, b: Index) -> Condition:
    """`a <= b`; True where that is certain."""
    return True if _is_certain((a, b, 0)) else emit.at_most(a, b)


def less(a: Index, b: Index) -> Condition:
    """`a < b`; True where that is certain."""
    return True if _is_certain((a, b, 1)) else emit.less(a, b)


@fact
def _is_certain(question: tuple[Index, Index, int]) -> bool:
    """Whether `a + distance <= b` whatever the program is given; False too where both are known."""
    a, b, distance = question
    if emit.known(a) is not None and emit.known(b) is not None:
        return False
    difference = _sum(b).plus(-1, _sum(a))
    return _is_positive(difference.plus(-1, Sum({}, distance)), _DEPTH, iter(range(_TRIES)))


def _is_positive(total: Sum, depth: int, tries: Iterator[int]) -> bool:
    """Whether a sum is certainly not negative."""
    if total.least() >= 0:
        return True
    if depth == 0 or next(tries, None) is None:
        return False
    return any(
        all(_is_positive(smaller, depth - 1, tries) for smaller in choice)
        for choice in _smaller(total)
    )


def _smaller(total: Sum) -> Iterator[list[Sum]]:
    """Sums of which one is not larger than `total`, in several ways: the values defined last are
    replaced first, as bounds of values are defined before them."""
    for value, times in reversed(total.terms.items()):
        rest = total.plus(-times, Sum({value: 1}))
        for bounds in _bounds(value, times > 0):
            yield [rest.plus(times, bound) for bound in bounds]


def _bounds(value: ir.Value, is_below: bool) -> Iterator[list[Sum]]:
    """Of each of some lists, one sum is at most (`is_below`) or at least `value`."""
    loop = _loop(value)
    if loop is not None:
        start, stop = loop
        yield [_sum(start)] if is_below else [_sum(stop).plus(-1, Sum({}, 1))]
    extreme = emit.defining(value, "arith.minsi", "arith.maxsi")
    if extreme is not None:
        sides = [_sum(operand) for operand in extreme.operands]
        is_minimum = extreme.operation.name == "arith.minsi"
        if is_minimum == is_below:
            yield sides
        else:
            yield from ([side] for side in sides)


def _loop(value: Any) -> tuple[ir.Value, ir.Value] | None:
    """Start and stop of the loop whose variable `value` is. Its step is positive."""
    owner = value.owner
    if not isinstance(owner, ir.Block) or owner.owner.operation.name != "scf.for":
        return None
    loop: Any = owner.owner.opview
    if value.arg_number or "unsignedCmp" in loop.operation.attributes:
        return None
    return loop.lowerBound, loop.upperBound


# Sums ---------------------------------------------------------------------------------------------


def _sum(value: Index) -> Sum:
    """A value as a sum."""
    constant = emit.known(value)
    if constant is not None:
        return Sum({}, constant)
    assert isinstance(value, ir.Value)
    op = emit.defining(value, "arith.addi", "arith.subi", "arith.muli", "arith.index_cast")
    if op is None or _range(value) == (_LEAST, _MOST):
        return Sum({value: 1})
    first, *others = map(_sum, op.operands)
    match op.operation.name:
        case "arith.addi":
            return first.plus(1, others[0])
        case "arith.subi":
            return first.plus(-1, others[0])
        case "arith.muli":
            for one, other in ((first, others[0]), (others[0], first)):
                if not other.terms:
                    return Sum({}).plus(other.constant, one)
            return Sum({value: 1})
        case _:
            return first


# Ranges -------------------------------------------------------------------------------------------


@fact
def _range(value: Any) -> tuple[int, int]:
    """The smallest and the largest that a value can be; all of 64 bits where a result might not be
    exact."""
    constant = emit.known(value)
    if constant is not None:
        return constant, constant
    loop = _loop(value)
    if loop is not None:
        (low, _), (_, high) = map(_range, loop)
        return low, high - 1
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _LEAST, _MOST
    low, high = _result_range(owner.opview)
    return (low, high) if low >= _LEAST and high <= _MOST else (_LEAST, _MOST)


def _result_range(op: Any) -> tuple[int, int]:
    """What the exact result of an operation can be."""
    name = op.operation.name
    match name:
        case "tirx.dim":
            return 0, _MOST_SIZE
        case "gpu.block_id" | "gpu.grid_dim":
            return 0, _MOST_BLOCKS
        case "arith.addi" | "arith.subi" | "arith.muli" | "arith.minsi" | "arith.maxsi":
            (a, b), (c, d) = (_range(operand) for operand in op.operands)
        case "arith.index_cast" if _is_wide(op.operands[0]) and _is_wide(op.result):
            return _range(op.operands[0])
        case _:
            return _LEAST, _MOST
    match name:
        case "arith.addi":
            return a + c, b + d
        case "arith.subi":
            return a - d, b - c
        case "arith.muli":
            corners = a * c, a * d, b * c, b * d
            return min(corners), max(corners)
        case "arith.minsi":
            return min(a, c), min(b, d)
        case _:
            return max(a, c), max(b, d)


def _is_wide(value: ir.Value) -> bool:
    kind = value.type
    return isinstance(kind, ir.IndexType) or (isinstance(kind, ir.IntegerType) and kind.width == 64)
