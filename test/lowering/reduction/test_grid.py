"""Reductions by the CTAs of a grid, on the simulator: every variant, type and memory case."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import grid_kernels
from grid_kernels import Case
from pto.dtypes import DTYPES

OPS = ("sum", "prod", "max", "min", "argmax", "argmin")

FLAT = Case("sum", "f32", ("1",), (0,))
COLUMNS = Case("sum", "f32", ("1", "?"), (1,), "threads = array<i64: 4, 16>, unroll = 2")
ROWS = Case("sum", "f32", ("?", "1"), (1,), "threads = array<i64: 32, 2>, unroll = 2")
ELEMENTS = Case("sum", "f32", ("?", "?"), (1,), "unroll = 2")

CASES = {"flat": FLAT, "columns": COLUMNS, "rows": ROWS, "elements": ELEMENTS}


def array(case: Case, sizes: tuple[int, int], seed: int = 0) -> np.ndarray:
    """An array of kept x reduced elements, stored as the case's strides say; flat of both."""
    kept, reduced = sizes
    if case.strides == ("1",):
        return grid_kernels.data(case, (kept * reduced,), seed)
    if case.strides[0] == "1":
        return np.ascontiguousarray(grid_kernels.data(case, (reduced, kept), seed)).T
    if case.strides[1] == "1":
        return grid_kernels.data(case, sizes, seed)
    return grid_kernels.data(case, (2 * kept, 3 * reduced), seed)[::2, ::3]


def with_flags(case: Case, *flags: str, **changes: object) -> Case:
    return replace(case, flags=", ".join(filter(None, [case.flags, *flags])), **changes)  # type: ignore[arg-type]


def check(case: Case, x: np.ndarray, grid: int, **options: object) -> None:
    grid_kernels.check(case, x, grid_kernels.run(case, x, grid, **options))  # type: ignore[arg-type]


# Everything that a CTA alone can do ---------------------------------------------------------------


@pytest.mark.parametrize("memory", ["flat", "columns"])
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_is_reduced(op: str, dtype: str, memory: str) -> None:
    case = with_flags(replace(CASES[memory], op=op, dtype=dtype), "split = 1")
    assert case.chosen() == "direct"
    check(case, array(case, (21, 75)), grid=3)


@pytest.mark.parametrize("memory", ["columns", "rows"])
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_last_cta_combines_every_type(op: str, dtype: str, memory: str) -> None:
    case = replace(CASES[memory], op=op, dtype=dtype)
    assert case.chosen() == "last_block"
    check(case, array(case, (21, 75)), grid=6)


@pytest.mark.parametrize("memory", ["columns", "elements"])
@pytest.mark.parametrize("op", ["prod", "argmax"])
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64", "i8", "i64"])
def test_a_cluster_combines_every_type(op: str, dtype: str, memory: str) -> None:
    case = with_flags(replace(CASES[memory], op=op, dtype=dtype, cluster=4), "split = 4")
    assert case.chosen() == "dsmem"
    check(case, array(case, (21, 75)), grid=8)


@pytest.mark.parametrize("op", ["sum", "argmax"])
@pytest.mark.parametrize("grid", [1, 5, 16])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 7), (65, 129), (200, 3), (2, 999)])
@pytest.mark.parametrize("memory", CASES)
def test_sizes_and_grids_need_not_fit(
    memory: str, sizes: tuple[int, int], grid: int, op: str
) -> None:
    case = replace(CASES[memory], op=op)
    check(case, array(case, sizes), grid)


