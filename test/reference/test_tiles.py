"""Storage, manual placement and valid regions of tiles."""

import numpy as np
import pytest

from pto.errors import DeviceAssertion

VIEWS = """
pto.kernel @k(%x: !pto.tensor_view<4x4xi32>, %y: !pto.tensor_view<4x4xi32>{arguments}) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<4x4xi32>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c4, %c4]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<4x4xi32>
{body}
}}"""

LOAD = """tload ins(%w : !pto.partition_tensor_view<4x4xi32>)
        outs({} : !pto.tile_buf<vec, 4x4xi32>)"""
STORE = """tstore ins({} : !pto.tile_buf<vec, 4x4xi32>)
        outs(%o : !pto.partition_tensor_view<4x4xi32>)"""

PATTERN = int.from_bytes(b"\xcb" * 4, "little", signed=True)


@pytest.fixture
def program(run):
    """`program(body, *values)`: what `body` stores in a 4x4 matrix when it loads 0, 1, ..., 15."""

    def program(body, *values, arguments=""):
        source = np.arange(16, dtype=np.int32).reshape(4, 4)
        result = np.zeros_like(source)
        run(VIEWS.format(arguments=arguments, body=body), source, result, *values)
        return result

    return program


# ---- storage


def test_elements_that_were_never_written_hold_a_pattern(program):
    body = "%t = alloc_tile : !pto.tile_buf<vec, 4x4xi32>\n" + STORE.format("%t")
    assert (program(body) == PATTERN).all()


def test_tiles_without_an_address_share_nothing(program):
    body = f"""
  %a = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  %b = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  {LOAD.format("%a")}
  {STORE.format("%b")}"""
    assert (program(body) == PATTERN).all()


@pytest.mark.parametrize("grid", [2])
def test_every_cta_has_its_own_bytes(run, grid):
    body = f"""
  %i = get_block_idx
  %first = arith.constant 0 : i64
  %is_first = arith.cmpi eq, %i, %first : i64
  %address = arith.constant 64 : i64
  %t = alloc_tile addr = %address : !pto.tile_buf<vec, 4x4xi32>
  scf.if %is_first {{
    {LOAD.format("%t").replace("tload", "pto.tload")}
  }} else {{
    {STORE.format("%t").replace("tstore", "pto.tstore")}
  }}"""
    source, result = np.ones((4, 4), np.int32), np.zeros((4, 4), np.int32)
    run(VIEWS.format(arguments="", body=body), source, result, grid=grid)
    assert (result == PATTERN).all()


# ---- manual placement


def test_handles_on_one_address_share_their_bytes(program):
    body = f"""
  %address = arith.constant 4096 : i64
  %a = alloc_tile addr = %address : !pto.tile_buf<vec, 4x4xi32>
  %b = alloc_tile addr = %address : !pto.tile_buf<vec, 4x4xi32>
  {LOAD.format("%a")}
  {STORE.format("%b")}"""
    assert program(body).ravel().tolist() == list(range(16))


def test_overlapping_handles_share_only_the_overlap(program):
    body = f"""
  %low = arith.constant 0 : i64
  %high = arith.constant 32 : i64
  %a = alloc_tile addr = %low : !pto.tile_buf<vec, 4x4xi32>
  %b = alloc_tile addr = %high : !pto.tile_buf<vec, 4x4xi32>
  {LOAD.format("%a")}
  {STORE.format("%b")}"""
    assert program(body).ravel().tolist() == [*range(8, 16), *[PATTERN] * 8]


def test_handles_of_other_types_see_the_same_bytes(run):
    text = """
pto.kernel @k(%x: !pto.tensor_view<1x4xf32>, %y: !pto.tensor_view<1x8xui16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%c1, %c4]
     : !pto.tensor_view<1x4xf32> -> !pto.partition_tensor_view<1x4xf32>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c8]
     : !pto.tensor_view<1x8xui16> -> !pto.partition_tensor_view<1x8xui16>
  %a = alloc_tile : !pto.tile_buf<vec, 1x4xf32>
  %b = alloc_tile : !pto.tile_buf<vec, 1x8xui16>
  pto.tassign %a, @tile(0x100)
  pto.tassign %b, @tile(0x100)
  tload ins(%w : !pto.partition_tensor_view<1x4xf32>) outs(%a : !pto.tile_buf<vec, 1x4xf32>)
  tstore ins(%b : !pto.tile_buf<vec, 1x8xui16>) outs(%o : !pto.partition_tensor_view<1x8xui16>)
}"""
    source = np.array([[1, -2, 0.5, np.inf]], np.float32)
    result = np.zeros((1, 8), np.uint16)
    run(text, source, result)
    assert result.tolist() == [[0, 0x3F80, 0, 0xC000, 0, 0x3F00, 0, 0x7F80]]


