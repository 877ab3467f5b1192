"""Windows of tiles: reference = simulator, and both what numpy slices give."""

import numpy as np
import pytest

from pto import compiler
from pto.errors import DeviceAssertion

pytestmark = pytest.mark.usefixtures("watch_races")

WHOLE = "!pto.tile_buf<vec, 16x32xi32>"


def program(body: str) -> str:
    """A kernel that loads a tile of 16 x 32, runs `body` on `%t` and stores the tile."""
    view, window = "!pto.tensor_view<16x32xi32>", "!pto.partition_tensor_view<16x32xi32>"
    return f"""
pto.kernel @k(%x: {view}, %y: {view}, %i: index, %j: index) attributes {{pto.grid = 1}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c16, %c32] : {view} -> {window}
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c16, %c32] : {view} -> {window}
  %t = alloc_tile : {WHOLE}
  tload ins(%xw : {window}) outs(%t : {WHOLE})
{body}
  tstore ins(%t : {WHOLE}) outs(%yw : {window})
}}"""


def tile(rows: int, columns: int, rest: str = "") -> str:
    return f"!pto.tile_buf<vec, {rows}x{columns}xi32{rest}>"


def run(body: str, i: int, j: int) -> np.ndarray:
    """What the kernel stores, which is the same on both."""
    source, text = np.arange(512, dtype=np.int32).reshape(16, 32), program(body)
    expected, found = np.zeros_like(source), np.zeros_like(source)
    compiler.reference(text, kernel=None, arguments=[source, expected, i, j], grid=1)
    compiler.compile(text)(source, found, i, j)
    assert (expected == found).all()
    return found


def source() -> np.ndarray:
    return np.arange(512, dtype=np.int32).reshape(16, 32)


ONE = f"""
  %w = subview %t[%i, %j] sizes [4, 9] : {WHOLE} -> {tile(4, 9)}
  tneg ins(%w : {tile(4, 9)}) outs(%w : {tile(4, 9)})"""


@pytest.mark.parametrize(("i", "j"), [(0, 0), (5, 7), (12, 23), (3, 16)])
def test_a_window_is_read_and_written_in_place(i: int, j: int) -> None:
    expected = source()
    expected[i : i + 4, j : j + 9] *= -1
    assert (run(ONE, i, j) == expected).all()


SHIFTED = f"""
  %a = subview %t[%c0, %c0] sizes [8, 16] : {WHOLE} -> {tile(8, 16)}
  %b = subview %t[%i, %j] sizes [8, 16] : {WHOLE} -> {tile(8, 16)}
  tneg ins(%a : {tile(8, 16)}) outs(%b : {tile(8, 16)})"""


@pytest.mark.parametrize(("i", "j"), [(0, 0), (1, 0), (0, 1), (3, 5), (8, 16)])
def test_windows_that_overlap_are_read_before_they_are_written(i: int, j: int) -> None:
    expected = source()
    expected[i : i + 8, j : j + 16] = -source()[:8, :16]
    assert (run(SHIFTED, i, j) == expected).all()


LOOP = f"""
  %r = subview %t[%c0, %c0] sizes [1, 32] : {WHOLE} -> {tile(1, 32)}
  scf.for %k = %i to %j step %c1 {{
    %row = pto.subview %t[%k, %c0] sizes [1, 32] : {WHOLE} -> {tile(1, 32)}
    pto.tadd ins(%r, %row : {tile(1, 32)}, {tile(1, 32)}) outs(%r : {tile(1, 32)})
  }}"""


def test_rows_are_added_in_a_loop() -> None:
    expected = source()
    expected[0] += expected[2:9].sum(axis=0)
    assert (run(LOOP, 2, 9) == expected).all()


