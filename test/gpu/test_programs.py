"""Reference = GPU on random programs of tile ops, bit for bit where the ops are exact. Without a
CUDA device these tests are skipped.

`PTO_TEST_PROGRAMS` is the number of programs; other processes compile them.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from random_programs import Program, prepare

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)

PROGRAMS = int(os.environ.get("PTO_TEST_PROGRAMS", "1000"))
TARGET = {"90": "sm_90a", "100": "sm_100a", "120": "sm_120a"}.get(
    cupy.cuda.Device().compute_capability, "sm_80"
)


def on_device(array: np.ndarray) -> Any:
    """The array on the GPU; bf16, which CuPy lacks, as a PyTorch tensor."""
    if array.dtype == ml_dtypes.bfloat16:
        torch = pytest.importorskip("torch", reason="bf16 on the GPU needs PyTorch")
        return torch.from_numpy(array.view(np.int16)).cuda().view(torch.bfloat16)
    return cupy.asarray(array)


def to_host(array: Any, dtype: np.dtype) -> np.ndarray:
    if isinstance(array, cupy.ndarray):
        return cupy.asnumpy(array)
    import torch

    return array.view(torch.int16).cpu().numpy().view(dtype)


@pytest.fixture(scope="module")
def prepared() -> Iterator[list[Future[Any]]]:
    # A process that is forked while CUDA runs cannot go on.
    start = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=start) as pool:
        futures = [pool.submit(prepare, seed, TARGET) for seed in range(PROGRAMS)]
        yield futures
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_reference_and_gpu_agree(seed: int, prepared: list[Future[Any]]) -> None:
    program = Program(seed)
    kernel, expected = prepared[seed].result()
    arguments = program.arguments(on_device)
    kernel(*arguments)
    found = [to_host(a, b.dtype) for a, b in zip(arguments, expected, strict=False)]
    wrong = program.differences(expected, found)
    assert not wrong, f"{program.text}\non {TARGET}: {wrong}"
