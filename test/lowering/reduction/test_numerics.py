"""One rule of numerics for all variants: see `pto.lowering.combine`."""

import re
from functools import cache

import numpy as np
import pytest

import tirx_forms
import tirx_values
from pto import compiler
from pto.dtypes import DTYPES
from pto.runtime import Kernel
from tirx_forms import FORMS, LENGTH, LIMIT, ROWS
from tirx_kernels import Reduction

TARGETS = ("sm_90a", "sm_100a")


@cache
def compiled(text: str, target: str) -> Kernel:
    return compiler.compile(text, target=target)


def run(r: Reduction, x: np.ndarray, y: np.ndarray, target: str = "sm_90a") -> np.ndarray:
    """The destination after a call whose results are right."""
    found = r.arguments(x, y)
    compiled(r.text(), target)(*found)
    tirx_values.check(r, x, y, found)
    return found[1]


def run_raw(form: str, r: Reduction, rows: np.ndarray, target: str = "sm_90a") -> np.ndarray:
    """The results of a form for rows, unchecked, as one array; old values are ones."""
    x, y = FORMS[form].arguments(r, rows, np.ones(ROWS, rows.dtype))
    found = r.arguments(x, y)
    compiled(r.text(), target)(*found)
    return found[1].reshape(ROWS)


