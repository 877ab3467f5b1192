"""What a kernel accepts for each kind of argument, and what it says to everything else."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pto.dtypes import DTYPES
from pto.errors import LaunchError
from pto.runtime import Argument
from pto.runtime.arguments import bind, check_grid, flatten

VIEW = Argument("x", "view", "f32", (None, 16))
POINTER = Argument("x", "ptr", "f32")


def refusal(argument, value):
    """The message with which `value` is refused."""
    with pytest.raises(LaunchError) as caught:
        bind("k", [argument], [value])
    message = str(caught.value)
    assert message.startswith("kernel 'k', argument 'x': ")
    return message


def f32(*shape):
    return np.zeros(shape, np.float32)


def test_wrong_count_lists_what_the_kernel_takes():
    with pytest.raises(LaunchError, match=r"takes 2 arguments \(x: \?x16xf32, n: index\), not 1"):
        bind("k", [VIEW, Argument("n", "scalar", "index")], [f32(3, 16)])


def test_wrong_dtype_names_both():
    assert "type f32, got f64" in refusal(VIEW, np.zeros((3, 16)))


def test_an_element_type_that_no_tile_has_is_named_as_numpy_does():
    assert "type f32, got complex64" in refusal(VIEW, np.zeros((3, 16), np.complex64))


def test_signed_and_unsigned_are_different_types():
    assert "type i32, got ui32" in refusal(Argument("x", "ptr", "i32"), np.zeros(3, np.uint32))


def test_a_foreign_byte_order_is_a_different_type():
    assert "type f32, got >f4" in refusal(POINTER, np.zeros(3, ">f4"))


def test_wrong_rank_names_both():
    assert "expected 2 dimensions (?x16xf32), got 1 (16xf32)" in refusal(VIEW, f32(16))


def test_wrong_static_size_names_the_dimension():
    message = refusal(VIEW, f32(3, 17))
    assert "expected size 16 in dimension 1 (?x16xf32), got 17 (3x17xf32)" in message


def test_a_view_takes_any_strides():
    bind("k", [VIEW], [f32(16, 6).T[::-2]])


def test_stride_of_half_an_element_is_refused():
    packed = np.zeros(3, np.dtype([("tag", np.int8), ("value", np.float32, 16)]))["value"]
    assert "stride of dimension 0 is 65 bytes" in refusal(VIEW, packed)


def test_a_pointer_takes_any_contiguous_shape():
    bind("k", [POINTER], [f32(2, 1, 3)])
    bind("k", [POINTER], [f32(0, 5)])


def test_a_pointer_to_an_array_with_gaps_is_refused():
    message = refusal(POINTER, f32(4, 6)[:, :3])
    assert "row-major array without gaps" in message
    assert "strides of (24, 4) bytes" in message


def test_misaligned_array_is_refused():
    misaligned = np.zeros(17, np.uint8)[1:].view(np.float32)
    assert "not a multiple of its element size, 4 bytes" in refusal(POINTER, misaligned)


def test_read_only_array_is_refused():
    array = f32(4)
    array.flags.writeable = False
    assert "read-only" in refusal(POINTER, array)


@pytest.mark.parametrize("value", [None, 3, [1.0, 2.0], np.float32(1)])
def test_what_is_no_array_is_refused(value):
    message = refusal(POINTER, value)
    assert "expected an array for ptr<f32> (a NumPy array, or one on a CUDA device)" in message
    assert f"got {type(value).__name__}" in message


@given(st.data(), st.sampled_from([*DTYPES, "index"]))
def test_a_python_number_becomes_the_type_of_the_parameter(data, name):
    dtype = DTYPES["i64" if name == "index" else name]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        value = data.draw(st.integers(int(limits.min), int(limits.max)))
    else:
        value = data.draw(st.floats(-1e4, 1e4))
    (bound,) = bind("k", [Argument("x", "scalar", name)], [value])
    assert bound.dtype == dtype
    assert bound.tobytes() == np.array(value, dtype).tobytes()


@pytest.mark.parametrize("value", [-(2**31) - 1, 2**31])
def test_integer_out_of_range_names_the_range(value):
    message = refusal(Argument("x", "scalar", "i32"), value)
    assert f"{value} is no i32, whose values are -2147483648 to 2147483647" in message


def test_float_for_an_integer_is_refused():
    assert "expected an integer for index, got 1.0" in refusal(
        Argument("x", "scalar", "index"), 1.0
    )


def test_finite_float_that_would_become_infinite_is_refused():
    assert "1e+20 is too large for f16" in refusal(Argument("x", "scalar", "f16"), 1e20)


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_infinity_and_nan_are_floats(value):
    (bound,) = bind("k", [Argument("x", "scalar", "bf16")], [value])
    assert bound.dtype == ml_dtypes.bfloat16


def test_numpy_scalar_of_another_type_is_refused():
    message = refusal(Argument("x", "scalar", "index"), np.int32(5))
    assert "expected a scalar index, got i32" in message


def test_array_for_a_scalar_is_refused():
    assert "expected a scalar i32, got an array 3xi32" in refusal(
        Argument("x", "scalar", "i32"), np.zeros(3, np.int32)
    )


@given(
    hnp.arrays(np.int16, hnp.array_shapes(min_dims=2, max_dims=3)),
    st.data(),
)
def test_a_view_is_its_address_its_sizes_and_its_strides(array, data):
    part = data.draw(hnp.basic_indices(array.shape, allow_newaxis=False, allow_ellipsis=False))
    view = array[part]
    if not isinstance(view, np.ndarray) or view.ndim == 0:
        return
    argument = Argument("x", "view", "i16", (None,) * view.ndim)
    address, *rest = flatten([argument], bind("k", [argument], [view]), lambda _, a: a.address)
    assert address == view.__array_interface__["data"][0]
    assert rest[: view.ndim] == list(view.shape)
    assert rest[view.ndim :] == [stride // 2 for stride in view.strides]
    assert all(number.dtype == np.int64 for number in rest)


@pytest.mark.parametrize("grid", [0, -1, 2**31])
def test_grid_out_of_range_is_refused(grid):
    with pytest.raises(LaunchError, match=f"1 to 2147483647 CTAs, not {grid}"):
        check_grid("k", grid, 1)


def test_grid_that_is_no_integer_is_refused():
    with pytest.raises(LaunchError, match=r"number of CTAs, not 2\.5"):
        check_grid("k", 2.5, 1)


def test_a_grid_of_partial_clusters_is_refused():
    with pytest.raises(LaunchError, match="a grid of 6 CTAs is not made of whole clusters of 4"):
        check_grid("k", 6, 4)


def test_another_grid_than_the_known_one_is_refused():
    assert check_grid("k", 6, 1, only=6) == 6
    with pytest.raises(LaunchError, match="a grid of 5 CTAs, but its known_grid_size is 6"):
        check_grid("k", 5, 1, only=6)
