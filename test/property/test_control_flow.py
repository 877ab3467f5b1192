"""Tile ops under control flow that is known only at run time: reference = simulator = numpy.

A barrier too few is a race, whatever order the threads run in.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from pto import compiler

pytestmark = pytest.mark.usefixtures("watch_races")

TILE = "!pto.tile_buf<vec, 4x16xi32>"
ROW = "!pto.tile_buf<vec, 1x16xi32>"


def program(body: str) -> str:
    """A kernel that loads a tile `%t` of 4 x 16, runs `body`, and stores `%t` and the row `%r`."""
    view, window = "!pto.tensor_view<5x16xi32>", "!pto.partition_tensor_view<4x16xi32>"
    row = "!pto.partition_tensor_view<1x16xi32>"
    return f"""
pto.kernel @k(%x: {view}, %y: {view}, %m: index, %n: index) attributes {{pto.grid = 1}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c16] : {view} -> {window}
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c16] : {view} -> {window}
  %yr = partition_view %y, offsets = [%c4, %c0], sizes = [%c1, %c16] : {view} -> {row}
  %t = alloc_tile : {TILE}
  %r = alloc_tile : {ROW}
  tload ins(%xw : {window}) outs(%t : {TILE})
  tcolsum ins(%t : {TILE}) outs(%r : {ROW})
{body}
  tstore ins(%t : {TILE}) outs(%yw : {window})
  tstore ins(%r : {ROW}) outs(%yr : {row})
}}"""


def run(body: str, m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The tile and the row that the kernel stores, which are the same on both."""
    text = program(body)
    expected, found = np.zeros((5, 16), np.int32), np.zeros((5, 16), np.int32)
    compiler.reference(text, kernel=None, arguments=[start(), expected, m, n], grid=1)
    compiler.compile(text)(start(), found, m, n)
    assert (expected == found).all()
    return found[:4], found[4:]


def start() -> np.ndarray:
    return np.arange(80, dtype=np.int32).reshape(5, 16)


def values() -> tuple[np.ndarray, np.ndarray]:
    """The tile and the row before the body."""
    return start()[:4], start()[:4].sum(axis=0, keepdims=True)


WHILE = f"""
  %left = scf.while (%i = %m) : (index) -> index {{
    %more = arith.cmpi sgt, %i, %n : index
    scf.condition(%more) %i : index
  }} do {{
  ^bb0(%i: index):
    pto.tadds ins(%t, %three : {TILE}, i32) outs(%t : {TILE})
    pto.tcolsum ins(%t : {TILE}) outs(%r : {ROW})
    %next = arith.subi %i, %c2 : index
    scf.yield %next : index
  }}
  %word = arith.index_cast %left : index to i32
  tadds ins(%r, %word : {ROW}, i32) outs(%r : {ROW})"""


@pytest.mark.parametrize(("m", "n"), [(7, 0), (0, 0), (3, 9), (2, 1)])
def test_while_gives_its_last_values(m: int, n: int) -> None:
    t, r = values()
    left = m
    while left > n:
        t = t + 3
        r = t.sum(axis=0, keepdims=True)
        left -= 2
    check(run(WHILE, m, n), t, r + left)


WORK_IN_THE_CONDITION = f"""
  %left = scf.while (%i = %m) : (index) -> index {{
    pto.tcolsum ins(%t : {TILE}) outs(%r : {ROW})
    %more = arith.cmpi sgt, %i, %n : index
    scf.condition(%more) %i : index
  }} do {{
  ^bb0(%i: index):
    pto.tcolexpandadd ins(%t, %r : {TILE}, {ROW}) outs(%t : {TILE})
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }}"""


@pytest.mark.parametrize(("m", "n"), [(3, 0), (0, 0)])
def test_a_condition_computes_on_tiles(m: int, n: int) -> None:
    t, r = values()
    for _ in range(m - n):
        t = t + r
        r = t.sum(axis=0, keepdims=True)
    check(run(WORK_IN_THE_CONDITION, m, n), t, r)


IF = f"""
  %more = arith.cmpi sgt, %m, %n : index
  %a, %b = scf.if %more -> (i32, index) {{
    pto.tadds ins(%r, %three : {ROW}, i32) outs(%r : {ROW})
    pto.tcolexpandadd ins(%t, %r : {TILE}, {ROW}) outs(%t : {TILE})
    scf.yield %three, %n : i32, index
  }} else {{
    pto.tcolexpandsub ins(%t, %r : {TILE}, {ROW}) outs(%t : {TILE})
    scf.yield %one, %m : i32, index
  }}
  scf.for %i = %c0 to %b step %c1 {{
    pto.tadds ins(%t, %a : {TILE}, i32) outs(%t : {TILE})
  }}
  tcolmax ins(%t : {TILE}) outs(%r : {ROW})"""


@pytest.mark.parametrize(("m", "n"), [(5, 2), (2, 5), (0, 0)])
def test_if_gives_scalars(m: int, n: int) -> None:
    t, r = values()
    t = t + r + 3 if m > n else t - r
    t = t + (3 if m > n else 1) * min(m, n)
    check(run(IF, m, n), t, t.max(axis=0, keepdims=True))


NESTED = f"""
  scf.for %i = %c0 to %m step %c1 {{
    scf.for %j = %i to %n step %c2 {{
      pto.tadds ins(%t, %one : {TILE}, i32) outs(%t : {TILE})
      %odd = arith.cmpi sgt, %j, %c2 : index
      scf.if %odd {{
        pto.tcolmin ins(%t : {TILE}) outs(%r : {ROW})
      }}
      pto.tcolexpandadd ins(%t, %r : {TILE}, {ROW}) outs(%t : {TILE})
    }}
    pto.tcolsum ins(%t : {TILE}) outs(%r : {ROW})
  }}"""


@pytest.mark.parametrize(("m", "n"), [(3, 6), (4, 2), (0, 5), (2, 0)])
def test_nested_loops_whose_bounds_depend_on_each_other(m: int, n: int) -> None:
    t, r = values()
    for i in range(m):
        for j in range(i, n, 2):
            t = t + 1
            if j > 2:
                r = t.min(axis=0, keepdims=True)
            t = t + r
        r = t.sum(axis=0, keepdims=True)
    check(run(NESTED, m, n), t, r)


CARRIED = f"""
  %sum, %last = scf.for %i = %n to %m step %c1 iter_args(%s = %one, %l = %c0) -> (i32, index) {{
    pto.tadds ins(%r, %s : {ROW}, i32) outs(%r : {ROW})
    %word = arith.index_cast %i : index to i32
    %next = arith.addi %s, %word : i32
    scf.yield %next, %i : i32, index
  }}
  %word = arith.index_cast %last : index to i32
  tadds ins(%t, %sum : {TILE}, i32) outs(%t : {TILE})
  tadds ins(%t, %word : {TILE}, i32) outs(%t : {TILE})"""


@pytest.mark.parametrize(("m", "n"), [(5, 1), (1, 1), (2, 0)])
def test_a_loop_carries_scalars(m: int, n: int) -> None:
    t, r = values()
    carried, last = 1, 0
    for i in range(n, m):
        r = r + carried
        carried, last = carried + i, i
    check(run(CARRIED, m, n), t + carried + last, r)


def check(found: Sequence[np.ndarray], tile: np.ndarray, row: np.ndarray) -> None:
    assert (found[0] == tile).all()
    assert (found[1] == row).all()
