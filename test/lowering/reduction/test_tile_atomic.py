"""`tstore` with `atomicType`: the tiles of all CTAs meet in one window of global memory."""

from dataclasses import replace

import numpy as np
import pytest

import grid_kernels
from pto import compiler
from pto.codegen import cubin
from pto.dtypes import DTYPES
from pto.errors import CompileError

CTAS, ROWS, COLUMNS = 4, 5, 24

UPDATE = {"add": np.add, "max": np.fmax, "min": np.fmin}


def source(dtype: str, atomic: str, form: str = "buffer", dispatch: str = "") -> str:
    """Each of `CTAS` CTAs loads rows of its own from `%x` and stores them to the same rows of
    `%y`."""
    view = f"!pto.tensor_view<?x?x{dtype}>"
    window = f"!pto.partition_tensor_view<{ROWS}x{COLUMNS}x{dtype}>"
    flags = f'atomicType = "{atomic}"' + (f', dispatch = "{dispatch}"' if dispatch else "")
    if form == "buffer":
        tile = f"!pto.tile_buf<vec, 8x32x{dtype}, valid={ROWS}x{COLUMNS}>"
        body = f"""
  %t = alloc_tile : {tile}
  tload ins(%from : {window}) outs(%t : {tile})
  tstore ins(%t : {tile}) outs(%to : {window}) {{{flags}}}"""
    else:
        tile = f"!pto.tile<{ROWS}x{COLUMNS}x{dtype}>"
        body = f"""
  %t = tload %from : {window} -> {tile}
  tstore %t, %to {{{flags}}} : {tile}, {window}"""
    return f"""
pto.kernel @k(%x: {view}, %y: {view}) attributes {{pto.grid = {CTAS}}} {{
  %c0 = arith.constant 0 : index
  %rows = arith.constant {ROWS} : index
  %columns = arith.constant {COLUMNS} : index
  %block = get_block_idx
  %cta = arith.index_cast %block : i64 to index
  %first = arith.muli %cta, %rows : index
  %from = partition_view %x, offsets = [%first, %c0], sizes = [%rows, %columns] : {view} -> {window}
  %to = partition_view %y, offsets = [%c0, %c0], sizes = [%rows, %columns] : {view} -> {window}
{body}
}}
"""


def arrays(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Small integers, whose sums every type holds."""
    random = np.random.default_rng(0)
    shapes = (CTAS * ROWS, COLUMNS), (ROWS, COLUMNS)
    x, y = (random.integers(0, 9, shape).astype(DTYPES[dtype]) for shape in shapes)
    return x, y


def wanted(x: np.ndarray, y: np.ndarray, atomic: str) -> np.ndarray:
    for tile in np.split(x, CTAS):
        y = UPDATE[atomic](y, tile)
    return y


@pytest.mark.parametrize("atomic", UPDATE)
@pytest.mark.parametrize("dtype", [name for name in DTYPES if name not in ("i8", "ui8")])
def test_tiles_of_all_ctas_are_combined(dtype: str, atomic: str) -> None:
    text = source(dtype, atomic)
    x, y = arrays(dtype)
    expected = wanted(x, y, atomic)
    kernel = compiler.compile(text)
    simulated, referred = y.copy(), y.copy()
    kernel(x, simulated)
    compiler.reference(text, kernel=None, arguments=[x, referred], grid=CTAS)
    np.testing.assert_array_equal(simulated, expected)
    np.testing.assert_array_equal(referred, expected)


def test_tiles_that_are_values(dtype: str = "f32") -> None:
    x, y = arrays(dtype)
    expected = wanted(x, y, "add")
    compiler.compile(source(dtype, "add", form="value"))(x, y)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize(
    ("dtype", "atomic", "variant"),
    [
        ("f32", "add", "fold_atomic"),
        ("bf16", "add", "fold_atomic"),
        ("ui64", "max", "fold_atomic"),
        ("f32", "max", "fold_cas"),
        ("i16", "add", "fold_cas"),
    ],
)
@pytest.mark.parametrize("chip", ["sm_90a", "sm_100a", "sm_120a"])
def test_the_assembler_takes_it(chip: str, dtype: str, atomic: str, variant: str) -> None:
    text = source(dtype, atomic)
    assert compiler.explain(text, target=chip)[-1].chosen == variant
    ptx = compiler.emit(text, form="ptx", target=chip)
    assert isinstance(ptx, str)
    assert cubin.assemble(ptx, chip).startswith(b"\x7fELF")


def test_bytes_have_no_atomic() -> None:
    with pytest.raises(CompileError, match=r"fold_cas: can_swap: elements of 1 byte"):
        compiler.compile(source("i8", "add"))


def test_another_atomic_is_an_error() -> None:
    with pytest.raises(CompileError, match='has atomicType "mul"; it is "add", "max" or "min"'):
        compiler.compile(source("f32", "mul"))


@pytest.mark.parametrize("op", ["sum", "max"])
def test_a_reduction_that_others_join(op: str) -> None:
    """More than one element for each result, from handwritten `tirx`."""
    case = grid_kernels.Case(
        op, "i32", ("?", "1"), (1,), "accum, atomic", scope="cta", has_workspace=False
    )
    assert case.chosen() == "fold_atomic"
    x = grid_kernels.data(replace(case, op="max"), (9, 30))
    y = np.full(9, 3, np.int32)
    grid_kernels.launch(grid_kernels.compiled(case), x, y, np.zeros(1, np.uint8), grid=3)
    each = x.sum(1) if op == "sum" else x.max(1)
    np.testing.assert_array_equal(y, 3 + 3 * each if op == "sum" else np.maximum(each, 3))