NESTED = f"""
  %a = subview %t[%i, %c4] sizes [8, 16] : {WHOLE} -> {tile(8, 16)}
  %b = subview %a[%c1, %j] sizes [4, 4] valid_row = %i valid_col = %c1
     : {tile(8, 16)} -> {tile(4, 4, ", valid=?x?, pad=1")}
  tneg ins(%b : {tile(4, 4, ", valid=?x?, pad=1")}) outs(%b : {tile(4, 4, ", valid=?x?, pad=1")})"""


def test_a_window_of_a_window_with_a_valid_region_and_a_pad_value() -> None:
    expected = source()
    window = expected[3:11, 4:20][1:5, 6:10]
    window[:3, :1] *= -1
    window[3:] = window[:3, 1:] = 0
    assert (run(NESTED, 3, 6) == expected).all()


REDUCED = f"""
  %a = subview %t[%c4, %j] sizes [8, 16] : {WHOLE} -> {tile(8, 16)}
  %b = subview %t[%i, %j] sizes [1, 16] : {WHOLE} -> {tile(1, 16)}
  tcolsum ins(%a : {tile(8, 16)}) outs(%b : {tile(1, 16)})"""


@pytest.mark.parametrize("i", [0, 6, 15])
def test_a_reduction_into_a_row_of_its_source(i: int) -> None:
    expected = source()
    expected[i, 5:21] = source()[4:12, 5:21].sum(axis=0)
    assert (run(REDUCED, i, 5) == expected).all()


CHANGED = f"""
  %w = subview %t[%c4, %c4] sizes [4, 4] valid_row = %c1 valid_col = %c1
     : {WHOLE} -> {tile(4, 4, ", valid=?x?")}
  set_validshape %w, %i, %j
  tneg ins(%w : {tile(4, 4, ", valid=?x?")}) outs(%w : {tile(4, 4, ", valid=?x?")})"""


def test_a_window_has_a_valid_region_of_its_own() -> None:
    expected = source()
    expected[4:6, 4:7] *= -1
    assert (run(CHANGED, 2, 3) == expected).all()


PLACED = f"""
  %address = arith.constant 1920 : i64
  %s = alloc_tile addr = %address : {tile(2, 32)}
  %u = alloc_tile addr = %address : {tile(16, 32)}
  %w = subview %u[%c1, %i] sizes [1, 8] : {tile(16, 32)} -> {tile(1, 8)}
  %v = subview %s[%c1, %j] sizes [1, 8] : {tile(2, 32)} -> {tile(1, 8)}
  %a = subview %t[%c0, %c0] sizes [1, 8] : {WHOLE} -> {tile(1, 8)}
  %b = subview %t[%c1, %c0] sizes [1, 8] : {WHOLE} -> {tile(1, 8)}
  tneg ins(%a : {tile(1, 8)}) outs(%v : {tile(1, 8)})
  tneg ins(%b : {tile(1, 8)}) outs(%w : {tile(1, 8)})
  tabs ins(%w : {tile(1, 8)}) outs(%v : {tile(1, 8)})
  tneg ins(%v : {tile(1, 8)}) outs(%b : {tile(1, 8)})"""


def test_windows_of_tiles_at_overlapping_addresses() -> None:
    expected = source()
    expected[1, :8] *= -1
    assert (run(PLACED, 3, 7) == expected).all()


@pytest.mark.parametrize(
    ("i", "j", "what"),
    [
        (13, 0, "window of rows 13 to 17 leaves the tile, which has 16"),
        (0, -1, "window of columns -1 to 8 leaves the tile, which has 32"),
    ],
)
def test_a_window_that_leaves_its_tile_names_rows_or_columns(i: int, j: int, what: str) -> None:
    arguments = [source(), source(), i, j]
    with pytest.raises(DeviceAssertion, match=rf"^-:\d+:8: 'pto.subview' op {what}$"):
        compiler.reference(program(ONE), kernel=None, arguments=arguments, grid=1)
    with pytest.raises(DeviceAssertion, match=r"'pto.subview' op window leaves the \d+ (rows|col)"):
        compiler.compile(program(ONE))(*arguments)