def test_a_reduction_may_write_over_its_source(program):
    body = f"""
  %a = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  %b = alloc_tile : !pto.tile_buf<vec, 1x4xi32>
  pto.tassign %a, @tile(0x1000)
  pto.tassign %b, @tile(0x1010)
  {LOAD.format("%a")}
  tcolsum ins(%a : !pto.tile_buf<vec, 4x4xi32>) outs(%b : !pto.tile_buf<vec, 1x4xi32>)
  {STORE.format("%a")}"""
    assert program(body).tolist()[1] == [24, 28, 32, 36]


def test_tassign_moves_a_value_that_was_computed(program):
    body = f"""
  %a = tload %w : !pto.partition_tensor_view<4x4xi32> -> !pto.tile<4x4xi32>
  pto.tassign %a, @tile(0x1000)
  %b = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  pto.tassign %b, @tile(0x1000)
  {STORE.format("%b")}"""
    assert program(body).ravel().tolist() == list(range(16))


def test_tassign_binds_a_buffer_to_the_bytes_at_the_address(program):
    body = f"""
  %a = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  {LOAD.format("%a")}
  pto.tassign %a, @tile(0x1000)
  {STORE.format("%a")}"""
    assert (program(body) == PATTERN).all()


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (-4, "needs 64 bytes at address -0x4, outside the 262144 bytes of space 'vec'"),
        (262144 - 60, "needs 64 bytes at address 0x3ffc4, outside the 262144 bytes of space 'vec'"),
        (6, "address 6 is not a multiple of the element's 4 bytes"),
    ],
)
def test_an_address_that_does_not_fit_is_named(program, address, text):
    body = "%t = alloc_tile addr = %a : !pto.tile_buf<vec, 4x4xi32>"
    with pytest.raises(DeviceAssertion, match=rf"^-:9:6: 'pto.alloc_tile' op {text}$"):
        program(body, address, arguments=", %a: i64")


def test_tassign_outside_the_space_is_named(program):
    body = """%t = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  pto.tassign %t, @tile(0x40000)"""
    with pytest.raises(DeviceAssertion, match=r"'pto.tassign' op needs 64 bytes at address 0x4"):
        program(body)


# ---- valid regions

INDICES = ", %m: index, %n: index"


def test_set_validshape_changes_the_region_from_then_on(program):
    body = """
  %t = alloc_tile valid_row = %c4 valid_col = %c4 : !pto.tile_buf<vec, 4x4xi32, valid=?x?>
  tload ins(%w : !pto.partition_tensor_view<4x4xi32>)
        outs(%t : !pto.tile_buf<vec, 4x4xi32, valid=?x?>)
  set_validshape %t, %m, %n
  %p = partition_view %y, offsets = [%c0, %c0], sizes = [%m, %n]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<?x?xi32>
  tstore ins(%t : !pto.tile_buf<vec, 4x4xi32, valid=?x?>)
         outs(%p : !pto.partition_tensor_view<?x?xi32>)"""
    expected = [[0, 1, 0, 0], [4, 5, 0, 0], [8, 9, 0, 0], [0] * 4]
    assert program(body, 3, 2, arguments=INDICES).tolist() == expected


INVALID = [
    ((-1, 4), "valid rows -1 are outside 0 to 4, the tile's size"),
    ((5, 4), "valid rows 5 are outside 0 to 4, the tile's size"),
    ((4, -1), "valid columns -1 are outside 0 to 4, the tile's size"),
    ((4, 5), "valid columns 5 are outside 0 to 4, the tile's size"),
]


