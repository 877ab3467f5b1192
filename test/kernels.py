"""Kernel texts and inputs that several tests share."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np

from pto.dtypes import DTYPES

EXAMPLES = Path(__file__).parent.parent / "examples"

REDUCTIONS = ("tcolprod", "tcolsum", "tcolmax", "tcolmin")
ROW_REDUCTIONS = ("trowprod", "trowsum", "trowmax", "trowmin")


def reduced(op: str, shape: tuple[int, int]) -> tuple[int, int]:
    """The shape of what a reduction leaves of a matrix."""
    return (1, shape[1]) if op in REDUCTIONS else (shape[0], 1)


def reduction(
    op: str,
    dtype: str,
    shape: tuple[int, int],
    valid: tuple[int, int] | None = None,
    *,
    dynamic: bool = False,
    flags: str = "",
) -> str:
    """A kernel that loads a tile, reduces its columns or rows and stores one row or column.

    `%x` is a view of the valid region's shape, `%y` one of the result's. With `dynamic` the valid
    region is that of `%x` at run time.
    """
    rows, columns = shape
    valid_rows, valid_columns = valid or shape
    sizes = "?x?" if dynamic else f"{valid_rows}x{valid_columns}"
    is_column = op in ROW_REDUCTIONS
    kept = "?" if dynamic else str(valid_rows if is_column else valid_columns)
    row = f"{kept}x1" if is_column else f"1x{kept}"
    source = f"!pto.tile_buf<vec, {rows}x{columns}x{dtype}, valid={sizes}>"
    whole = "x".join(map(str, reduced(op, shape)))
    result = f"!pto.tile_buf<vec, {whole}x{dtype}, valid={row}>"
    view, window = f"!pto.tensor_view<?x?x{dtype}>", f"!pto.partition_tensor_view<{sizes}x{dtype}>"
    row_window = f"!pto.partition_tensor_view<{row}x{dtype}>"
    if dynamic:
        extents = f"""
  %m = tensor_view_dim %x, 0 : {view}
  %n = tensor_view_dim %x, 1 : {view}"""
        given, given_result = (
            "valid_row = %m valid_col = %n ",
            "valid_row = %m " if is_column else "valid_col = %n ",
        )
    else:
        extents = f"""
  %m = arith.constant {valid_rows} : index
  %n = arith.constant {valid_columns} : index"""
        given = given_result = ""
    extent = "%m, %c1" if is_column else "%c1, %n"
    return f"""
pto.kernel @k(%x: {view}, %y: {view}) attributes {{pto.grid = 1}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index{extents}
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%m, %n] : {view} -> {window}
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [{extent}] : {view} -> {row_window}
  %s = alloc_tile {given}: {source}
  %d = alloc_tile {given_result}: {result}
  tload ins(%xw : {window}) outs(%s : {source})
  {op} ins(%s : {source}) outs(%d : {result}) {flags}
  tstore ins(%d : {result}) outs(%yw : {row_window})
}}
"""


def values(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Elements of every kind: signs, zeros, extremes, denormals, infinities and NaN."""
    random = np.random.default_rng(seed)
    kind = DTYPES[dtype]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        full = random.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
        small = random.integers(0, 4, shape).astype(kind)
        return np.where(random.random(shape) < 0.5, full, small)
    numbers = (random.uniform(0.5, 1.5, shape) * random.choice([-1, 1], shape)).astype(kind)
    info = ml_dtypes.finfo(kind)
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, info.smallest_subnormal, info.tiny, info.max],
    ).astype(kind)
    return np.where(random.random(shape) < 0.02, random.choice(special, shape), numbers)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, any NaN being any other."""
    if a.dtype.kind in "iu":
        return bool((a == b).all())
    bits = f"u{a.dtype.itemsize}"
    return bool(((a.view(bits) == b.view(bits)) | (np.isnan(a) & np.isnan(b))).all())


def ulps(a: np.ndarray, b: np.ndarray) -> int:
    """The largest number of floats between two elements; any NaN is any other."""
    is_nan = np.isnan(a.astype(np.float64)) & np.isnan(b.astype(np.float64))
    distances = np.abs(_places(a) - _places(b))[~is_nan]
    return max(distances, default=0)


def _places(a: np.ndarray) -> np.ndarray:
    """The numbers of floats from zero on, as Python integers."""
    kind = f"i{a.itemsize}"
    bits = np.ascontiguousarray(a).view(kind).astype(object)
    return np.where(bits < 0, -(bits + (1 << (8 * a.itemsize - 1))), bits)


def example(name: str, dtype: str) -> str:
    """A program of `examples/`, with its element type replaced."""
    text = (EXAMPLES / name).read_text().replace("f32", dtype)
    size = DTYPES[dtype].itemsize
    # colprod_grid.pto places its tiles one row of 128 elements, and 65 rows, into the space.
    return text.replace("0x0200", hex(128 * size)).replace("0x8200", hex(65 * 128 * size))
