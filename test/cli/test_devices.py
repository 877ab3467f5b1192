"""Where `pto run` runs, and for which chip it compiles there."""

import pytest

from pto.cli import devices
from pto.errors import PtoError
from pto.runtime import gpu


@pytest.mark.parametrize(("count", "found"), [(0, "sim"), (2, "gpu")])
def test_auto_is_the_gpu_if_there_is_one(monkeypatch, count, found):
    monkeypatch.setattr(gpu, "device_count", lambda: count)
    assert devices.find("auto") == found


@pytest.mark.parametrize("device", ["sim", "ref"])
def test_what_needs_no_gpu_does_not_look_for_one(monkeypatch, device):
    monkeypatch.setattr(gpu, "device_count", None)
    assert devices.find(device) == device


@pytest.mark.parametrize(
    ("capability", "chip"),
    [
        (80, "sm_80"),
        (89, "sm_80"),
        (90, "sm_90a"),
        (100, "sm_100a"),
        (103, "sm_90"),
        (120, "sm_120a"),
    ],
)
def test_the_chip_to_compile_for_on_a_gpu(monkeypatch, capability, chip):
    monkeypatch.setattr(gpu, "capability", lambda device: capability)
    assert devices.gpu_target() == chip


def test_a_gpu_that_is_too_old(monkeypatch):
    monkeypatch.setattr(gpu, "capability", lambda device: 75)
    with pytest.raises(PtoError, match="CUDA device 0 is an sm_75, which is older than"):
        devices.gpu_target()


def test_the_grid_of_the_command_line_is_before_the_kernels_own(monkeypatch):
    monkeypatch.setattr(gpu, "multiprocessors", lambda device: 132)
    assert devices.grid(own=4, given=2, device="gpu") == 2
    assert devices.grid(own=4, given=None, device="gpu") == 4
    assert devices.grid(own=None, given=None, device="gpu") == 132
    assert devices.grid(own=None, given=None, device="sim") == 8
