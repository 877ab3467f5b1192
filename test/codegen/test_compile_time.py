"""Compile time grows as a kernel does."""

import time

import pytest

import long_kernels
from pto import compiler

MOST = 2.6
"""How many times as long 200 tile ops may take as 100."""
TRIES = 3


def seconds(ops: int, *, is_dynamic: bool) -> float:
    """Of processor time, the least of two runs: other work on the machine only adds to it."""
    text = long_kernels.text(ops, is_dynamic=is_dynamic)
    found: list[float] = []
    for _ in range(2):
        start = time.process_time()
        compiler.emit(text, form="ptx", target="sm_90a")
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("is_dynamic", [False, True], ids=["static", "dynamic"])
def test_twice_the_ops_take_about_twice_as_long(is_dynamic: bool) -> None:
    ratios: list[float] = []
    while len(ratios) < TRIES and (not ratios or ratios[-1] > MOST):
        less, more = (seconds(ops, is_dynamic=is_dynamic) for ops in (100, 200))
        ratios.append(more / less)
    assert ratios[-1] <= MOST, ratios
