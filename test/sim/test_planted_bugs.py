"""Bugs planted into correct kernels: each is reported in every order of execution."""

from pathlib import Path

import numpy as np
import pytest

from pto.errors import SimulationError
from pto.sim import Buffer, launch

PTX = Path(__file__).parent / "ptx"
SEEDS = [None, 0, 1, 2, 3, 4]

INIT_FENCE = "\tfence.mbarrier_init.release.cluster;\n"
PROXY_FENCE = "\tfence.proxy.async.shared::cta;\n"
CLUSTER_BARRIER = (
    "\tbarrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;\n"
)
COPY = "[%rd8], [%rd3], 1024, [%rd9];\n"
EXPECT = "mbarrier.arrive.expect_tx.shared.b64 \t%rd10, [smem+2048], 1024;\n"
WAIT = "mbarrier.try_wait.parity.shared.b64 P1, [%r10], 0, 10000000;"


def plant(ptx, old, new, count=1):
    """Replaces the first occurrences; there must be some."""
    assert old in ptx, old
    return ptx.replace(old, new, count)


def exchange(ptx, seed=None):
    x = np.arange(256, dtype=np.uint32) + 1
    y = np.zeros_like(x)
    buffers = [Buffer("x", x.view(np.uint8)), Buffer("y", y.view(np.uint8))]
    launch(ptx, "exchange", buffers, grid=(2, 1, 1), shared_bytes=2056, seed=seed)
    np.testing.assert_array_equal(y, x)


def ring(ptx, seed=None):
    x = np.arange(6 * 256, dtype=np.uint32) + 1
    y = np.zeros_like(x)
    buffers = [Buffer("x", x.view(np.uint8)), Buffer("y", y.view(np.uint8))]
    launch(ptx, "ring", buffers, grid=(2, 1, 1), shared_bytes=2080, seed=seed)
    np.testing.assert_array_equal(y, x)


@pytest.fixture(scope="module")
def exchange_ptx():
    return (PTX / "dsmem_exchange.ptx").read_text()


@pytest.fixture(scope="module")
def ring_ptx():
    return (PTX / "dsmem_ring.ptx").read_text()


def reported(run, ptx, seed):
    with pytest.raises(SimulationError) as error:
        run(ptx, seed)
    return str(error.value)


# ---- the exchange of a tile


def test_exchange_is_clean(exchange_ptx):
    for seed in [None, *range(100)]:
        exchange(exchange_ptx, seed)


BUGS = {
    "no wait": (WAIT, "setp.eq.u32 P1, 0, 0;", 1),
    "too many bytes": (EXPECT, EXPECT.replace("1024", "1040"), 1),
    "too few bytes": (EXPECT, EXPECT.replace("1024", "512"), 1),
    "no proxy fence": (PROXY_FENCE, "", 1),
    "no init fence": (INIT_FENCE, "", 1),
    "wrong parity": (WAIT, WAIT.replace("], 0,", "], 1,"), 1),
    "no barrier at start": (CLUSTER_BARRIER, "", 1),
    "source overwritten": (COPY, COPY + "st.shared.b32 [smem], %r1;\n", 1),
    "rank": ("%rd7, 1;", "%rd7, 2;", 1),
    "arrival twice": (EXPECT, EXPECT + "mbarrier.arrive.shared.b64 _, [smem+2048];\n", 1),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bug", BUGS)
def test_bugs(exchange_ptx, seed, bug):
    print(bug, seed, reported(exchange, plant(exchange_ptx, *BUGS[bug]), seed))

@pytest.mark.parametrize("seed", SEEDS)
def test_end(exchange_ptx, seed):
    ptx = exchange_ptx.replace(CLUSTER_BARRIER + "\tret", "\tret")
    print('end', seed, reported(exchange, ptx, seed))

def test_ring_is_clean(ring_ptx):
    for seed in [None, *range(50)]:
        ring(ring_ptx, seed)
