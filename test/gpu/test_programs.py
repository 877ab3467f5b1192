"""Reference = GPU on random programs of tile ops, bit for bit where the ops are exact. Without a
CUDA device these tests are skipped.

`PTO_TEST_PROGRAMS` is the number of programs; other processes compile them.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import pytest

from cuda_device import TARGET, on_device, to_host
from random_programs import Program, prepare

PROGRAMS = int(os.environ.get("PTO_TEST_PROGRAMS", "1000"))


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