# Vectors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(("dtype", "vector"), [("f32", 4), ("f16", 8), ("i8", 16), ("f64", 2)])
def test_vectors_along_the_reduced_elements(op: str, dtype: str, vector: int) -> None:
    """What does not fill a vector at the end of a row is read by elements."""
    case = with_flags(replace(ROWS, op=op, dtype=dtype), f"vector = {vector}")
    for columns in (1, vector, 150):
        wide = grid_kernels.data(case, (5, -(-columns // vector) * vector))
        check(case, wide[:, :columns], grid=4)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(("dtype", "vector"), [("f32", 4), ("bf16", 8), ("ui8", 16), ("i64", 2)])
def test_vectors_along_the_results(op: str, dtype: str, vector: int) -> None:
    case = with_flags(replace(COLUMNS, op=op, dtype=dtype), f"vector = {vector}")
    for columns in (vector, 17 * vector):
        x = np.ascontiguousarray(grid_kernels.data(case, (33, columns))).T
        check(case, x, grid=4)


@pytest.mark.parametrize("shape", [(4, 6, 10), (3, 1, 64), (2, 40, 1)])
@pytest.mark.parametrize("op", ["sum", "argmin"])
@pytest.mark.parametrize(
    ("strides", "axes"),
    [
        (("?", "?", "1"), (0, 2)),
        (("?", "?", "1"), (0, 1)),
        (("?", "?", "1"), (1,)),
        (("?", "?", "1"), (0, 1, 2)),
        (("?", "?", "1"), (1, 2)),
        (("?", "?", "?"), (0, 2)),
    ],
)
def test_several_dimensions(
    strides: tuple[str, ...], axes: tuple[int, ...], op: str, shape: tuple[int, ...]
) -> None:
    case = Case(op, "f32", strides, axes, "unroll = 2")
    x = grid_kernels.data(case, shape)
    for grid in (1, 8):
        check(case, x, grid)


def test_elements_beside_a_strided_array_are_not_read() -> None:
    """The simulator reports reads beyond an array; what lies between rows is NaN here."""
    x = np.full((6, 100), np.nan, np.float32)
    x[:, :33] = grid_kernels.data(ROWS, (6, 33))
    check(ROWS, x[:, :33], grid=4)


# Where there is nothing ---------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "wanted"), [("sum", 0), ("prod", 1)])
@pytest.mark.parametrize("dtype", ["f32", "f16", "i32"])
@pytest.mark.parametrize("memory", ["columns", "rows", "elements"])
def test_a_reduction_of_no_elements_is_the_identity(
    memory: str, dtype: str, op: str, wanted: int
) -> None:
    case = replace(CASES[memory], op=op, dtype=dtype)
    x = array(case, (5, 1))[:, :0]
    found = grid_kernels.run(case, x, grid=4)
    assert (found == wanted).all() and not np.signbit(found.astype(np.float32)).any()


def test_no_results_are_no_work() -> None:
    for case in (COLUMNS, ROWS, ELEMENTS):
        assert grid_kernels.run(case, array(case, (1, 5))[:0], grid=4).size == 0


# Types that differ --------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["sum", "prod"])
@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        ("i8", "i64"),
        ("ui8", "i64"),
        ("ui8", "ui64"),
        ("i32", "i64"),
        ("f16", "f32"),
        ("f32", "f64"),
    ],
)
@pytest.mark.parametrize("memory", ["flat", "columns"])
def test_results_wider_than_elements(memory: str, dtype: str, result: str, op: str) -> None:
    case = replace(CASES[memory], op=op, dtype=dtype, result=result)
    check(case, array(case, (20, 40)), grid=4)


@pytest.mark.parametrize("dtype", ["i8", "ui8", "i16", "ui16"])
@pytest.mark.parametrize("end", [min, max])
def test_vectors_of_small_integers_do_not_overflow(end: object, dtype: str) -> None:
    """They are added in 32 bits first: here all are the largest or the smallest."""
    vector = 16 // DTYPES[dtype].itemsize
    case = replace(FLAT, dtype=dtype, result="i64", flags=f"vector = {vector}")
    info = np.iinfo(DTYPES[dtype])
    value = info.min if end is min else info.max
    x = np.full(5003, value, DTYPES[dtype])
    assert grid_kernels.run(case, x, grid=4) == 5003 * int(value)
    check(case, grid_kernels.data(case, (5003,)), grid=4)


def test_rows_may_run_backwards() -> None:
    for op in ("sum", "argmin"):
        case = replace(ELEMENTS, op=op)
        x = array(case, (30, 50))
        check(case, x[::-1, ::-1], grid=4)


def test_integers_are_summed_as_floats() -> None:
    case = replace(FLAT, dtype="ui8", result="f64")
    x = array(case, (20, 40))
    assert grid_kernels.run(case, x, grid=4) == x.astype(np.float64).sum()


def test_partial_results_are_wider_than_source_and_destination() -> None:
    case = with_flags(FLAT, "accumulate = f64")
    x = np.full(1 << 12, 1 + 2**-23, np.float32)
    assert grid_kernels.run(case, x, grid=4) == np.float32(x.astype(np.float64).sum())


# NaN and signed zeros -----------------------------------------------------------------------------

SPECIAL = [
    [1, np.nan, 3],
    [np.nan, np.nan],
    [-np.inf, -1],
    [np.inf, np.nan],
    [-np.inf, -np.inf],
    [5],
    [np.nan],
]


@pytest.mark.parametrize("values", SPECIAL)
@pytest.mark.parametrize("op", ["max", "min"])
@pytest.mark.parametrize("dtype", ["f32", "f16", "f64"])
def test_nan_propagates_or_is_dropped(dtype: str, op: str, values: list[float]) -> None:
    x = np.array(values, DTYPES[dtype])
    kept, dropped = (getattr(np, name) for name in (op, f"nan{op}"))
    case = replace(FLAT, op=op, dtype=dtype)
    np.testing.assert_array_equal(
        grid_kernels.run(with_flags(case, "propagate_nan"), x, grid=2), kept(x)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        np.testing.assert_array_equal(grid_kernels.run(case, x, grid=2), dropped(x))


@pytest.mark.parametrize("op", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["f32", "bf16", "f64"])
def test_the_first_nan_is_the_extreme(dtype: str, op: str) -> None:
    case = replace(FLAT, op=op, dtype=dtype)
    x = grid_kernels.data(case, (300,))
    x[[250, 170, 290]] = np.nan
    assert grid_kernels.run(case, x, grid=4) == 170


@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_zeros_of_both_signs_are_equal(op: str) -> None:
    x = np.array([0.0, -0.0] * 50, np.float32)
    for values in (x, -x):
        assert grid_kernels.run(replace(FLAT, op=op), values, grid=4) == 0


@pytest.mark.parametrize("op", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["f32", "i32", "ui64"])
def test_the_first_of_equal_elements_wins(dtype: str, op: str) -> None:
    case = replace(FLAT, op=op, dtype=dtype)
    x = np.full(500, 7, DTYPES[dtype])
    assert grid_kernels.run(case, x, grid=4) == 0
    x[0] = 6 if op == "argmax" else 8
    assert grid_kernels.run(case, x, grid=4) == 1


# Who arrives last ---------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", ["flat", "columns", "rows"])
def test_the_same_bits_whoever_arrives_last(memory: str) -> None:
    case = with_flags(CASES[memory], "deterministic")
    x = array(case, (20, 300))
    found = {grid_kernels.run(case, x, grid=8, seed=seed).tobytes() for seed in range(6)}
    assert len(found) == 1


@pytest.mark.parametrize("op", ["prod", "argmin"])
@pytest.mark.parametrize("memory", CASES)
@pytest.mark.parametrize("cluster", [1, 2])
def test_no_two_threads_race(cluster: int, memory: str, op: str) -> None:
    case = replace(CASES[memory], op=op, cluster=cluster)
    x = array(case, (40, 90))
    for seed in (None, 1):
        check(case, x, grid=8, seed=seed, check_races=True, check_uninitialized=True)


def test_a_workspace_serves_launches_of_all_shapes() -> None:
    """Tickets are zero after every launch, and partial results never lie where tickets do."""
    memory = grid_kernels.workspace(COLUMNS, 64, 512)
    for number, (memory_case, sizes) in enumerate(
        [("columns", (200, 40)), ("flat", (1, 5000)), ("rows", (3, 500)), ("columns", (16, 999))]
    ):
        case = CASES[memory_case]
        x = array(case, sizes, seed=number)
        shape = [x.shape[dim] for dim in range(x.ndim) if dim not in case.axes]
        y = np.zeros(shape, np.float32)
        grid_kernels.launch(grid_kernels.compiled(case), x, y, memory, 16)
        grid_kernels.check(case, x, y)


@pytest.mark.parametrize("flags", ["", "split = 8", "split = 4"])
def test_clusters_share_the_work_of_a_grid(flags: str) -> None:
    for case in CASES.values():
        case = with_flags(replace(case, cluster=4), flags)
        assert case.chosen() == ("dsmem" if flags == "split = 4" else "last_block")
        for seed in (None, 3):
            check(case, array(case, (9, 500)), grid=16, seed=seed)


def test_a_cluster_reduces_alone() -> None:
    """Scope `cluster`: every cluster has all elements."""
    for case in CASES.values():
        case = replace(case, cluster=4, scope="cluster", has_workspace=False)
        assert case.chosen() == "dsmem"
        check(case, array(case, (40, 60)), grid=4, check_races=True)
