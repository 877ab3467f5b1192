"""Reductions whose partial results have flags, on the simulator: sizes, types, order, memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flagged_kernels import COLUMNS, ROWS, Case
from pto import compiler
from pto.dtypes import DTYPES
from pto.errors import CompileError
from pto.lowering.reduction import flagged
from pto.reductions import plan


def check(case: Case) -> None:
    x = case.data()
    case.check(x, case.run(case.compiled(), x, case.workspace))


@pytest.mark.parametrize("case", [ROWS, COLUMNS], ids=["rows", "columns"])
@pytest.mark.parametrize("op", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i32", "ui16", "i8"])
def test_every_type_that_fits_a_word(dtype: str, op: str, case: Case) -> None:
    result = "i32" if DTYPES[dtype].kind in "iu" and op == "sum" else None
    check(replace(case, op=op, dtype=dtype, result=result))


@pytest.mark.parametrize("waiting", [1, 3, 64])
@pytest.mark.parametrize("split", [2, 5, 8, 33])
@pytest.mark.parametrize("shape", [(1, 8192), (12, 4096), (37, 1028), (300, 1024)], ids=str)
def test_rows(shape: tuple[int, int], split: int, waiting: int) -> None:
    check(replace(ROWS, shape=shape, split=split, waiting=waiting))


@pytest.mark.parametrize("threads", [(16, 4), (32, 2)], ids=str)
def test_strips_of_several_rows_need_not_be_full(threads: tuple[int, int]) -> None:
    check(replace(ROWS, shape=(13, 2048), threads=threads))


@pytest.mark.parametrize("waiting", [1, 3, 64])
@pytest.mark.parametrize("split", [2, 5, 8, 33])
@pytest.mark.parametrize("shape", [(512, 128), (1000, 4), (300, 100), (64, 1020)], ids=str)
def test_columns(shape: tuple[int, int], split: int, waiting: int) -> None:
    check(replace(COLUMNS, shape=shape, split=split, waiting=waiting))


@pytest.mark.parametrize("threads", [(4, 16), (1, 64), (32, 2)], ids=str)
def test_strips_of_any_width(threads: tuple[int, int]) -> None:
    check(replace(COLUMNS, threads=threads))


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("grid", [1, 2, 3, 10, 97, 500])
@pytest.mark.parametrize("case", [ROWS, COLUMNS], ids=["rows", "columns"])
def test_any_grid_gives_the_same_bits(case: Case, grid: int, is_known: bool) -> None:
    """Known or not, as sizes and strides are; even one that has fewer CTAs than should wait."""
    case, x = replace(case, waiting=3), case.data()
    wanted = case.run(case.compiled(), x, case.workspace)
    other = replace(case, grid=grid, is_known=is_known)
    found = other.run(other.compiled(), x, case.workspace)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("case", [ROWS, COLUMNS], ids=["rows", "columns"])
def test_the_order_of_ctas_changes_no_bit(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Launch after launch in one workspace, which every one leaves as it was."""
    kernel, x, w = case.compiled(), case.data(), case.workspace
    first = case.run(kernel, x, w)
    for seed in range(3):
        monkeypatch.setenv("PTO_SIM_SEED", str(seed))
        np.testing.assert_array_equal(case.run(kernel, x, w), first)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("grid", [1, 2, 26])
@pytest.mark.parametrize("case", [ROWS, COLUMNS], ids=["rows", "columns"])
def test_nothing_to_reduce(case: Case, grid: int, is_known: bool) -> None:
    """No elements give the identity; no results are no work."""
    case = replace(case, op="prod", vector=1, grid=grid, is_known=is_known)
    for kept, reduced in ((12, 0), (0, 12)):
        shape = (kept, reduced) if case.by_rows else (reduced, kept)
        empty = replace(case, shape=shape)
        found = empty.run(empty.compiled(), empty.data(), empty.workspace)
        np.testing.assert_array_equal(found, np.ones(kept))


def test_an_old_value_counts() -> None:
    x, y = ROWS.data(), np.arange(12, dtype=np.float32)
    kernel = compiler.compile(replace(ROWS, op="max").text(", accum"))
    kernel(x, y, ROWS.workspace)
    np.testing.assert_array_equal(y, np.maximum(x.max(1), np.arange(12)))


def test_a_value_may_be_zero_or_nan() -> None:
    """The flag is not a value of the result."""
    x = ROWS.data()
    x[0] = 0
    x[1, 7] = np.nan
    y = ROWS.run(ROWS.compiled(), x, ROWS.workspace)
    assert y[0] == 0 and np.isnan(y[1]) and np.isfinite(y[2:]).all()


@pytest.mark.parametrize(
    ("case", "flags", "reason"),
    [
        (replace(ROWS, dtype="f64", vector=2), "", "is_word: a partial result has 8 bytes"),
        (replace(ROWS, waiting=65), "", "has_waiting: 65 CTAs wait, more than 64"),
        (
            replace(ROWS, split=2**63 - 1, grid=9),
            "",
            "has_waiting: 9223372036854775807 parts of each result",
        ),
        (replace(ROWS, split=1), "", "has_waiting: no number of CTAs shares each strip"),
        (ROWS, ', dispatch = "last_block"', "all_work: 2 CTAs wait for flags"),
    ],
)
def test_reasons(case: Case, flags: str, reason: str) -> None:
    with pytest.raises(CompileError, match="has no variant for sm_90a that applies") as error:
        compiler.compile(case.text(flags))
    assert reason in str(error.value)


def test_plans_know_how_many_may_wait() -> None:
    assert plan.MOST_WAITING == flagged.MOST_WAITING
