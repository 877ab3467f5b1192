"""Kernels of one shape: the first shapes of a kind have them."""

import numpy as np
import pytest

import pto
from pto.reductions import cache, call, shapes


@pytest.fixture(autouse=True)
def as_in_a_new_process(monkeypatch, tmp_path):
    monkeypatch.setattr(shapes, "MOST", 2)
    monkeypatch.setattr(shapes, "_own", type(shapes._own)(set))
    monkeypatch.setattr(cache, "_memory", {})
    monkeypatch.setattr(call, "_calls", {})
    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))


def kernels():
    return len(cache.entries(cache.KERNELS))


def reduce(cuda, rows):
    x = np.ones((rows, 96), np.float32)
    assert pto.sum(cuda.cupy.asarray(x), 0).host.tolist() == [rows] * 96


def test_the_first_shapes_have_their_own_kernels(cuda):
    for rows in (64, 60):
        reduce(cuda, rows)
    assert kernels() == 2


def test_further_shapes_share_one(cuda):
    for rows in (64, 60, 56, 52, 62):
        reduce(cuda, rows)
    assert kernels() == 3


def test_a_shape_keeps_its_kernel(cuda):
    for rows in (64, 60, 56, 64):
        reduce(cuda, rows)
        call._calls.clear()
    assert kernels() == 3
