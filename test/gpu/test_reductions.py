"""The reductions of handwritten kernels on a GPU. Without a CUDA device these tests are skipped."""

import numpy as np
import pytest

import tirx_forms
import tirx_upstream
import tirx_values
from pto import compiler
from tirx_forms import FORMS
from tirx_kernels import Reduction

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)

TARGET = {"90": "sm_90a", "100": "sm_100a", "120": "sm_120a"}.get(
    cupy.cuda.Device().compute_capability, "sm_80"
)

# CuPy has no bf16: see test_kernels.py for those.
FLOATS = [dtype for dtype in tirx_forms.FLOATS if dtype != "bf16"]

UPSTREAM = tirx_upstream.cases()


def run(r: Reduction, *data: tuple[np.ndarray, np.ndarray]) -> None:
    """Checks the results of one kernel for several pairs of source and old destination."""
    kernel = compiler.compile(r.text(), target=TARGET)
    for x, y in data:
        arguments = [cupy.asarray(array) for array in r.arguments(x, y)]
        kernel(*arguments)
        tirx_values.check(r, x, y, [cupy.asnumpy(array) for array in arguments])


@pytest.mark.parametrize("name", UPSTREAM)
def test_upstream(name: str) -> None:
    run(UPSTREAM[name], tirx_values.data(UPSTREAM[name]))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("op", "flags"),
    [*((op, "") for op in tirx_forms.OPS), ("max", "propagate_nan"), ("min", "propagate_nan")],
)
@pytest.mark.parametrize("form", FORMS)
def test_special_values(form: str, op: str, dtype: str, flags: str) -> None:
    """NaN, infinities, signed zeros, subnormals and large numbers; the old value is one of them."""
    data = []
    for kind in tirx_forms.kinds(op):
        rows = tirx_forms.special_rows(kind, dtype)
        r = FORMS[form].make(op, dtype, accum=True, flags=flags)
        data.append(FORMS[form].arguments(r, rows, tirx_forms.old_values(rows)))
    run(r, *data)


def results(form: str, op: str, dtype: str, rows: np.ndarray, flags: str = "") -> np.ndarray:
    """The results of a form for rows, unchecked, in float64."""
    r = FORMS[form].make(op, dtype, flags=flags)
    x, y = FORMS[form].arguments(r, rows, np.ones(len(rows), rows.dtype))
    arguments = [cupy.asarray(array) for array in r.arguments(x, y)]
    compiler.compile(r.text(), target=TARGET)(*arguments)
    return cupy.asnumpy(arguments[1]).reshape(-1).astype(np.float64)


@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", FORMS)
def test_subnormals_become_zero_under_ftz_only(form: str, op: str) -> None:
    rows, plain, flushed = tirx_forms.flushed_rows(op)
    for flags, wanted in (("", plain), ("ftz", flushed)):
        found = results(form, op, "f32", rows, flags)
        np.testing.assert_array_equal(found, wanted, err_msg=flags)


@pytest.mark.parametrize("form", FORMS)
def test_halves_accumulate_in_f32_and_are_rounded_once(form: str) -> None:
    rows = tirx_forms.rows_lost_in_halves("f16")
    once = rows.astype(np.float32).sum(1).astype(np.float16)
    np.testing.assert_array_equal(results(form, "sum", "f16", rows), once)


@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("dtype", ["i8", "ui16", "i32", "ui32", "i64"])
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", [*FORMS, "redux"])
def test_integers_wrap_and_keep_their_sign(form: str, op: str, dtype: str, accum: bool) -> None:
    make = tirx_forms.redux if form == "redux" else FORMS[form].make
    r = make(op, dtype, accum=accum)
    run(r, tirx_values.data(r))


@pytest.mark.parametrize("threads", tirx_forms.BLOCK_SIZES)
@pytest.mark.parametrize("shape", tirx_forms.SHAPES)
def test_any_block_size(shape: str, threads: int) -> None:
    src, dst, axes = tirx_forms.SHAPES[shape]
    r = Reduction("sum", "f32", src, dst, axes, memory="shared", scope="cta", threads=threads)
    run(r, tirx_values.data(r))


@pytest.mark.parametrize("accum", [False, True])
@pytest.mark.parametrize("scope", ["local", "thread", "warp", "warpgroup", "cta"])
@pytest.mark.parametrize("name", tirx_forms.REGIONS)
def test_regions_at_distinct_offsets(name: str, scope: str, accum: bool) -> None:
    r = tirx_forms.region(name, scope, "sum", accum)
    run(r, tirx_values.data(r))
