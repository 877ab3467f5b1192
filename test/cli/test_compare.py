"""What `--check` takes as equal."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from pto.cli.check import compare, reassociates, tolerance
from pto.dtypes import DTYPES


def f32(*values):
    return np.array(values, np.float32)


@given(hnp.arrays(np.float32, hnp.array_shapes()))
def test_an_array_is_bit_equal_to_its_copy(array):
    result = compare(array, array.copy())
    assert (result.wrong, result.bit_equal) == (None, True)
    assert (result.absolute, result.relative) == (0, 0)


@pytest.mark.parametrize("name", DTYPES)
def test_one_wrong_element_is_found(name):
    expected = np.arange(1, 13).reshape(3, 4).astype(DTYPES[name])
    got = expected.copy()
    got[1, 2] += 1
    result = compare(got, expected)
    assert result.wrong == (1, 2)
    assert (result.absolute, result.relative) == (1, 1 / 7)


def test_the_last_bit_counts():
    assert compare(np.nextafter(f32(1), f32(2)), f32(1)).wrong == (0,)


def test_zeros_of_different_sign_differ():
    result = compare(f32(0.0), f32(-0.0))
    assert (result.wrong, result.bit_equal, result.absolute) == ((0,), False, 0)


def test_nans_of_different_payload_are_equal():
    quiet, other = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)
    assert compare(np.array([quiet]), np.array([other])).bit_equal


@pytest.mark.parametrize("pair", [(np.nan, 1), (1, np.nan), (np.inf, 1), (np.inf, -np.inf)])
def test_error_of_what_is_not_finite_is_infinite(pair):
    result = compare(f32(pair[0]), f32(pair[1]))
    assert (result.wrong, result.absolute) == ((0,), np.inf)


def test_empty_arrays_are_equal():
    assert compare(f32(), f32()).bit_equal


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64"])
def test_an_open_order_allows_one_eps_per_step(name):
    dtype = DTYPES[name]
    eps = float(ml_dtypes.finfo(dtype).eps)
    expected = np.ones(1, dtype)
    assert tolerance(dtype, 4) == 4 * eps
    assert compare(np.array([1 + 4 * eps], dtype), expected, 4).wrong is None
    assert compare(np.array([1 + 5 * eps], dtype), expected, 4).wrong == (0,)
    assert compare(np.array([1 + 4 * eps], dtype), expected).wrong == (0,)


def test_an_open_order_allows_no_error_of_integers():
    assert compare(np.array([100]), np.array([101]), 1000).wrong == (0,)


@pytest.mark.parametrize(
    ("text", "open_order"),
    [
        ("%d = tcolprod %s fastmath<reassoc> : !pto.tile<4x4xf32>", True),
        ("{fastmath = #arith.fastmath<nnan,reassoc>}", True),
        ("%d = tcolprod %s fastmath<nnan> : !pto.tile<4x4xf32>", False),
        ("// fastmath<reassoc> would be quicker", False),
    ],
)
def test_whether_a_program_leaves_the_order_open(tmp_path, text, open_order):
    (tmp_path / "k.pto").write_text(text)
    assert reassociates(tmp_path / "k.pto") == open_order
