"""Reductions of CuPy arrays, PyTorch tensors and others: which memory, device and stream are used.

The libraries are stand-ins whose kernels run on the simulator; that a GPU does the same is shown
only on one.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import pto
from fake_cuda import Stream
from pto.reductions import model, workspace

X = np.arange(24, dtype=np.float32).reshape(4, 6)


def long_sum(fake):
    """One that several CTAs share."""
    return fake.cupy.asarray(np.ones(100000, np.float32))


@pytest.mark.parametrize("operation", ["sum", "prod", "max", "min", "argmax", "argmin", "mean"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_cupy_arrays_give_cupy_arrays(cuda, operation, axis):
    result = getattr(pto, operation)(cuda.cupy.asarray(X), axis)
    assert type(result) is cuda.cupy.ndarray
    np.testing.assert_allclose(result.host, getattr(np, operation)(X, axis=axis), rtol=1e-6)


@pytest.mark.parametrize("operation", ["sum", "argmax", "mean"])
def test_tensors_give_tensors(cuda, operation):
    result = getattr(pto, operation)(cuda.torch.tensor(X), 0)
    assert type(result) is cuda.torch.Tensor
    np.testing.assert_array_equal(result.host, getattr(np, operation)(X, axis=0))


def test_parts_of_arrays(cuda):
    x = cuda.cupy.asarray(X)
    assert pto.sum(x[::-1, 1::2], 0).host.tolist() == X[::-1, 1::2].sum(0).tolist()
    assert pto.argmax(x[:, ::-1], 1).host.tolist() == [0, 0, 0, 0]


def test_the_device_and_stream_of_the_array_are_used(cuda):
    with cuda.cupy.cuda.Device(1):
        x = cuda.cupy.asarray(X)
    cuda.stream = Stream(0x99)
    result = pto.sum(x)
    assert cuda.record == [("sum", 1, 0x99)]
    assert result.device.id == 1 and cuda.device == 0


def test_a_second_call_only_launches(cuda):
    x = long_sum(cuda)
    pto.prod(x)
    cuda.record.clear()
    allocations = len(cuda.memory.blocks)
    assert pto.prod(x).host == 1
    assert cuda.record == [("prod", 0, 0x51)]
    assert len(cuda.memory.blocks) == allocations + 1, "the result"


def test_an_atomic_sum_starts_from_zero(cuda):
    x = long_sum(cuda)
    out = cuda.cupy.asarray(np.full((), 5, np.float32))
    for _ in range(2):
        assert pto.sum(x, out=out).host == 100000
    assert [what for what, *_ in cuda.record] == ["memset", "sum"] * 2


def test_a_deterministic_sum_needs_no_zero(cuda):
    pto.sum(long_sum(cuda), deterministic=True)
    assert "memset" not in [what for what, *_ in cuda.record]


def prefer(monkeypatch, combine):
    """Plans that combine so, where there are any."""

    def best(work, chip, *, fixed):
        plans = model.ranked(work, chip, fixed=fixed)
        return min(plans, key=lambda each: each.combine != combine)

    monkeypatch.setattr(model, "best", best)


@pytest.mark.parametrize("combine", ["last_block", "flagged"])
def test_every_stream_has_its_workspace(cuda, monkeypatch, combine):
    prefer(monkeypatch, combine)
    x = long_sum(cuda)
    pto.prod(x)
    allocations = len(cuda.memory.blocks)
    cuda.stream = Stream(0x99)
    assert pto.prod(x).host == 1
    assert len(cuda.memory.blocks) == allocations + 2, "the result, and a workspace"


def test_words_with_flags_lie_apart_from_other_partial_results(cuda, monkeypatch):
    """Those are left in memory, but words with flags are zero before a launch."""
    prefer(monkeypatch, "flagged")
    x = long_sum(cuda)
    for _ in range(2):
        assert pto.argmax(x).host == 0
        assert pto.prod(x).host == 1


def test_a_captured_launch_has_words_of_its_own(cuda, monkeypatch):
    prefer(monkeypatch, "flagged")
    monkeypatch.setattr(workspace, "_RESERVE", 0)
    x = long_sum(cuda)
    with cuda.capture():
        assert pto.prod(x).host == 1
    assert [what for what, *_ in cuda.record] == ["fill", "prod"]


def test_a_captured_launch_has_memory_of_its_own(cuda):
    x = long_sum(cuda)
    pto.prod(x)
    cuda.record.clear()
    allocations = len(cuda.memory.blocks)
    with cuda.capture():
        assert pto.prod(x).host == 1
        assert pto.prod(x).host == 1
    assert cuda.record == [("prod", 0, 0x77)] * 2
    assert len(cuda.memory.blocks) == allocations + 2, "the results"


def test_a_capture_beyond_the_reserve_zeroes_its_memory(cuda, monkeypatch):
    monkeypatch.setattr(workspace, "_RESERVE", 0)
    x = long_sum(cuda)
    pto.prod(x)
    cuda.record.clear()
    with cuda.capture():
        assert pto.prod(x).host == 1
    assert [what for what, *_ in cuda.record] == ["fill", "prod"]


def test_a_capture_before_any_other_call(cuda):
    with cuda.capture():
        assert pto.prod(long_sum(cuda)).host == 1


def test_the_mean_of_halves_keeps_its_sums_in_the_workspace(cuda):
    x = cuda.cupy.asarray(np.full((40, 3), 60000, np.float16))
    assert pto.mean(x, 0).host.tolist() == [60000] * 3
    assert [what for what, *_ in cuda.record if what != "fill"] == [
        "synchronize",
        "sum",
        "quotient",
    ]


class Foreign:
    """An array of another library, which has its own namespace, or none."""

    def __init__(self, host):
        self.host = host
        self.__cuda_array_interface__ = {"data": (host.ctypes.data, False)}


class Namespaced(Foreign):
    def __array_namespace__(self):
        return SimpleNamespace(from_dlpack=lambda array: Namespaced(array.host))


def test_other_arrays_are_taken_over(cuda):
    host = cuda.cupy.asarray(X).host
    assert pto.sum(Foreign(host), 0).host.tolist() == X.sum(0).tolist()
    assert type(pto.sum(Foreign(host))) is cuda.cupy.ndarray
    assert type(pto.sum(Namespaced(host))) is Namespaced


def test_an_out_of_another_library_as_well(cuda):
    out = Foreign(cuda.cupy.asarray(np.zeros(6, np.float32)).host)
    assert pto.sum(Foreign(cuda.cupy.asarray(X).host), 0, out=out) is out
    assert out.host.tolist() == X.sum(0).tolist()


def test_an_atomic_sum_into_a_reversed_array(cuda):
    x = cuda.cupy.asarray(np.ones((60000, 4), np.float32))
    memory = cuda.cupy.asarray(np.full(6, 5, np.float32))
    pto.sum(x[:, ::-1], 0, out=memory[4:0:-1])
    assert memory.host.tolist() == [5, 60000, 60000, 60000, 60000, 5]


def test_nothing_on_a_device(cuda):
    x = cuda.cupy.asarray(np.zeros((0, 3), np.float32))
    assert pto.prod(x, 0).host.tolist() == [1, 1, 1]
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        assert np.isnan(pto.mean(x).host)


def test_an_out_on_another_device_is_refused(cuda):
    with cuda.cupy.cuda.Device(1):
        out = cuda.cupy.asarray(np.zeros((), np.float32))
    with pytest.raises(ValueError, match="out: the array is on CUDA device 1, but x on CUDA dev"):
        pto.sum(cuda.cupy.asarray(X), out=out)


def test_an_out_of_numpy_is_refused(cuda):
    with pytest.raises(TypeError, match="out: expected an array of cupy, as x is, not ndarray"):
        pto.sum(cuda.cupy.asarray(X), out=np.zeros((), np.float32))


def test_a_tensor_of_the_host_is_refused(cuda):
    with pytest.raises(ValueError, match=r"x: a PyTorch tensor on .*cpu"):
        pto.sum(cuda.torch.Tensor(X, device="cpu"))


def test_elements_between_elements_of_device_memory_are_refused(cuda):
    x = cuda.cupy.asarray(np.zeros(4, np.dtype([("a", np.float32), ("b", np.int16)])))
    part = cuda.cupy.ndarray(None, np.float32, x.host["a"])
    with pytest.raises(ValueError, match="x: the stride of dimension 0 is 6 bytes"):
        pto.sum(part)


def test_a_gpu_without_cupy_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(pto.LaunchError, match="using a GPU needs CuPy"):
        pto.sum(Foreign(X))
