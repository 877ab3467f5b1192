"""Reductions whose CTAs meet in the destination, on the simulator: each adds once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import grid_kernels
from grid_kernels import Case
from pto import compiler
from pto.dtypes import DTYPES
from pto.errors import CompileError

FLAT = Case("sum", "f32", ("1",), (0,), "accum", has_workspace=False)
COLUMNS = replace(
    FLAT, strides=("1", "?"), axes=(1,), flags="accum, threads = array<i64: 4, 16>, unroll = 2"
)


def reduced(case: Case, x: np.ndarray, old: np.ndarray, grid: int, **options: object) -> np.ndarray:
    """The destination, from `old`."""
    return grid_kernels.run(case, x, grid, old.copy(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("block", [32, 64, 128, 512])
@pytest.mark.parametrize("cluster", [1, 4])
@pytest.mark.parametrize("order", ["relaxed", "acq_rel"])
def test_every_cta_adds_once(order: str, cluster: int, block: int) -> None:
    """Were the atomic not predicated, the sum would be as many times too large as a CTA has
    threads."""
    flags = f'accum, memory_order = "{order}"'
    case = replace(FLAT, flags=flags, block=block, cluster=cluster)
    assert case.chosen() == "atomic"
    x = np.ones(3000, np.float32)
    assert reduced(case, x, np.zeros((), np.float32), grid=8) == 3000


def test_every_cta_adds_once_to_each_result() -> None:
    x = np.ones((100, 40), np.float32).T
    assert (reduced(COLUMNS, x, np.zeros(40, np.float32), grid=12) == 100).all()


@pytest.mark.parametrize("op", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", ["i32", "i64", "ui32", "ui64"])
def test_integers(dtype: str, op: str) -> None:
    for base in (FLAT, COLUMNS):
        case = replace(base, op=op, dtype=dtype)
        assert case.chosen() == "atomic"
        check(case)


@pytest.mark.parametrize(
    ("dtype", "flags"),
    [("f32", ""), ("f64", ""), ("f16", ", accumulate = f16"), ("bf16", ", accumulate = bf16")],
)
def test_sums_of_floats(dtype: str, flags: str) -> None:
    """Small integers, whose sums every type holds."""
    case = replace(FLAT, dtype=dtype, flags=FLAT.flags + flags)
    assert case.chosen() == "atomic"
    x = np.random.default_rng(0).integers(-1, 2, 400).astype(DTYPES[dtype])
    for seed in range(3):
        found = reduced(case, x, np.array(3, x.dtype), grid=8, seed=seed)
        assert found.astype(np.float64) == x.astype(np.float64).sum() + 3


@pytest.mark.parametrize("op", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", [name for name in DTYPES if name not in ("i8", "ui8")])
def test_compare_and_swap_has_every_operation(dtype: str, op: str) -> None:
    flags = ', dispatch = "atomic_cas"'
    is_half = dtype in ("f16", "bf16") and op in ("sum", "prod")
    if is_half:
        flags += f", accumulate = {dtype}"
    for base in (FLAT, COLUMNS):
        case = replace(base, op=op, dtype=dtype, flags=base.flags + flags)
        assert case.chosen() == "atomic_cas"
        if is_half:
            check_halves(case)
        else:
            check(case)


def check_halves(case: Case) -> None:
    """A reduction of 1s and some 2s, which is exact."""
    x = np.where(np.arange(160) % 40, 1, 2).astype(DTYPES[case.dtype])
    x = x if case.strides == ("1",) else x.reshape(8, 20).T
    old = np.ones(x.shape[:-1], x.dtype)
    wanted = getattr(np, case.op)(x.astype(np.float64), axis=-1)
    wanted = wanted + 1 if case.op == "sum" else wanted
    found = reduced(case, x, old, grid=8).astype(np.float64)
    np.testing.assert_array_equal(found, wanted)


def check(case: Case) -> None:
    """A reduction of random elements, in several orders of arrival."""
    shape = (1000,) if case.strides == ("1",) else (90, 40)
    x = grid_kernels.data(case, shape)
    old = grid_kernels.data(case, (40,) if x.ndim == 2 else (), seed=1)
    x = x.T if x.ndim == 2 else x
    old = np.asarray(old)
    for seed in range(2):
        grid_kernels.check(case, x, reduced(case, x, old, grid=8, seed=seed), old)


# NaN ----------------------------------------------------------------------------------------------

NAN, NEGATIVE_NAN = np.float32(np.nan), np.copysign(np.float32(np.nan), np.float32(-1))


@pytest.mark.parametrize("variant", ["atomic", "atomic_cas"])
@pytest.mark.parametrize("op", ["max", "min"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("old", [NAN, NEGATIVE_NAN, np.float32(-np.inf), np.float32(2)])
@pytest.mark.parametrize("special", [NAN, NEGATIVE_NAN, np.float32(-3), np.float32(0)])
def test_one_nan_makes_the_extreme_nan(
    special: np.float32, old: np.float32, dtype: str, op: str, variant: str
) -> None:
    """Of either sign, in the source or in the old value."""
    flags = f'accum, propagate_nan, dispatch = "{variant}"'
    case = replace(FLAT, op=op, dtype=dtype, flags=flags)
    x = np.linspace(-1, 1, 600).astype(DTYPES[dtype])
    x[433] = special
    for seed in range(2):
        found = reduced(case, x, np.array(old, x.dtype), grid=8, seed=seed)
        np.testing.assert_array_equal(found, getattr(np, op)(np.append(x, x.dtype.type(old))))


@pytest.mark.parametrize("variant", ["atomic", "atomic_cas"])
def test_negative_zero_is_below_positive_zero(variant: str) -> None:
    flags = f'accum, propagate_nan, dispatch = "{variant}"'
    x = np.array([0.0, -0.0], np.float32)
    for op, negative in (("max", False), ("min", True)):
        case = replace(FLAT, op=op, flags=flags)
        for old in x:
            found = reduced(case, x, np.array(old), grid=2)
            assert found == 0 and np.signbit(found) == negative


# When ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (replace(FLAT, flags=""), "atomic: old_value_counts: nobody initialises the destination"),
        (
            replace(FLAT, flags="accum, deterministic"),
            "bits_are_free: it is deterministic, and f32",
        ),
        (
            replace(FLAT, op="prod", flags='accum, dispatch = "atomic"'),
            "no atomic tirx.prod of f32",
        ),
        (replace(FLAT, dtype="f16"), "partial results of f32 are rounded to f16 for every atomic"),
        (replace(FLAT, op="max", dtype="i8"), "atomic_cas: can_swap: elements of 1 byte"),
        (replace(FLAT, flags=""), "last_block: given(workspace): there is none"),
        (
            replace(FLAT, flags="accum, threads = array<i64: 64, 2>"),
            "fits: 64 x 2 threads, but the CTA has 64",
        ),
        (
            replace(FLAT, flags="accum, vector = 4", strides=("?",)),
            "fits: vectors of 4 along dimension 0",
        ),
        (
            replace(FLAT, flags="accum, split = 6", cluster=4),
            "fits: 6 CTAs share a strip, which clusters of 4 do not",
        ),
        (
            replace(FLAT, flags='dispatch = "dsmem"'),
            "cluster_has_all: there are no clusters",
        ),
    ],
)
def test_reasons(case: Case, reason: str) -> None:
    with pytest.raises(CompileError, match="has no variant for sm_90a that applies") as error:
        compiler.compile(case.text())
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("op", "dtype", "flags", "chosen"),
    [
        ("sum", "f32", "accum", "atomic"),
        ("sum", "f32", "accum, deterministic", "last_block"),
        ("sum", "i32", "accum, deterministic", "atomic"),
        ("sum", "f16", "accum", "last_block"),
        ("prod", "f32", "accum", "last_block"),
        ("max", "f32", "accum", "last_block"),
        ("max", "f32", "accum, propagate_nan", "atomic"),
        ("sum", "f32", "", "last_block"),
        ("sum", "f32", "split = 1", "direct"),
    ],
)
def test_choices(op: str, dtype: str, flags: str, chosen: str) -> None:
    case = replace(FLAT, op=op, dtype=dtype, flags=flags, has_workspace=True)
    assert case.chosen() == chosen
    x, old = grid_kernels.data(case, (777,)), np.full((), 1, DTYPES[dtype])
    found = grid_kernels.run(case, x, 8, old.copy())
    grid_kernels.check(case, x, found, old if "accum" in flags else None)
