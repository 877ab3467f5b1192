"""Column reductions: strict left folds, rounded at each step."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pto.dtypes import DTYPES
from pto.errors import DeviceAssertion

FLOATS = ["f16", "bf16", "f32", "f64"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize(
    ("op", "row"),
    [
        ("tcolprod", [6, 0, 8]),
        ("tcolsum", [6, 4, 6]),
        ("tcolmax", [3, 3, 2]),
        ("tcolmin", [1, 0, 2]),
    ],
)
def test_every_type_in_both_forms(reduce, form, op, row, element):
    assert reduce(op, element, [[1, 3, 2], [2, 1, 2], [3, 0, 2]], form).tolist() == row


@pytest.mark.parametrize("element", FLOATS + SIGNED)
def test_negative_elements(reduce, element):
    column = [[-2], [3], [-1]]
    assert reduce("tcolprod", element, column) == [6]
    assert reduce("tcolsum", element, column) == [0]
    assert reduce("tcolmax", element, column) == [3]
    assert reduce("tcolmin", element, column) == [-2]


# ---- order and rounding


def test_sum_is_a_left_fold(reduce):
    # Pairwise: (2**24 + 1) + (1 + 1) = 2**24 + 2.
    assert reduce("tcolsum", "f32", [[2**24], [1], [1], [1]]) == [2**24]
    assert reduce("tcolsum", "f32", [[1], [1], [1], [2**24]]) == [2**24 + 4]


def test_product_is_a_left_fold(reduce):
    # From the right, 1e30 * 1e-30 comes first and nothing overflows.
    assert reduce("tcolprod", "f32", [[1e30], [1e30], [1e-30]]) == [np.inf]


@pytest.mark.parametrize(("element", "limit"), [("f16", 2048), ("bf16", 256)])
def test_narrow_sums_round_to_the_element_at_each_step(reduce, element, limit):
    assert reduce("tcolsum", element, [[limit], [1], [1]]) == [limit]


def test_a_reduction_that_may_be_reassociated_is_a_left_fold_too(reduce, form):
    column = [[2**24], [1], [1], [1]]
    assert reduce("tcolsum", "f32", column, form, flags="fastmath<reassoc>") == [2**24]


def test_narrow_products_round_to_the_element_at_each_step(reduce):
    # The cube is 1.1218..., whose nearest bf16 is 1.125.
    assert reduce("tcolprod", "bf16", [[1.0390625]] * 3) == [1.1171875]
    # Rounded only at the end, 4 * 65504 / 8 would be finite in f16.
    assert reduce("tcolprod", "f16", [[65504], [4], [0.125]]) == [np.inf]


# ---- special values


def test_products_and_sums_of_special_values(reduce):
    columns = np.array([[np.inf, np.inf, np.nan], [0, -1, 1]])
    np.testing.assert_array_equal(reduce("tcolprod", "f32", columns), [np.nan, -np.inf, np.nan])
    columns = np.array([[np.inf, np.inf, np.nan], [-np.inf, 1, 1]])
    np.testing.assert_array_equal(reduce("tcolsum", "f32", columns), [np.nan, np.inf, np.nan])


def test_a_sum_starts_from_positive_zero(reduce):
    assert not np.signbit(reduce("tcolsum", "f32", [[-0.0], [-0.0]]))[0]


def test_a_product_keeps_the_sign_of_zero(reduce):
    signs = np.signbit(reduce("tcolprod", "f32", [[-0.0, -0.0], [1, -1]]))
    assert signs.tolist() == [True, False]


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("op", ["tcolmax", "tcolmin"])
def test_nan_loses_against_a_number(reduce, op, element):
    columns = [[np.nan, 1, np.nan], [1, np.nan, np.nan]]
    np.testing.assert_array_equal(
        reduce(op, element, columns).astype(np.float64), [1, 1, np.nan], strict=True
    )


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(("op", "negative"), [("tcolmax", False), ("tcolmin", True)])
def test_negative_zero_is_less_than_positive_zero(reduce, op, negative, element):
    signs = np.signbit(reduce(op, element, [[-0.0, 0.0], [0.0, -0.0]]))
    assert signs.tolist() == [negative, negative]


@pytest.mark.parametrize("element", FLOATS)
def test_infinities_are_ordered(reduce, element):
    columns = [[-np.inf, 0], [0, np.inf], [np.inf, -np.inf]]
    assert reduce("tcolmax", element, columns).tolist() == [np.inf, np.inf]
    assert reduce("tcolmin", element, columns).tolist() == [-np.inf, -np.inf]


# ---- integers


@pytest.mark.parametrize("element", SIGNED + UNSIGNED)
@pytest.mark.filterwarnings("error")
def test_integers_wrap_at_the_element_width(reduce, element):
    limits = np.iinfo(DTYPES[element])
    assert reduce("tcolsum", element, [[limits.max], [1]]) == [limits.min]
    doubled = -2 if limits.min < 0 else limits.max - 1
    assert reduce("tcolprod", element, [[limits.max], [2]]) == [doubled]


def test_unsigned_order_is_not_signed_order(reduce):
    assert reduce("tcolmax", "ui8", [[200], [1]]) == [200]
    assert reduce("tcolmax", "i8", [[-56], [1]]) == [1]


# ---- valid regions


@pytest.mark.parametrize("op", ["tcolprod", "tcolsum", "tcolmax", "tcolmin"])
def test_no_valid_rows_writes_nothing(reduce, form, op):
    assert reduce(op, "ui8", np.empty((0, 3)), form).tolist() == [0xCB] * 3


def test_no_valid_columns_writes_nothing(reduce, form):
    assert reduce("tcolprod", "ui8", np.empty((3, 0)), form).size == 0


SHAPES = """
pto.kernel @k(%x: !pto.tensor_view<4x4xi32>, %y: !pto.tensor_view<4x4xi32>,
              %m: index, %n: index, %dm: index, %dn: index) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<4x4xi32>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<4x4xi32>
  %s = alloc_tile valid_row = %c4 valid_col = %c4 : !pto.tile_buf<vec, 4x4xi32, valid=?x?>
  %d = alloc_tile valid_row = %c4 valid_col = %c4 : !pto.tile_buf<vec, 4x4xi32, valid=?x?{pad}>
  tload ins(%w : !pto.partition_tensor_view<4x4xi32>)
        outs(%s : !pto.tile_buf<vec, 4x4xi32, valid=?x?>)
  tload ins(%o : !pto.partition_tensor_view<4x4xi32>)
        outs(%d : !pto.tile_buf<vec, 4x4xi32, valid=?x?{pad}>)
  set_validshape %s, %m, %n
  set_validshape %d, %dm, %dn
  tcolsum ins(%s : !pto.tile_buf<vec, 4x4xi32, valid=?x?>)
          outs(%d : !pto.tile_buf<vec, 4x4xi32, valid=?x?{pad}>)
  set_validshape %d, %c4, %c4
  tstore ins(%d : !pto.tile_buf<vec, 4x4xi32, valid=?x?{pad}>)
         outs(%o : !pto.partition_tensor_view<4x4xi32>)
}}"""


@pytest.fixture
def matrices():
    return np.arange(16, dtype=np.int32).reshape(4, 4), np.full((4, 4), 7, np.int32)


def test_outside_the_valid_region_the_destination_keeps_what_it_had(run, matrices):
    source, result = matrices
    run(SHAPES.format(pad=""), source, result, 2, 3, 1, 3)
    assert result.tolist() == [[4, 6, 8, 7]] + [[7] * 4] * 3


@pytest.mark.parametrize(("pad", "value"), [(1, 0), (2, 2**31 - 1), (3, -(2**31))])
def test_outside_the_valid_region_a_pad_value_is_written(run, matrices, pad, value):
    source, result = matrices
    run(SHAPES.format(pad=f", pad={pad}"), source, result, 2, 3, 1, 3)
    assert result.tolist() == [[4, 6, 8, value]] + [[value] * 4] * 3


def test_an_empty_region_writes_no_pad_value(run, matrices):
    source, result = matrices
    run(SHAPES.format(pad=", pad=1"), source, result, 0, 3, 1, 3)
    assert result.tolist() == [[7] * 4] * 4


def test_differing_valid_columns_are_named(run, matrices):
    text = r"^-:18:3: 'pto.tcolsum' op valid columns differ: source 3, destination 4$"
    with pytest.raises(DeviceAssertion, match=text):
        run(SHAPES.format(pad=""), *matrices, 2, 3, 1, 4)


@pytest.mark.parametrize("rows", [0, 2])
def test_a_destination_without_exactly_one_row_is_named(run, matrices, rows):
    text = f"'pto.tcolsum' op destination must have 1 valid row, not {rows}$"
    with pytest.raises(DeviceAssertion, match=text):
        run(SHAPES.format(pad=""), *matrices, 2, 3, rows, 3)


# ---- properties: the same fold in exact arithmetic

FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}
"""Bits of the significand, and the exponent of the least normal number."""


def rounded(value: Fraction, element: str) -> Fraction:
    """`value` to the nearest number of a format without an upper limit, ties to even."""
    precision, least = FORMATS[element]
    if not value:
        return value
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - precision + 1)
    return round(value / unit) * unit


def matrices_of(element: str):
    dtype = DTYPES[element]
    shape = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)
    if dtype.kind in "iu":
        return hnp.arrays(dtype, shape)
    numbers = st.floats(-8, 8, width=16 if element == "f16" else 32)
    return hnp.arrays(np.float64, shape, elements=numbers).map(lambda array: array.astype(dtype))


@pytest.mark.parametrize("op", ["tcolprod", "tcolsum"])
@pytest.mark.parametrize("element", FLOATS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_float_folds_equal_exact_arithmetic_rounded_at_each_step(reduce, data, element, op):
    source = data.draw(matrices_of(element))
    result = reduce(op, element, source)
    assume(np.isfinite(result.astype(np.float64)).all())
    for column, got in zip(source.T, result, strict=True):
        expected = Fraction(int(op == "tcolprod"))
        for value in map(Fraction, map(float, column)):
            exact = expected * value if op == "tcolprod" else expected + value
            expected = rounded(exact, element)
        assert Fraction(float(got)) == expected


@pytest.mark.parametrize("op", ["tcolprod", "tcolsum"])
@pytest.mark.parametrize("element", SIGNED + UNSIGNED)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_integer_folds_equal_unbounded_arithmetic_modulo_the_width(reduce, data, element, op):
    source = data.draw(matrices_of(element))
    modulus = 2 ** (8 * source.itemsize)
    for column, got in zip(source.T.tolist(), reduce(op, element, source).tolist(), strict=True):
        expected = int(op == "tcolprod")
        for value in column:
            expected = expected * value if op == "tcolprod" else expected + value
        assert (got - expected) % modulus == 0


@pytest.mark.parametrize("element", DTYPES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_extremes_are_those_of_python(reduce, data, element):
    source = data.draw(matrices_of(element))
    columns = source.astype(object).T.tolist()
    assert reduce("tcolmax", element, source).tolist() == [max(column) for column in columns]
    assert reduce("tcolmin", element, source).tolist() == [min(column) for column in columns]
