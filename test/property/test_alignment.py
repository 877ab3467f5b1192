"""What is known at compile time of indices and of where regions begin, against their values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pto.lowering import alignment
from tirx_layouts import only, orders, shapes, sides

patient = settings(deadline=None)


@dataclass(frozen=True)
class Expression:
    """An index as operations, the last of which is `name`, and its values in a loop over `%i`."""

    name: str
    lines: tuple[str, ...]
    values: np.ndarray

    @property
    def is_constant(self) -> bool:
        return "constant" in "".join(self.lines[-1:])


STEPS = 8
VERBS = {"addi": np.add, "subi": np.subtract, "muli": np.multiply}


def constant(value: int, names: Iterator[int]) -> Expression:
    name = f"%c{next(names)}"
    return Expression(name, (f"{name} = arith.constant {value} : index",), np.full(STEPS, value))


@st.composite
def expressions(draw: st.DrawFn, i: Expression, names: Iterator[int]) -> Expression:
    """Constants, and sums, differences and products of them and of the loop's variable `i`."""
    operands = st.one_of(
        st.just(i), st.sampled_from([0, 1, 2, 3, 8, 12, 64, 96]).map(lambda n: constant(n, names))
    )
    a = draw(operands)
    for _ in range(draw(st.integers(0, 3))):
        b, verb, name = draw(operands), draw(st.sampled_from(list(VERBS))), f"%e{next(names)}"
        line = f"{name} = arith.{verb} {a.name}, {b.name} : index"
        a = Expression(name, (*a.lines, *b.lines, line), VERBS[verb](a.values, b.values))
    return a


def loop(first: int, step: int) -> tuple[Expression, list[str]]:
    """The variable of a loop, and the lines that begin it."""
    head = [
        f"%first = arith.constant {first} : index",
        f"%step = arith.constant {step} : index",
        "scf.for %i = %first to %n step %step {",
    ]
    return Expression("%i", (), first + step * np.arange(STEPS)), head


loops = st.builds(loop, st.sampled_from([0, 0, 1, 4, 8, 64]), st.sampled_from([1, 2, 3, 8, 24, 96]))


def divisor(lines: Sequence[str], name: str) -> int:
    """What is known to divide an index."""
    lines = [*lines, f"tirx.mbarrier_arrive_expect_tx %m, {name}", "}"]
    with only("tirx.mbarrier_arrive_expect_tx", "%n: index, %m: !tirx.mbarrier", lines) as op:
        return alignment.divisor(op.bytes)


@patient
@given(st.data(), loops)
def test_the_divisor_of_an_index_divides_all_of_its_values(
    data: st.DataObject, variable: tuple[Expression, list[str]]
) -> None:
    i, head = variable
    index = data.draw(expressions(i, count()))
    found = divisor([*head, *index.lines], index.name)
    if found == 0:
        assert not index.values.any()
    else:
        assert found & (found - 1) == 0
        assert not (index.values % found).any()


@pytest.mark.parametrize(
    ("first", "step", "factor", "expected"),
    [(0, 8, 1, 8), (0, 12, 1, 4), (4, 8, 1, 4), (0, 1, 64, 64), (3, 8, 1, 1), (0, 8, 6, 16)],
)
def test_divisor_of_multiples_of_a_loop_variable(
    first: int, step: int, factor: int, expected: int
) -> None:
    i, head = loop(first, step)
    c = constant(factor, count())
    lines = [*head, *c.lines, f"%x = arith.muli {i.name}, {c.name} : index"]
    assert divisor(lines, "%x") == expected


@patient
@given(st.data(), loops, st.sampled_from([8, 64, 1024]))
def test_the_residue_of_a_region_is_that_of_its_offset(
    data: st.DataObject, variable: tuple[Expression, list[str]], modulus: int
) -> None:
    """In every iteration of a loop, if it is known; it is if the region begins at constants."""
    (i, head), names = variable, count()
    side = data.draw(sides(data.draw(shapes()), data.draw(orders), None))
    sizes = [int(np.prod([extent for extent, _ in parts])) for parts in side.factors]
    computed = expressions(i, names).filter(lambda index: not index.is_constant)
    begin: list[Expression] = []
    for size in sizes:
        inside = st.integers(0, size - 1).map(lambda value: constant(value, names))
        begin.append(data.draw(st.one_of(inside, computed)))
    whole, one = side.whole("f16"), replace(side, shape=(1,) * len(sizes))
    at = ", ".join(index.name for index in begin)
    region = f"%part = tirx.subview %whole[{at}] : {whole} -> {one.part('f16')}"
    computation = [line for index in begin for line in index.lines]
    lines = [f"%whole = tirx.alloc : {whole}", *head, *computation, region, "}"]
    with only("tirx.subview", "%n: index", lines) as op:
        found = alignment.residue(op.buffer, modulus)
    positions = np.array([index.values for index in begin]).T
    valid = positions[((positions >= 0) & (positions < sizes)).all(axis=1)]
    residues = {one.offsets(position)[0] % modulus for position in valid}
    assert found is None or residues <= {found}
    assert found is not None or not all(index.is_constant for index in begin)


@pytest.mark.parametrize(
    ("shards", "step", "expected"),
    [
        ("[128 : 64]", 64, 0),
        ("[2 : 4096, 64 : 64]", 64, 0),
        ("[2 : 4100, 64 : 64]", 1, None),
        ("[2 : 4100, 64 : 64]", 64, None),
        ("[2 : 4100, 64 : 64]", 128, 0),
        ("[8 : 16, 16 : 1]", 8, 0),
        ("[8 : 4, 16 : 64]", 16, None),
        ("[8 : 4, 16 : 64]", 32, 0),
    ],
)
def test_an_index_that_steps_over_shards(shards: str, step: int, expected: int | None) -> None:
    """Multiples of the extent of the inner shard are steps of the outer one."""
    i, head = loop(0, step)
    kind, one = f"!tirx.buffer<128xf16, shared, shards = {shards}>", "!tirx.buffer<1xf16, shared>"
    region = f"%part = tirx.subview %whole[{i.name}] : {kind} -> {one}"
    with only(
        "tirx.subview", "%n: index", [f"%whole = tirx.alloc : {kind}", *head, region, "}"]
    ) as op:
        assert alignment.residue(op.buffer, 8) == expected
