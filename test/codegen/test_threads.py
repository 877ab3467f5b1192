"""Threads of one process compile kernels at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import kernels
from pto import compiler

NAMES = ("tcolprod.pto", "rmsnorm.pto", "gelu.pto")


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns after a few microseconds."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty")
def test_kernels_that_are_compiled_at_once_do_not_mix() -> None:
    texts = [kernels.example(name, "f32") for name in NAMES]

    def ptx(text: str) -> str:
        return compiler.emit(text, form="ptx", target="sm_90a")

    alone = [ptx(text) for text in texts]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(ptx, 2 * texts)) == 2 * alone