# Special values -----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", tirx_forms.FLOATS)
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", FORMS)
def test_special_values(form: str, op: str, dtype: str, accum: bool, target: str) -> None:
    """NaN, which `max` and `min` drop; infinities, signed zeros, subnormals and large numbers."""
    r = FORMS[form].make(op, dtype, accum=accum)
    for kind in tirx_forms.kinds(op):
        rows = tirx_forms.special_rows(kind, dtype)
        run(r, *FORMS[form].arguments(r, rows, tirx_forms.old_values(rows)), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", tirx_forms.FLOATS)
@pytest.mark.parametrize("op", ["max", "min"])
@pytest.mark.parametrize("form", FORMS)
def test_nan_propagates_if_asked(form: str, op: str, dtype: str, accum: bool, target: str) -> None:
    r = FORMS[form].make(op, dtype, accum=accum, flags="propagate_nan")
    for kind in ("nan", "infinities", "zeros"):
        rows = tirx_forms.special_rows(kind, dtype)
        run(r, *FORMS[form].arguments(r, rows, tirx_forms.old_values(rows)), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", tirx_forms.FLOATS)
def test_a_sum_of_negative_zeros_has_one_sign(dtype: str, target: str) -> None:
    rows = np.full((ROWS, LENGTH), -0.0, DTYPES[dtype])
    signs = {
        name: bool(np.signbit(run_raw(name, form.make("sum", dtype), rows, target)).all())
        for name, form in FORMS.items()
    }
    assert len(set(signs.values())) == 1, signs


@pytest.mark.parametrize("op", ["max", "min"])
@pytest.mark.parametrize("flags", ["", "propagate_nan"])
@pytest.mark.parametrize("accum", [False, True])
def test_redux_of_floats_follows_the_rule(op: str, flags: str, accum: bool) -> None:
    r = tirx_forms.redux(op, "f32", flags=flags, accum=accum)
    assert "redux" in [d.chosen for d in compiler.explain(r.text(), target="sm_100a")]
    for kind in tirx_forms.SPECIAL:
        rows = tirx_forms.special_rows(kind, "f32")
        old = np.repeat(tirx_forms.old_values(rows), 4).reshape(16, 1)
        run(r, rows.reshape(16, 32), old, "sm_100a")


# Flush to zero ------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", FORMS)
def test_subnormals_become_zero_under_ftz_only(form: str, op: str, target: str) -> None:
    rows, plain, flushed = tirx_forms.flushed_rows(op)
    for flags, wanted in (("", plain), ("ftz", flushed)):
        found = run_raw(form, FORMS[form].make(op, "f32", flags=flags), rows, target)
        np.testing.assert_array_equal(found.astype(np.float64), wanted, err_msg=flags)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("flags", ["ftz", "ftz, propagate_nan", ""])
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", FORMS)
def test_ftz_is_on_every_instruction_or_on_none(
    form: str, op: str, flags: str, target: str
) -> None:
    r = FORMS[form].make(op, "f32", flags=flags, accum=True)
    ptx = compiled(r.text(), target).ptx
    found = set(re.findall(r"\b((?:add|mul|fma|max|min)\.[\w.]*f32(?:x2)?)\b", ptx))
    assert found
    assert {".ftz" in instruction for instruction in found} == {"ftz" in flags}, found


@pytest.mark.parametrize("op", tirx_forms.OPS)
def test_ftz_flushes_one_element_in_every_variant_or_in_none(op: str) -> None:
    half = np.full((1,), np.finfo(np.float32).tiny / 2, np.float32)
    found = {}
    for name, more in {
        "local": {},
        "fold": {"flags": 'ftz, dispatch = "fold"'},
        "shared": {"memory": "shared", "scope": "cta", "threads": 32},
    }.items():
        r = Reduction(op, "f32", (1,), (1,), (0,), **{"flags": "ftz", **more})
        arguments = r.arguments(half, half)
        compiled(r.text(), "sm_90a")(*arguments)
        found[name] = float(arguments[1][0])
    assert len(set(found.values())) == 1, found


# f16 and bf16 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", LIMIT)
@pytest.mark.parametrize("form", FORMS)
def test_halves_accumulate_in_f32_and_are_rounded_once(form: str, dtype: str, target: str) -> None:
    rows = tirx_forms.rows_lost_in_halves(dtype)
    once = rows.astype(np.float32).sum(1).astype(rows.dtype)
    found = run_raw(form, FORMS[form].make("sum", dtype), rows, target)
    np.testing.assert_array_equal(found.astype(np.float32), once.astype(np.float32))


@pytest.mark.parametrize("dtype", LIMIT)
def test_halves_do_not_overflow_on_the_way(dtype: str) -> None:
    largest = float(np.float32(2.0**15 if dtype == "f16" else 2.0**100))
    rows = np.tile(np.array([largest, largest, -largest, -largest]), (ROWS, LENGTH // 4))
    rows[:, -1] = 0
    for name, form in FORMS.items():
        found = run_raw(name, form.make("sum", dtype), rows.astype(DTYPES[dtype]))
        np.testing.assert_array_equal(found.astype(np.float64), largest, err_msg=name)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", LIMIT)
@pytest.mark.parametrize("form", FORMS)
def test_accumulate_names_the_type_of_partial_results(form: str, dtype: str, target: str) -> None:
    flags = f"accumulate = {dtype}"
    rows = tirx_forms.rows_lost_in_halves(dtype)
    once = rows.astype(np.float32).sum(1)
    found = run_raw(form, FORMS[form].make("sum", dtype, flags=flags), rows, target)
    assert (found.astype(np.float32) < once).all()
    for op in ("sum", "prod"):
        r = FORMS[form].make(op, dtype, flags=flags, accum=True, partials=dtype)
        x, y = tirx_values.data(r)
        run(r, x, y, target)
        ptx = compiled(r.text(), target).ptx
        assert not re.search(r"\b(add|mul|fma)\.[\w.]*f32\b", ptx) or dtype == "bf16"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", tirx_forms.FLOATS)
@pytest.mark.parametrize("op", ["sum", "prod"])
@pytest.mark.parametrize("form", ["thread", "rows", "columns", "warps_of_shared"])
def test_strict_is_a_left_fold_in_the_element_type(
    form: str, op: str, dtype: str, accum: bool, target: str
) -> None:
    r = FORMS[form].make(op, dtype, accum=accum, flags="strict")
    rows = np.random.default_rng(1).uniform(0.9, 1.1, (ROWS, LENGTH)).astype(DTYPES[dtype])
    wanted = np.full(ROWS, float(accum or op == "prod"), rows.dtype)
    for column in rows.T:
        wanted = (wanted + column if op == "sum" else wanted * column).astype(rows.dtype)
    found = run_raw(form, r, rows, target)
    np.testing.assert_array_equal(tirx_values.bits(found), tirx_values.bits(wanted))


@pytest.mark.parametrize("dtype", LIMIT)
@pytest.mark.parametrize("form", ["thread", "rows", "columns", "registers_and_lanes"])
def test_halves_reduce_into_f32(form: str, dtype: str) -> None:
    """A destination of f32 keeps what the elements' type would round away."""
    r = FORMS[form].make("sum", dtype, result="f32")
    rows = tirx_forms.rows_lost_in_halves(dtype)
    x, _ = FORMS[form].arguments(r, rows, np.zeros(ROWS, np.float32))
    found = r.arguments(x, np.zeros(r.whole(r.dst), np.float32))
    compiled(r.text(), "sm_90a")(*found)
    assert (found[1] == LIMIT[dtype] + LENGTH - 1).all()


# Integers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", tirx_forms.INTEGERS)
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", FORMS)
def test_integers_wrap_and_keep_their_sign(form: str, op: str, dtype: str, accum: bool) -> None:
    r = FORMS[form].make(op, dtype, accum=accum)
    run(r, *tirx_values.data(r), "sm_100a" if accum else "sm_90a")


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_100a", "sm_120a"])
@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", ["i32", "ui32"])
@pytest.mark.parametrize("op", tirx_forms.OPS)
def test_redux_of_integers(op: str, dtype: str, accum: bool, target: str) -> None:
    r = tirx_forms.redux(op, dtype, accum=accum)
    run(r, *tirx_values.data(r), target)
    chosen = [d.chosen for d in compiler.explain(r.text(), target=target)]
    assert ("shuffle" if op == "prod" else "redux") in chosen


# Shapes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("op", ["sum", "max"])
@pytest.mark.parametrize("scope", ["local", "thread", "warp", "warpgroup", "cta"])
@pytest.mark.parametrize("name", tirx_forms.REGIONS)
def test_regions_at_distinct_offsets(
    name: str, scope: str, op: str, accum: bool, target: str
) -> None:
    """Nothing outside of the destination's region is written."""
    r = tirx_forms.region(name, scope, op, accum)
    run(r, *tirx_values.data(r), target)


@pytest.mark.parametrize("threads", tirx_forms.BLOCK_SIZES)
@pytest.mark.parametrize("shape", tirx_forms.SHAPES)
@pytest.mark.parametrize(("op", "dtype", "accum"), [("sum", "f32", True), ("min", "f16", False)])
def test_any_block_size(op: str, dtype: str, accum: bool, shape: str, threads: int) -> None:
    src, dst, axes = tirx_forms.SHAPES[shape]
    r = Reduction(op, dtype, src, dst, axes, accum, memory="shared", scope="cta", threads=threads)
    run(r, *tirx_values.data(r))


def test_all_threads_read_a_single_long_row() -> None:
    """Every thread goes on 256 vectors later, so that 256 threads begin with a vector each."""
    r = Reduction("sum", "f32", (1, 4096), (1, 1), (1,), memory="shared", scope="cta", threads=256)
    run(r, *tirx_values.data(r))
    text = compiler.emit(r.text(), form="dispatch")
    assert isinstance(text, str)
    fold = re.search(r"scf.for %\w+ = %\w+ to %c1024 step %c256 iter_args.*\n.*\n(.*)", text)
    assert fold is not None and "vector.load" in fold[1] and "vector<4xf32>" in fold[1], text
