"""Reference = GPU for every op of the table and every element type, in every choice and form of
`op_matrix`: bit for bit, or within the error that the table states and then with the bits of the
simulator. Without a CUDA device these tests are skipped.

Other processes compile the kernels and run them. `--record python/pto/ops/status.json` keeps what
was found.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

import cuda_device
from cuda_device import TARGET, on_device, to_host
from op_matrix import APPROXIMATED, PAIRS, Extent, Launch, Spread, approximation_error, launches
from pto.ops import Elementwise, TileOp, transcendental

Found = dict[tuple[str, str], list[tuple[Launch, Future[list[str]]]]]


@pytest.fixture(scope="module")
def found() -> Iterator[Found]:
    """For each op and type, in the order in which they are awaited."""
    # A process that is forked while CUDA runs cannot go on. Each holds some memory of the GPU.
    start, workers = multiprocessing.get_context("spawn"), min(16, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=start) as pool:
        yield {
            (entry.name, dtype): [
                (launch, pool.submit(cuda_device.differences_at, entry.name, dtype, number))
                for number, launch in enumerate(launches(entry, dtype, Extent.FULL, [TARGET]))
            ]
            for entry, dtype in PAIRS
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    ("entry", "dtype"), PAIRS, ids=[f"{entry.name}-{dtype}" for entry, dtype in PAIRS]
)
def test_reference_and_gpu_agree(
    entry: TileOp, dtype: str, found: Found, record_matrix: Callable[..., None]
) -> None:
    each = found[entry.name, dtype]
    wrong = [text for _, future in each for text in future.result()]
    cases = sum(len(launch.cases) for launch, _ in each)
    record_matrix(cuda_device.name(), entry.name, dtype, cases, len(wrong))
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("entry", transcendental.OPS, ids=lambda entry: entry.name)
def test_the_stated_error_holds(entry: Elementwise, dtype: str) -> None:
    wrong = cuda_device.differences(Launch((Spread(entry, dtype),), TARGET))
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("entry", APPROXIMATED, ids=lambda entry: entry.name)
def test_the_stated_error_of_an_approximation_holds(entry: Elementwise) -> None:
    case = Spread(entry, "f32", flags="fastmath<afn>")
    launch = Launch((case,), TARGET)
    (gpu,) = launch.found(launch.compiled(), on_device, to_host)
    (expected,) = launch.expected()
    assert entry.fast_error is not None
    assert approximation_error(case, expected, gpu) <= entry.fast_error
