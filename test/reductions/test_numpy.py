"""Every reduction of NumPy arrays, on the simulator, against NumPy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pto
from reduction_arrays import DTYPES, arrays, axes, values

OPERATIONS = ("sum", "prod", "max", "min", "mean")
FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def expected(operation, x, **options):
    """NumPy's result, for halves computed in f32 and rounded once, as documented here."""
    function = getattr(np, operation)
    if x.dtype.name in ("float16", "bfloat16") and operation in ("sum", "prod", "mean"):
        with np.errstate(over="ignore"):
            wide = function(x.astype(np.float32), **options)
            return np.asarray(wide).astype(x.dtype)
    with np.errstate(invalid="ignore"):
        return function(x, **options)


def check(result, wanted, exact=True):
    assert type(result) is type(wanted) or isinstance(wanted, np.ndarray)
    assert result.shape == wanted.shape
    assert result.dtype == wanted.dtype
    if wanted.dtype.name == "bfloat16":  # whose NaNs NumPy does not know
        result, wanted = np.asarray(result, np.float32), np.asarray(wanted, np.float32)
        np.testing.assert_allclose(result, wanted, rtol=0 if exact else 1e-2)
    elif exact:
        np.testing.assert_array_equal(result, wanted)
    else:
        a, b = np.asarray(result).astype(np.float64), np.asarray(wanted).astype(np.float64)
        np.testing.assert_allclose(a, b, rtol=1e-2 if wanted.dtype.itemsize == 2 else 1e-5)


@FEW
@given(st.data(), st.sampled_from(OPERATIONS), st.booleans(), st.booleans())
def test_any_array_over_any_axes(data, operation, keepdims, deterministic):
    x = data.draw(arrays(special=operation in ("max", "min")))
    axis = data.draw(axes(x.ndim))
    result = getattr(pto, operation)(x, axis, keepdims=keepdims, deterministic=deterministic)
    wanted = expected(operation, x, axis=axis, keepdims=keepdims)
    exact = operation not in ("mean", "prod") or x.dtype.kind in "biu"
    check(result, wanted, exact)


@FEW
@given(st.data(), st.sampled_from(["argmax", "argmin"]), st.booleans())
def test_first_extreme_of_any_array(data, operation, keepdims):
    x = data.draw(arrays(special=True))
    axis = data.draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    result = getattr(pto, operation)(x, axis, keepdims=keepdims)
    check(result, getattr(np, operation)(x, axis=axis, keepdims=keepdims))


@FEW
@given(st.data(), st.sampled_from(["sum", "prod", "max", "argmin"]))
def test_arrays_with_dimensions_of_no_elements(data, operation):
    x = data.draw(arrays(smallest=0, largest=2))
    axis = data.draw(axes(x.ndim))
    if operation == "argmin" and isinstance(axis, tuple):
        axis = None
    try:
        wanted = expected(operation, x, axis=axis)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            getattr(pto, operation)(x, axis)
    else:
        check(getattr(pto, operation)(x, axis), wanted)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2)], ids=str)
def test_sums_of_all_types(dtype, axis):
    x = values(np.random.default_rng(1), (7, 9, 33), dtype)
    check(pto.sum(x, axis), expected("sum", x, axis=axis))


@pytest.mark.parametrize("operation", ["sum", "max", "argmax"])
@pytest.mark.parametrize("shape", [(4099,), (3, 1500), (1500, 3), (257, 65)], ids=str)
def test_larger_arrays(operation, shape):
    x = np.random.default_rng(2).integers(-1000, 1000, shape).astype(np.float32)
    for axis in (None, *range(x.ndim)):
        check(getattr(pto, operation)(x, axis), getattr(np, operation)(x, axis=axis))


@pytest.mark.parametrize("begin", range(5))
def test_arrays_that_begin_anywhere(begin):
    x = np.arange(1000, dtype=np.int16)[begin : begin + 900]
    assert pto.sum(x) == x.sum()
    assert (pto.max(x.reshape(30, 30), 0) == x.reshape(30, 30).max(0)).all()


def test_an_array_between_elements_of_memory():
    x = np.frombuffer(bytes(range(1, 66)), np.float32, 16, offset=1)
    assert not x.flags.aligned
    assert pto.max(x) == x.max()


def test_a_read_only_array():
    x = np.ones(5, np.float32)
    x.flags.writeable = False
    assert pto.sum(x) == 5


@pytest.mark.parametrize("value", [np.float32(3), np.array(3.0, np.float32)], ids=type)
def test_single_numbers(value):
    assert pto.sum(value) == 3
    assert pto.argmax(value) == 0
    assert pto.mean(value, axis=-1, keepdims=True) == 3


def test_no_axes_reduce_nothing():
    x = np.array([[1, 2], [3, 4]], np.int8)
    check(pto.sum(x, axis=()), np.sum(x, axis=()))
    check(pto.max(x, axis=()), np.max(x, axis=()))


def test_the_mean_of_nothing_warns():
    with pytest.warns(RuntimeWarning, match="Mean of empty slice") as caught:
        assert np.isnan(pto.mean(np.zeros((0, 3)), axis=0)).all()
    assert caught[0].filename == __file__


def test_integers_wrap():
    x = np.array([2**62, 2**62, 5], np.int64)
    assert pto.sum(x) == -(2**63) + 5


def test_the_mean_of_halves_does_not_overflow():
    assert pto.mean(np.full(100, 60000, np.float16)) == np.float16(60000)


def test_sums_are_as_accurate_as_pairwise_ones():
    x = np.random.default_rng(3).random(1 << 14, np.float32)
    exact = x.astype(np.float64).sum()
    assert abs(pto.sum(x) - exact) / exact < 1e-6
