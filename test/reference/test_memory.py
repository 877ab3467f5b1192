"""Loads and stores: windows of global memory and the valid regions of tiles."""

import numpy as np
import pytest

from pto.dtypes import DTYPES
from pto.errors import DeviceAssertion
from pto.reference.memory import kept_dimensions

COPY = """
pto.kernel @k(%x: !pto.tensor_view<?x?xTYPE>, %y: !pto.tensor_view<?x?xTYPE>) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<4x4xTYPE>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<4x4xTYPE>
{body}
}}"""

VALUES = """
  %t = tload %w : !pto.partition_tensor_view<4x4xTYPE> -> !pto.tile<4x4xTYPE>
  tstore %t, %o : !pto.tile<4x4xTYPE>, !pto.partition_tensor_view<4x4xTYPE>"""

BUFFERS = """
  %t = alloc_tile : !pto.tile_buf<vec, 4x4xTYPE>
  tload ins(%w : !pto.partition_tensor_view<4x4xTYPE>) outs(%t : !pto.tile_buf<vec, 4x4xTYPE>)
  tstore ins(%t : !pto.tile_buf<vec, 4x4xTYPE>) outs(%o : !pto.partition_tensor_view<4x4xTYPE>)"""


def matrix(element="f32"):
    return np.arange(16).reshape(4, 4).astype(DTYPES[element])


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("body", [VALUES, BUFFERS], ids=["values", "buffers"])
def test_a_copy_of_every_type_in_both_forms(run, body, element):
    source = matrix(element)
    result = np.zeros_like(source)
    run(COPY.format(body=body).replace("TYPE", element), source, result)
    np.testing.assert_array_equal(result, source, strict=True)


def test_a_copy_keeps_nan_payloads(run):
    source = (np.arange(16, dtype=np.uint32) | 0xFF800001).view(np.float32).reshape(4, 4)
    result = np.zeros_like(source)
    run(COPY.format(body=VALUES).replace("TYPE", "f32"), source, result)
    np.testing.assert_array_equal(result.view(np.uint32), source.view(np.uint32))


def test_strided_arrays_are_read_and_written_in_place(run):
    source, wide = matrix(), np.zeros((8, 8), np.float32)
    run(COPY.format(body=VALUES).replace("TYPE", "f32"), source.T, wide[::2, 1::2])
    np.testing.assert_array_equal(wide[::2, 1::2], source.T)
    assert wide[1::2].any() == wide[:, ::2].any() == 0


def test_storing_to_a_read_only_array_is_a_fault(run):
    result = np.zeros((4, 4), np.float32)
    result.flags.writeable = False
    text = r"^-:11:3: 'pto.tstore' op writes to an array that is read-only$"
    with pytest.raises(DeviceAssertion, match=text):
        run(COPY.format(body=VALUES).replace("TYPE", "f32"), matrix(), result)


# ---- valid regions

PARTS = """
pto.kernel @k(%x: !pto.tensor_view<4x4xTYPE>, %y: !pto.tensor_view<4x4xTYPE>,
              %m: index, %n: index, %tm: index, %tn: index) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %all = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<4x4xTYPE> -> !pto.partition_tensor_view<4x4xTYPE>
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%m, %n]
     : !pto.tensor_view<4x4xTYPE> -> !pto.partition_tensor_view<?x?xTYPE>
  %t = alloc_tile valid_row = %c4 valid_col = %c4 : !pto.tile_buf<vec, 4x4xTYPE, valid=?x?{pad}>
  tload ins(%all : !pto.partition_tensor_view<4x4xTYPE>)
        outs(%t : !pto.tile_buf<vec, 4x4xTYPE, valid=?x?{pad}>)
  set_validshape %t, %tm, %tn
  tload ins(%w : !pto.partition_tensor_view<?x?xTYPE>)
        outs(%t : !pto.tile_buf<vec, 4x4xTYPE, valid=?x?{pad}>)
  set_validshape %t, %c4, %c4
  tstore ins(%t : !pto.tile_buf<vec, 4x4xTYPE, valid=?x?{pad}>)
         outs(%all : !pto.partition_tensor_view<4x4xTYPE>)
}}"""


def load_part(run, element, rows, cols, pad=0, tile=None):
    """The 4x4 tile, first full of 77, after a load of `rows` by `cols` elements."""
    result = np.full((4, 4), 77, DTYPES[element])
    text = PARTS.format(pad=f", pad={pad}" if pad else "").replace("TYPE", element)
    run(text, matrix(element), result, rows, cols, *(tile or (rows, cols)))
    return result


def test_a_load_keeps_what_is_outside_the_valid_region(run):
    expected = [[0, 1, 2, 77], [4, 5, 6, 77], [77] * 4, [77] * 4]
    assert load_part(run, "i32", 2, 3).tolist() == expected


