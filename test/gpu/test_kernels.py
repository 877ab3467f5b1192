"""Reference = GPU, bit for bit. Without a CUDA device these tests are skipped."""

import subprocess
import sys

import numpy as np
import pytest

import kernels
from cuda_device import TARGET, cupy, on_device, to_host
from pto import compiler
from pto.dtypes import DTYPES


def check(source: str, x: np.ndarray, grid: int) -> None:
    expected = np.zeros((1, x.shape[1]), x.dtype)
    compiler.reference(source, kernel=None, arguments=[x, expected], grid=grid)
    kernel = compiler.compile(source, target=TARGET)
    result = on_device(np.zeros_like(expected))
    kernel(on_device(x), result, grid=grid)
    assert kernels.same_bits(expected, to_host(result, x.dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_tcolprod(dtype: str) -> None:
    check(kernels.example("tcolprod.pto", dtype), kernels.values(dtype, (16, 16)), grid=1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1000, 257), (131, 150), (1, 1), (64, 1024)])
def test_colprod_grid(dtype: str, shape: tuple[int, int]) -> None:
    check(kernels.example("colprod_grid.pto", dtype), kernels.values(dtype, shape), grid=3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", kernels.REDUCTIONS)
@pytest.mark.parametrize("dynamic", [False, True])
def test_reductions(op: str, dtype: str, dynamic: bool) -> None:
    source = kernels.reduction(op, dtype, (24, 40), (23, 37), dynamic=dynamic)
    check(source, kernels.values(dtype, (23, 37)), grid=1)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i32"])
def test_rows_split_over_threads(dtype: str) -> None:
    """Small whole numbers, whose products are exact in any order."""
    source = kernels.reduction("tcolsum", dtype, (48, 16), flags="fastmath<reassoc>")
    x = np.random.default_rng(0).integers(-2, 3, (48, 16)).astype(DTYPES[dtype])
    check(source, x, grid=1)


def test_strided_and_offset_views() -> None:
    whole = cupy.asarray(kernels.values("f32", (140, 700)))
    source = kernels.example("colprod_grid.pto", "f32")
    kernel = compiler.compile(source, target=TARGET)
    for x in (whole[3:, 1:300], whole[::2, ::2], whole.T[:300], whole[:, 4:260]):
        expected = np.zeros((1, x.shape[1]), np.float32)
        compiler.reference(source, kernel=None, arguments=[cupy.asnumpy(x), expected], grid=2)
        result = cupy.zeros_like(expected)
        kernel(x, result, grid=2)
        assert kernels.same_bits(expected, cupy.asnumpy(result))


def test_the_callers_stream_is_used() -> None:
    """Ordered after the fill on the same stream, without a synchronisation in between."""
    kernel = compiler.compile(kernels.example("colprod_grid.pto", "f32"), target=TARGET)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        x, result = cupy.empty((4096, 4096), np.float32), cupy.zeros((1, 4096), np.float32)
        x.fill(1)
        kernel(x, result, grid=32)
        stream.synchronize()
        assert (result == 1).all()


FAILING = """
import cupy, numpy, kernels
from pto import compiler
source = kernels.reduction("tcolprod", "f32", (8, 8), dynamic=True)
kernel = compiler.compile(source, target="{target}")
kernel(cupy.ones((9, 8), numpy.float32), cupy.ones((1, 8), numpy.float32))
cupy.cuda.Device().synchronize()
"""


def test_a_failed_check_stops_the_kernel_with_its_message() -> None:
    """In a process of its own: the context does not survive a device assertion."""
    done = subprocess.run(
        [sys.executable, "-c", FAILING.format(target=TARGET)],
        cwd=kernels.EXAMPLES.parent / "test",
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "valid rows are outside 0 to 8, the tile's size" in done.stdout + done.stderr
