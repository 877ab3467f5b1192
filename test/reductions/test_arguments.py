"""The arguments of reductions: what they mean, and NumPy's exceptions for what they cannot be."""

import re

import ml_dtypes
import numpy as np
import pytest

import pto

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize(
    ("x", "dtype"),
    [(np.int8, "i8"), (np.float16, "f4"), (np.float32, "f8"), (bool, "u4"), (np.int32, "f4")],
)
def test_dtype_is_what_sums_are_computed_in(x, dtype):
    values = np.full(40, 1, x)
    result = pto.sum(values, dtype=dtype)
    assert (result, result.dtype) == (40, np.dtype(dtype))


def test_dtype_may_be_narrower():
    assert pto.sum(np.full(3, 100, np.int64), dtype=np.int8) == np.int8(44)
    assert pto.sum(np.full(3, 0.1), dtype=np.float32) == np.float32(0.3)


def test_a_bool_sum_of_bools_says_whether_any_is_true():
    x = np.array([[False, True], [False, False]])
    assert pto.sum(x, 0, dtype=bool).tolist() == [False, True]
    assert pto.prod(x, 1, dtype=bool).tolist() == [False, False]


def test_out_is_written_and_returned():
    out = np.zeros(3, np.float32)
    assert pto.sum(X, axis=0, out=out) is out
    assert out.tolist() == [3, 5, 7]


def test_out_decides_the_type():
    out = np.zeros(3, np.float64)
    assert pto.sum(X, axis=0, out=out).tolist() == [3, 5, 7]
    assert pto.sum(np.full((2, 3), 100, np.int8), 0, out=np.zeros(3, np.int8))[0] == np.int8(-56)


def test_out_may_have_any_strides():
    whole = np.zeros((3, 4), np.float32)
    pto.sum(X, axis=0, out=whole[::-1, 1])
    assert whole[:, 1].tolist() == [7, 5, 3] and whole.sum() == 15


def test_out_with_kept_dimensions():
    out = np.zeros((1, 3), np.int64)
    assert pto.argmax(X, 0, out=out, keepdims=True).tolist() == [[1, 1, 1]]


def test_the_mean_goes_to_an_out_of_another_type():
    out = np.zeros(3, np.float16)
    assert pto.mean(X, 0, dtype=np.float32, out=out).tolist() == [1.5, 2.5, 3.5]


@pytest.mark.parametrize(
    ("axis", "error", "message"),
    [
        (2, np.exceptions.AxisError, "axis: axis 2 is out of bounds for array of dimension 2"),
        ((0, -3), np.exceptions.AxisError, "axis: axis -3 is out of bounds"),
        ((0, -2), ValueError, "axis: duplicate value in (0, -2)"),
        ([0], TypeError, "axis: expected None or integers, not [0]"),
        (1.0, TypeError, "axis: expected None or integers, not 1.0"),
        (True, TypeError, "axis: expected None or integers, not True"),
        ((0, "a"), TypeError, "axis: expected None or integers, not 'a'"),
    ],
    ids=str,
)
def test_bad_axes_are_named(axis, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        pto.sum(X, axis)


def test_a_wrong_axis_stays_wrong_after_a_right_one():
    pto.sum(X, 1)
    with pytest.raises(TypeError, match="axis"):
        pto.sum(X, 1.0)


def test_argmax_takes_one_axis():
    with pytest.raises(TypeError, match=r"axis: expected None or integers, not \(0, 1\)"):
        pto.argmax(X, (0, 1))


@pytest.mark.parametrize(
    ("x", "dtype", "message"),
    [
        (X, "foo", "dtype: 'foo' is no element type"),
        (X, [1], r"dtype: \[1\] is no element type"),
        (X, complex, "dtype: no reduction computes in complex128"),
        (X, int, "dtype: the elements of x do not convert from float32 to int64 under"),
        (X, bool, "dtype: the elements of x do not convert from float32 to bool under"),
        (X.astype(ml_dtypes.bfloat16), np.float16, "dtype: .* from bfloat16 to float16"),
    ],
)
def test_bad_dtypes_are_named(x, dtype, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        pto.sum(x, dtype=dtype)


def test_the_mean_is_no_integer():
    with pytest.raises(TypeError, match=r"dtype: a mean is a floating-point number, not .* int32"):
        pto.mean(X, dtype=np.int32)


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (np.zeros(2, np.float32), ValueError, r"out: expected shape \(3,\), got \(2,\)"),
        (np.zeros((1, 3), np.float32), ValueError, r"out: expected shape \(3,\), got \(1, 3\)"),
        (np.zeros(3, np.int32), TypeError, "out: the elements of x do not convert from float32"),
        (np.zeros(3, complex), TypeError, "out: no reduction writes complex128 elements"),
        (5, TypeError, "out: expected an array of numpy, as x is, not int"),
        (X[0], ValueError, "out: its memory overlaps that of x"),
    ],
    ids=str,
)
def test_bad_outs_are_named(out, error, message):
    with pytest.raises(error, match=f"^{message}"):
        pto.sum(X, axis=0, out=out)


def test_the_result_must_fit_out():
    with pytest.raises(TypeError, match="out: the result does not convert from float64 to int32"):
        pto.sum(X, axis=0, dtype=np.float64, out=np.zeros(3, np.int32))


def test_indices_are_written_as_int64():
    with pytest.raises(TypeError, match="out: argmax writes indices as int64, not as int32"):
        pto.argmax(X, axis=0, out=np.zeros(3, np.int32))


def test_a_read_only_out_is_refused():
    out = np.zeros(3, np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: the array is read-only"):
        pto.sum(X, axis=0, out=out)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([1, 2], r"x: expected a NumPy array or one on a CUDA device, not list \[1, 2\]"),
        (5, "x: expected a NumPy array .*, not int 5"),
        (np.zeros(2, complex), "x: there is no reduction of complex128 elements; it is one of"),
        (np.zeros(2, ">f4"), "x: there is no reduction of >f4 elements"),
        (np.array(["a"]), "x: there is no reduction of <U1 elements"),
        (np.ma.masked_array([1.0, 2.0]), "x: expected a NumPy array .*, not MaskedArray"),
    ],
    ids=str,
)
def test_what_is_no_array_of_numbers_is_refused(x, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        pto.sum(x)


def test_elements_that_lie_between_elements_of_memory():
    x = np.ones(4, np.dtype([("a", np.float32), ("b", np.int16)]))["a"]
    assert x.strides == (6,) and pto.sum(x) == 4


@pytest.mark.parametrize("operation", ["max", "min"])
def test_nothing_has_no_extreme(operation):
    with pytest.raises(ValueError, match="x: zero-size array to reduction operation m"):
        getattr(pto, operation)(np.zeros((0, 3)))
