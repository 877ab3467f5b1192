"""Windows of views of rank 1 to 5, row-major and column-major: reference = simulator = numpy."""

import itertools

import numpy as np
import pytest

from pto import compiler
from pto.errors import CompileError


def program(
    shape: tuple[int, ...], sizes: tuple[int, ...], rows: int, columns: int, is_static: bool = True
) -> str:
    """A kernel that adds 1 to the window of `sizes` at `offsets` of a view; where the type of the
    window does not say the sizes, constants do."""
    unknown = "x".join(["?"] * len(shape))
    view = f"!pto.tensor_view<{unknown}xi32>"
    known = "x".join(map(str, sizes)) if is_static else unknown
    window = f"!pto.partition_tensor_view<{known}xi32>"
    tile = f"!pto.tile<{rows}x{columns}xi32>"
    numbers = sorted({*sizes})
    constants = "\n".join(f"  %c{n} = arith.constant {n} : index" for n in numbers)
    offsets = [f"%i{dim}" for dim in range(len(shape))]
    arguments = ", ".join(f"{offset}: index" for offset in offsets)
    return f"""
pto.kernel @k(%x: {view}, {arguments}) attributes {{pto.grid = 1}} {{
{constants}
  %one = arith.constant 1 : i32
  %w = partition_view %x, offsets = [{", ".join(offsets)}],
       sizes = [{", ".join(f"%c{size}" for size in sizes)}] : {view} -> {window}
  %t = tload %w : {window} -> {tile}
  %u = tadds %t, %one : {tile}, i32 -> {tile}
  tstore %u, %w : {tile}, {window}
}}"""


def check(
    x: np.ndarray,
    offsets: tuple[int, ...],
    sizes: tuple[int, ...],
    rows: int,
    columns: int,
    is_static: bool = True,
) -> None:
    """The window of `x` is one more, on the reference and on the simulator."""
    text = program(x.shape, sizes, rows, columns, is_static)
    expected = x.copy(order="K")
    expected[tuple(slice(at, at + n) for at, n in zip(offsets, sizes, strict=True))] += 1
    reference, found = x.copy(order="K"), x.copy(order="K")
    compiler.reference(text, kernel=None, arguments=[reference, *offsets], grid=1)
    compiler.compile(text)(found, *offsets)
    assert (reference == expected).all()
    assert (found == expected).all()


def places(rank: int) -> list[tuple[int, ...]]:
    """Where the two dimensions that are not 1 may be."""
    return list(itertools.combinations(range(rank), 2))


@pytest.mark.parametrize("is_static", [True, False])
@pytest.mark.parametrize(
    "kept",
    [
        at
        for rank in (2, 3, 4, 5)
        for at in [(rank, *places(rank)[i]) for i in range(len(places(rank)))]
    ],
    ids=str,
)
def test_unit_dimensions_are_no_dimensions(kept: tuple[int, int, int], is_static: bool) -> None:
    rank, row, column = kept
    sizes = tuple({row: 3, column: 8}.get(dim, 1) for dim in range(rank))
    x = np.arange(np.prod([size + 2 for size in sizes]), dtype=np.int32)
    x = x.reshape([size + 2 for size in sizes])
    check(x, (1,) * rank, sizes, 3, 8, is_static)


def test_a_window_of_rank_1_is_a_row() -> None:
    check(np.arange(20, dtype=np.int32), (3,), (9,), 1, 9)


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_a_window_of_one_element(rank: int) -> None:
    x = np.arange(3**rank, dtype=np.int32).reshape((3,) * rank)
    check(x, (2,) * rank, (1,) * rank, 1, 1)


@pytest.mark.parametrize("rank", [2, 3, 4, 5])
@pytest.mark.parametrize("shape", [(4, 8), (16, 1), (1, 16), (7, 33)])
def test_column_major_arrays(rank: int, shape: tuple[int, int]) -> None:
    sizes = (1,) * (rank - 2) + shape
    whole = [size + 1 for size in sizes]
    x = np.arange(np.prod(whole), dtype=np.int32).reshape(whole, order="F")
    assert x.strides[0] == 4
    check(x, (1,) * rank, sizes, *shape)


COLUMN_MAJOR = """
pto.kernel @k(%x: !pto.ptr<TYPE>, %y: !pto.ptr<TYPE>, %m: index, %n: index, %r: index, %s: index)
    attributes {pto.grid = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = make_tensor_view %x, shape = [%m, %n], strides = [%c1, %m] {layout = #pto.layout<dn>}
     : !pto.tensor_view<?x?xTYPE>
  %u = make_tensor_view %y, shape = [%m, %n] strides = [%n, %c1] : !pto.tensor_view<?x?xTYPE>
  %w = partition_view %v, offsets = [%c1, %c0], sizes = [%r, %s]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<?x?xTYPE>
  %o = partition_view %u, offsets = [%c0, %c1], sizes = [%r, %s]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<?x?xTYPE>
  %t = tload %w : !pto.partition_tensor_view<?x?xTYPE> -> !pto.tile<32x32xTYPE, valid=?x?>
  tstore %t, %o : !pto.tile<32x32xTYPE, valid=?x?>, !pto.partition_tensor_view<?x?xTYPE>
  tstore %t, %w : !pto.tile<32x32xTYPE, valid=?x?>, !pto.partition_tensor_view<?x?xTYPE>
}"""


@pytest.mark.parametrize("dtype", ["i8", "f16", "f32", "i64"])
@pytest.mark.parametrize("shape", [(32, 32), (17, 5), (2, 31)])
def test_a_column_major_view_becomes_row_major(dtype: str, shape: tuple[int, int]) -> None:
    kind = {"i8": np.int8, "f16": np.float16, "f32": np.float32, "i64": np.int64}[dtype]
    rows, columns = shape
    x = (np.arange(rows * columns) % 100).astype(kind)
    text = COLUMN_MAJOR.replace("TYPE", dtype)
    numbers = (rows, columns, rows - 1, columns - 1)
    expected = np.zeros(shape, kind)
    expected[:-1, 1:] = x.reshape(shape, order="F")[1:, :-1]
    reference, found = np.zeros_like(expected), np.zeros_like(expected)
    compiler.reference(text, kernel=None, arguments=[x.copy(), reference, *numbers], grid=1)
    compiler.compile(text)(x.copy(), found, *numbers)
    assert (reference == expected).all()
    assert (found == expected).all()


def test_two_dimensions_too_many_are_named() -> None:
    text = program((2, 4, 1, 8), (2, 4, 1, 8), 4, 8)
    with pytest.raises(CompileError) as error:
        compiler.compile(text)
    assert str(error.value).endswith(
        "error: 'pto.tload' op takes a window with at most 2 dimensions other than 1; of this one "
        "dimension 0 is 2, dimension 1 is 4, dimension 3 is 8"
    )
