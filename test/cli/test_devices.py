"""Where `pto run` runs, and for which chip it compiles there."""

import pytest

from pto.cli import devices
from pto.runtime import gpu


@pytest.mark.parametrize(("count", "found"), [(0, "sim"), (2, "gpu")])
def test_auto_is_the_gpu_if_there_is_one(monkeypatch, count, found):
    monkeypatch.setattr(gpu, "device_count", lambda: count)
    assert devices.find("auto") == found


@pytest.mark.parametrize("device", ["sim", "ref"])
def test_what_needs_no_gpu_does_not_look_for_one(monkeypatch, device):
    monkeypatch.setattr(gpu, "device_count", None)
    assert devices.find(device) == device


def test_the_grid_of_the_command_line_is_before_the_kernels_own(monkeypatch):
    monkeypatch.setattr(gpu, "multiprocessors", lambda device: 132)
    assert devices.grid(own=4, given=2, device="gpu") == 2
    assert devices.grid(own=4, given=None, device="gpu") == 4
    assert devices.grid(own=None, given=None, device="gpu") == 132
    assert devices.grid(own=None, given=None, device="sim") == 8
