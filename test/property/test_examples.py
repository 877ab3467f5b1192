"""The example programs: reference = simulator, bit for bit, for every element type and grid."""

import numpy as np
import pytest

import kernels
from pto import compiler
from pto.dtypes import DTYPES


def check(source: str, x: np.ndarray, grid: int) -> None:
    expected, found = (np.zeros((1, x.shape[1]), x.dtype) for _ in range(2))
    compiler.reference(source, kernel=None, arguments=[x, expected], grid=grid)
    compiler.compile(source)(x, found, grid=grid)
    assert kernels.same_bits(expected, found)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tcolprod(dtype: str) -> None:
    check(kernels.example("tcolprod.pto", dtype), kernels.values(dtype, (16, 16)), grid=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_colprod_grid(dtype: str) -> None:
    check(kernels.example("colprod_grid.pto", dtype), kernels.values(dtype, (131, 150)), grid=1)


@pytest.mark.parametrize("grid", [1, 2, 3, 7])
@pytest.mark.parametrize("shape", [(1000, 257), (1, 1), (64, 128), (65, 129), (3, 512)])
def test_any_shape_and_grid(shape: tuple[int, int], grid: int) -> None:
    check(kernels.example("colprod_grid.pto", "f32"), kernels.values("f32", shape), grid=grid)


def test_strided_and_offset_views() -> None:
    """Sizes and strides come from the array: rows apart, columns apart, an odd start."""
    whole = kernels.values("f32", (140, 700))
    for x in (whole[3:, 1:300], whole[::2, ::2], whole.T[:300], whole[:, 4:260]):
        check(kernels.example("colprod_grid.pto", "f32"), x, grid=2)
