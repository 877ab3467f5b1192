"""A cache of its own for every run, and stand-ins for the libraries of a GPU."""

import sys

import numpy as np
import pytest

from fake_cuda import FakeCuda
from pto.reductions import call, chip, launch, libraries, workspace
from pto.runtime import gpu


@pytest.fixture(scope="session", autouse=True)
def cache_directory(tmp_path_factory):
    """Shared by the tests of a run, so that kernels are compiled once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PTO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def cuda(monkeypatch):
    fake = FakeCuda()
    monkeypatch.setitem(sys.modules, "cupy", fake.cupy)
    monkeypatch.setitem(sys.modules, "torch", fake.torch)
    monkeypatch.setattr(call, "_calls", {})
    for name in ("_workspaces", "_words"):
        monkeypatch.setattr(launch, name, workspace.Workspaces())
    monkeypatch.setattr(libraries, "_known", {np.ndarray: libraries.NumPy()})
    cached = (gpu.load, chip._device, workspace._is_capturing)
    for function in cached:
        function.cache_clear()
    yield fake
    for function in cached:
        function.cache_clear()