LARGEST = {
    "f16": np.inf,
    "bf16": np.inf,
    "f32": np.inf,
    "f64": np.inf,
    "i8": 2**7 - 1,
    "i16": 2**15 - 1,
    "i32": 2**31 - 1,
    "i64": 2**63 - 1,
    "ui8": 2**8 - 1,
    "ui16": 2**16 - 1,
    "ui32": 2**32 - 1,
    "ui64": 2**64 - 1,
}


@pytest.mark.parametrize("element", DTYPES)
def test_a_load_writes_the_pad_value_outside_the_valid_region(run, element):
    largest = LARGEST[element]
    smallest = 0 if element.startswith("u") else -largest - (element[0] == "i")
    for pad, value in [(1, 0), (2, largest), (3, smallest)]:
        expected = [[0, 1, 2, value], [4, 5, 6, value], [value] * 4, [value] * 4]
        assert load_part(run, element, 2, 3, pad).tolist() == expected


@pytest.mark.parametrize(("rows", "cols"), [(0, 4), (4, 0), (0, 0)])
def test_an_empty_load_writes_nothing(run, rows, cols):
    assert (load_part(run, "i32", rows, cols, pad=1) == 77).all()


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        ((3, 3), "the window has 2 rows, the tile's valid region 3"),
        ((2, 4), "the window has 3 columns, the tile's valid region 4"),
    ],
)
def test_a_window_that_is_not_the_valid_region_names_both_sizes(run, tile, text):
    with pytest.raises(DeviceAssertion, match=rf"^-:14:3: 'pto.tload' op {text}$"):
        load_part(run, "f32", 2, 3, tile=tile)


def test_a_store_that_is_not_the_valid_region_names_both_sizes(run):
    body = """
  %c2 = arith.constant 2 : index
  %t = alloc_tile valid_row = %c2 valid_col = %c4 : !pto.tile_buf<vec, 4x4xf32, valid=?x?>
  tstore ins(%t : !pto.tile_buf<vec, 4x4xf32, valid=?x?>)
         outs(%o : !pto.partition_tensor_view<4x4xf32>)"""
    text = "'pto.tstore' op the window has 4 rows, the tile's valid region 2$"
    with pytest.raises(DeviceAssertion, match=text):
        run(COPY.format(body=body).replace("TYPE", "f32"), matrix(), matrix())


def test_a_loaded_value_that_exceeds_its_tile_names_the_size(run):
    body = """
  %v = partition_view %x, offsets = [%c0, %c0], sizes = [%m, %c4]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<?x4xTYPE>
  %t = tload %v : !pto.partition_tensor_view<?x4xTYPE> -> !pto.tile<2x4xTYPE, valid=?x4>"""
    text = COPY.format(body=body).replace("xTYPE>) {", "xTYPE>, %m: index) {")
    fault = "'pto.tload' op valid rows 3 are outside 0 to 2, the tile's size$"
    with pytest.raises(DeviceAssertion, match=fault):
        run(text.replace("TYPE", "f32"), matrix(), matrix(), 3)


# ---- windows of other ranks


@pytest.mark.parametrize(
    ("shape", "kept"),
    [
        ((16,), [0]),
        ((1, 16), [0, 1]),
        ((16, 1), [0, 1]),
        ((1, 1), [0, 1]),
        ((1, 8, 16), [1, 2]),
        ((1, 1, 16), [1, 2]),
        ((8, 1, 16), [0, 2]),
        ((8, 16, 1), [0, 1]),
        ((1, 8, 1, 16), [1, 3]),
        ((1, 1, 1, 1, 1), [3, 4]),
        ((1, None, 1, 16), [1, 3]),
        ((1, None, None), [1, 2]),
        ((1, 8, 1, 1, 1), [1, 4]),
    ],
)
def test_unit_dimensions_are_dropped(shape, kept):
    assert kept_dimensions(shape) == kept


def test_a_window_of_rank_4_fills_a_tile(run):
    text = """
pto.kernel @k(%x: !pto.tensor_view<2x3x2x4xf32>, %y: !pto.tensor_view<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %x, offsets = [%c1, %c0, %c1, %c0], sizes = [%c1, %c3, %c1, %c4]
     : !pto.tensor_view<2x3x2x4xf32> -> !pto.partition_tensor_view<1x3x1x4xf32>
  %t = tload %w : !pto.partition_tensor_view<1x3x1x4xf32> -> !pto.tile<3x4xf32>
  %d = tcolsum %t : !pto.tile<3x4xf32> -> !pto.tile<1x4xf32>
  %o = partition_view %y, offsets = [%c3], sizes = [%c4]
     : !pto.tensor_view<12xf32> -> !pto.partition_tensor_view<4xf32>
  tstore %d, %o : !pto.tile<1x4xf32>, !pto.partition_tensor_view<4xf32>
}"""
    source = np.arange(48, dtype=np.float32).reshape(2, 3, 2, 4)
    result = np.zeros(12, np.float32)
    run(text, source, result)
    np.testing.assert_array_equal(result[3:7], source[1, :, 1].sum(0))
    assert result[:3].any() == result[7:].any() == 0
