"""Views of the array behind a pointer, and their windows."""

import numpy as np
import pytest

from pto.errors import DeviceAssertion

COPY = """
pto.kernel @k(%p: !pto.ptr<i32>, %y: !pto.tensor_view<2x2xi32>,
              %m: index, %n: index, %sm: index, %sn: index, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = make_tensor_view %p, shape = [%m, %n] strides = [%sm, %sn] : !pto.tensor_view<?x?xi32>
  %w = partition_view %v, offsets = [%i, %j], sizes = [%c2, %c2]
     : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2x2xi32>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c2, %c2]
     : !pto.tensor_view<2x2xi32> -> !pto.partition_tensor_view<2x2xi32>
  %t = tload %w : !pto.partition_tensor_view<2x2xi32> -> !pto.tile<2x2xi32>
  tstore %t, %o : !pto.tile<2x2xi32>, !pto.partition_tensor_view<2x2xi32>
}"""


@pytest.fixture
def window(run):
    """`window(shape, strides, offsets)`: the 2x2 window of a view of the array 0, 1, ..., 11."""

    def window(shape, strides, offsets):
        result = np.zeros((2, 2), np.int32)
        run(COPY, np.arange(12, dtype=np.int32), result, *shape, *strides, *offsets)
        return result.tolist()

    return window


def test_a_row_major_view(window):
    assert window((3, 4), (4, 1), (1, 2)) == [[6, 7], [10, 11]]


def test_a_column_major_view(window):
    assert window((4, 3), (1, 4), (2, 1)) == [[6, 10], [7, 11]]


def test_a_view_that_repeats_one_row(window):
    assert window((5, 4), (0, 1), (3, 1)) == [[1, 2], [1, 2]]


def test_a_pointer_sees_an_array_of_any_shape_flat(run):
    result = np.zeros((2, 2), np.int32)
    run(COPY, np.arange(12, dtype=np.int32).reshape(2, 3, 2), result, 3, 4, 4, 1, 0, 0)
    assert result.tolist() == [[0, 1], [4, 5]]


@pytest.mark.parametrize(
    ("shape", "strides", "text"),
    [
        ((3, 5), (4, 1), "reaches elements 0 to 12 of an array of 12 elements"),
        ((3, 4), (4, -1), "reaches elements -3 to 8 of an array of 12 elements"),
        ((-3, 4), (4, 1), r"shape\[0\] is negative: -3"),
    ],
)
def test_a_view_that_leaves_the_array_names_its_elements(window, shape, strides, text):
    with pytest.raises(DeviceAssertion, match=rf"^-:6:8: 'pto.make_tensor_view' op {text}$"):
        window(shape, strides, (0, 0))


@pytest.mark.parametrize(
    ("offsets", "text"),
    [
        ((-1, 0), r"offsets\[0\] is negative: -1"),
        ((0, -2), r"offsets\[1\] is negative: -2"),
        ((2, 0), "window 2 to 4 of dimension 0 leaves the view, whose size is 3"),
        ((0, 3), "window 3 to 5 of dimension 1 leaves the view, whose size is 4"),
    ],
)
def test_a_window_that_leaves_its_view_names_the_dimension(window, offsets, text):
    with pytest.raises(DeviceAssertion, match=rf"^-:7:8: 'pto.partition_view' op {text}$"):
        window((3, 4), (4, 1), offsets)


SIZES = """
func.func @f(%p: !pto.ptr<i32>, %m: index, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pto.make_tensor_view %p, shape = [%m, %c1], strides = [%c1, %c1] : !pto.tensor_view<?x1xi32>
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%n, %n]
     : !pto.tensor_view<?x1xi32> -> !pto.partition_tensor_view<?x1xi32>
  %d = pto.tensor_view_dim %v, 0 : !pto.tensor_view<?x1xi32>
  %e = pto.tensor_view_dim %v, 1 : !pto.tensor_view<?x1xi32>
  return %d, %e : index, index
}"""


def test_tensor_view_dim_is_the_size_at_run_time(evaluate):
    assert evaluate(SIZES, np.zeros(7, np.int32), 7, 1) == (7, 1)


def test_an_empty_view_reads_nothing(evaluate):
    text = SIZES.replace("sizes = [%n, %n]", "sizes = [%n, %c1]")
    assert evaluate(text, np.zeros(0, np.int32), 0, 0) == (0, 1)


def test_a_size_that_is_not_the_type_s_is_named(evaluate):
    text = r"'pto.partition_view' op sizes\[1\] is 2, but the type says 1$"
    with pytest.raises(DeviceAssertion, match=text):
        evaluate(SIZES, np.zeros(7, np.int32), 7, 2)


def test_a_negative_size_is_named(evaluate):
    text = r"'pto.partition_view' op sizes\[0\] is negative: -1$"
    with pytest.raises(DeviceAssertion, match=text):
        evaluate(SIZES, np.zeros(7, np.int32), 7, -1)
