"""What `pto.buffers.inequalities` holds for certain is so for all sizes."""

import itertools
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from mlir import ir
from mlir.dialects import arith, scf

from pto import context
from pto.buffers import inequalities
from pto.lowering import facts

SIZES = range(4)
"""What the two dimensions of the array may be."""

ARITHMETIC = {
    "add": (arith.addi, lambda a, b: a + b),
    "sub": (arith.subi, lambda a, b: a - b),
    "mul": (arith.muli, lambda a, b: a * b),
    "min": (arith.minsi, min),
    "max": (arith.maxsi, max),
}

START = """
gpu.module @m {
  gpu.func @f(%x: !tirx.buffer<?x?xf32, global, strides = [?, ?]>) kernel {
    %m = tirx.dim %x, 0 : !tirx.buffer<?x?xf32, global, strides = [?, ?]>
    %n = tirx.dim %x, 1 : !tirx.buffer<?x?xf32, global, strides = [?, ?]>
    gpu.return
  }
}"""

operand = st.integers(0, 30)
step = st.one_of(
    st.tuples(st.just("constant"), st.integers(-2, 5), st.just(0)),
    st.tuples(st.sampled_from(sorted(ARITHMETIC)), operand, operand),
    st.tuples(st.just("for"), operand, operand),
)
"""A value made of values before it; what follows a loop is inside of it."""
Step = tuple[str, int, int]


def build(steps: list[Step], values: list[ir.Value]) -> ir.InsertionPoint:
    """Emits the values; the place where all of them are known."""
    place = ir.InsertionPoint.current
    for kind, a, b in steps:
        with place:
            if kind == "constant":
                values.append(arith.constant(ir.IndexType.get(), a))
                continue
            x, y = values[a % len(values)], values[b % len(values)]
            if kind == "for":
                one = arith.constant(ir.IndexType.get(), 1)
                loop = scf.ForOp(x, y, one)
                values.append(loop.induction_variable)
                with ir.InsertionPoint(loop.body):
                    end = scf.YieldOp([])
                place = ir.InsertionPoint(end)
            else:
                values.append(ARITHMETIC[kind][0](x, y))
    return place


def runs(steps: list[Step], values: list[int]) -> Iterator[list[int]]:
    """The same values, once for each time that the innermost body runs."""
    if not steps:
        yield values
        return
    (kind, a, b), *rest = steps
    x, y = values[a % len(values)], values[b % len(values)]
    if kind == "constant":
        yield from runs(rest, [*values, a])
    elif kind == "for":
        for i in range(x, y):
            yield from runs(rest, [*values, i])
    else:
        yield from runs(rest, [*values, ARITHMETIC[kind][1](x, y)])


@settings(max_examples=300, deadline=None)
@given(st.lists(step, max_size=7))
def test_what_is_certain_holds(steps: list[Step]) -> None:
    found = [run for sizes in itertools.product(SIZES, SIZES) for run in runs(steps, list(sizes))]
    with context.create(), ir.Location.unknown():
        module = ir.Module.parse(START)
        kernel = module.body.operations[0].regions[0].blocks[0].operations[0]
        block = kernel.regions[0].blocks[0]
        values = [block.operations[i].results[0] for i in range(2)]
        with ir.InsertionPoint(block.operations[2]), facts.kept():
            place = build(steps, values)
            for (i, a), (j, b) in itertools.product(enumerate(values), repeat=2):
                with place:
                    if inequalities.at_most(a, b) is True:
                        assert all(run[i] <= run[j] for run in found), (i, j)
                    if inequalities.less(a, b) is True:
                        assert all(run[i] < run[j] for run in found), (i, j)


def certain(body: str) -> bool:
    """Whether the last comparison of a program, `at_most` of its last two values, is decided."""
    with context.create():
        module = ir.Module.parse(START.replace("gpu.return", f"{body}\n gpu.return"))
        kernel = module.body.operations[0].regions[0].blocks[0].operations[0]
        block = kernel.regions[0].blocks[0]
        while True:
            ops = list(block.operations)
            if ops[-2].operation.name != "scf.for":
                break
            block = ops[-2].regions[0].blocks[0]
        a, b = (op.results[0] for op in ops[-3:-1])
        with ir.InsertionPoint(ops[-1]), ir.Location.unknown():
            return inequalities.at_most(a, b) is True


CUT = """
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {{
    %rest = arith.subi %n, %i : index
    %size = arith.minsi %rest, %c64 : index
    {0}
  }}"""


def test_the_end_of_a_part_is_in_the_array() -> None:
    assert certain(
        CUT.format("%end = arith.addi %i, %size : index %all = arith.addi %n, %c0 : index")
    )


def test_a_part_has_elements() -> None:
    body = "%one = arith.addi %c0, %c0 : index %s = arith.addi %size, %c0 : index"
    assert certain(CUT.format(body))


def test_a_part_beyond_the_array_is_not_certain() -> None:
    body = "%end = arith.addi %i, %c64 : index %all = arith.addi %n, %c0 : index"
    assert not certain(CUT.format(body))


def test_a_sum_that_may_leave_64_bits_is_not_certain() -> None:
    body = (
        "%h = arith.constant 0x4000000000000000 : index %a = arith.addi %n, %h : index"
        " %b = arith.addi %a, %h : index"
    )
    assert not certain(body)