@pytest.mark.parametrize(("valid", "text"), INVALID)
def test_an_allocated_valid_region_outside_the_tile_is_named(program, valid, text):
    body = "%t = alloc_tile valid_row = %m valid_col = %n : !pto.tile_buf<vec, 4x4xi32, valid=?x?>"
    with pytest.raises(DeviceAssertion, match=rf"^-:9:6: 'pto.alloc_tile' op {text}$"):
        program(body, *valid, arguments=INDICES)


@pytest.mark.parametrize(("valid", "text"), INVALID)
def test_a_changed_valid_region_outside_the_tile_is_named(program, valid, text):
    body = """
  %t = alloc_tile valid_row = %c4 valid_col = %c4 : !pto.tile_buf<vec, 4x4xi32, valid=?x?>
  set_validshape %t, %m, %n"""
    with pytest.raises(DeviceAssertion, match=rf"^-:11:3: 'pto.set_validshape' op {text}$"):
        program(body, *valid, arguments=INDICES)


# ---- tiles through control flow


def test_a_tile_value_is_carried_by_a_loop(run):
    text = """
pto.kernel @k(%x: !pto.tensor_view<?x4xi32>, %y: !pto.tensor_view<1x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = tensor_view_dim %x, 0 : !pto.tensor_view<?x4xi32>
  %w0 = partition_view %x, offsets = [%c0, %c0], sizes = [%c2, %c4]
     : !pto.tensor_view<?x4xi32> -> !pto.partition_tensor_view<2x4xi32>
  %t0 = tload %w0 : !pto.partition_tensor_view<2x4xi32> -> !pto.tile<2x4xi32>
  %first = tcolmax %t0 : !pto.tile<2x4xi32> -> !pto.tile<1x4xi32>
  %last = scf.for %i = %c2 to %m step %c2 iter_args(%kept = %first) -> (!pto.tile<1x4xi32>) {
    %w = pto.partition_view %x, offsets = [%i, %c0], sizes = [%c2, %c4]
       : !pto.tensor_view<?x4xi32> -> !pto.partition_tensor_view<2x4xi32>
    %t = pto.tload %w : !pto.partition_tensor_view<2x4xi32> -> !pto.tile<2x4xi32>
    %d = pto.tcolprod %t : !pto.tile<2x4xi32> -> !pto.tile<1x4xi32>
    scf.yield %d : !pto.tile<1x4xi32>
  }
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c4]
     : !pto.tensor_view<1x4xi32> -> !pto.partition_tensor_view<1x4xi32>
  tstore %last, %o : !pto.tile<1x4xi32>, !pto.partition_tensor_view<1x4xi32>
}"""
    source = np.arange(24, dtype=np.int32).reshape(6, 4)
    result = np.zeros((1, 4), np.int32)
    run(text, source, result)
    assert result.tolist() == [(source[4] * source[5]).tolist()]
    run(text, source[:2], result)
    assert result.tolist() == [source[1].tolist()]


def test_a_helper_function_works_on_the_tiles_of_its_caller(run):
    helper = """
func.func private @reduce(%s: !pto.tile_buf<vec, 4x4xi32>, %d: !pto.tile_buf<vec, 1x4xi32>) {
  pto.tcolsum ins(%s : !pto.tile_buf<vec, 4x4xi32>) outs(%d : !pto.tile_buf<vec, 1x4xi32>)
  return
}"""
    body = f"""
  %s = alloc_tile : !pto.tile_buf<vec, 4x4xi32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x4xi32>
  {LOAD.format("%s")}
  func.call @reduce(%s, %d) : (!pto.tile_buf<vec, 4x4xi32>, !pto.tile_buf<vec, 1x4xi32>) -> ()
  %c1 = arith.constant 1 : index
  %row = partition_view %y, offsets = [%c1, %c0], sizes = [%c1, %c4]
     : !pto.tensor_view<4x4xi32> -> !pto.partition_tensor_view<1x4xi32>
  tstore ins(%d : !pto.tile_buf<vec, 1x4xi32>) outs(%row : !pto.partition_tensor_view<1x4xi32>)"""
    source = np.arange(16, dtype=np.int32).reshape(4, 4)
    result = np.zeros_like(source)
    run(helper + VIEWS.format(arguments="", body=body), source, result)
    assert result.tolist() == [[0] * 4, [24, 28, 32, 36], [0] * 4, [0] * 4]
