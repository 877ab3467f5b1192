"""What is asked of CuPy for a launch on a GPU, with a recorder in CuPy's place.

These tests show which device, stream, attributes and parameters a launch asks for; that a GPU then
does it is shown only on one.
"""

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pto.errors import LaunchError
from pto.runtime import gpu

CAPABILITY = "90"
CURRENT_STREAM = 0x51


class Recorder(SimpleNamespace):
    """Stands where `cupy` does; `launches`, `loads` and `attributes` say what was asked for."""

    def __init__(self):
        super().__init__(launches=[], loads=[], attributes=[], before_launch=lambda: None)
        recorder = self

        class Device:
            compute_capability = CAPABILITY
            attributes = {"MultiProcessorCount": 132, "MaxSharedMemoryPerBlockOptin": 232448}  # noqa: RUF012

            def __init__(self, number):
                self.number = number

            def __enter__(self):
                recorder.device = self.number

            def __exit__(self, *_):
                recorder.device = None

        class Module:
            def load(self, ptx):
                assert isinstance(ptx, bytes)
                recorder.loads.append(recorder.device)

            def get_function(self, name):
                def function(grid, block, args, shared_mem, stream):
                    recorder.before_launch()
                    recorder.launches.append(
                        SimpleNamespace(
                            name=name,
                            device=recorder.device,
                            grid=grid,
                            block=block,
                            args=args,
                            shared=shared_mem,
                            stream=stream.ptr,
                        )
                    )

                function.ptr = 0xF
                return function

        self.cuda = SimpleNamespace(
            Device=Device,
            function=SimpleNamespace(Module=Module),
            get_current_stream=lambda: SimpleNamespace(ptr=CURRENT_STREAM),
            driver=SimpleNamespace(
                CUDADriverError=RuntimeError,
                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES="shared",
                funcSetAttribute=lambda *request: recorder.attributes.append(request),
            ),
        )


class DeviceArray:
    """An array on a GPU as `__cuda_array_interface__` shows it."""

    def __init__(self, shape, dtype="f4", device=0, address=0x1000, strides=None, read_only=False):
        self.device = SimpleNamespace(id=device)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "data": (address, read_only),
            "strides": strides,
            "version": 3,
        }


class Tensor:
    """What is read of a PyTorch tensor."""

    def __init__(self, shape, strides, dtype="torch.float32", device="cuda", address=0x2000):
        self.shape, self.dtype = shape, dtype
        self.device = SimpleNamespace(type=device, index=0)
        self.data_ptr = lambda: address
        self.stride = lambda: strides
        self.element_size = lambda: 2 if "16" in dtype else 4


@pytest.fixture
def cupy(monkeypatch):
    recorder = Recorder()
    monkeypatch.setitem(sys.modules, "cupy", recorder)
    for cached in (gpu.load, gpu.multiprocessors):
        cached.cache_clear()
    yield recorder
    for cached in (gpu.load, gpu.multiprocessors):
        cached.cache_clear()


def test_parameters_in_ptx_order(cupy, scale):
    scale(DeviceArray((10,), strides=(8,)), 3.0, DeviceArray((10,), address=0x3000), grid=3)
    (launch,) = cupy.launches
    assert launch.args == (0x1000, 10, 2, 3.0, 0x3000)
    assert [a.dtype.str for a in launch.args] == ["<u8", "<i8", "<i8", "<f4", "<u8"]
    assert (launch.grid, launch.block, launch.shared) == ((3, 1, 1), (4, 1, 1), 0)


def test_a_contiguous_array_needs_no_strides(cupy, scale):
    scale(DeviceArray((10,)), 3.0, DeviceArray((2, 5)), grid=1)
    assert cupy.launches[0].args[2] == 1


def test_a_tensor_goes_by_its_own_methods(cupy, scale, monkeypatch):
    current = SimpleNamespace(cuda_stream=0x77)
    torch = SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda device: current))
    monkeypatch.setitem(sys.modules, "torch", torch)
    scale(Tensor((10,), (3,)), 3.0, Tensor((10,), (1,), address=0x4000), grid=1)
    assert cupy.launches[0].args == (0x2000, 10, 3, 3.0, 0x4000)
    assert cupy.launches[0].stream == 0x77


def test_a_bf16_tensor_is_named_as_in_the_ir(cupy, scale):
    with pytest.raises(LaunchError, match="argument 'x': expected elements of type f32, got bf16"):
        scale(Tensor((10,), (1,), "torch.bfloat16"), 3.0, DeviceArray((10,)))


def test_a_tensor_in_host_memory_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match=r"argument 'x': a PyTorch tensor on .*cpu"):
        scale(Tensor((10,), (1,), device="cpu"), 3.0, DeviceArray((10,)))


@pytest.mark.parametrize(
    ("stream", "address"),
    [
        (None, CURRENT_STREAM),
        (0, 0),
        (0x99, 0x99),
        (SimpleNamespace(ptr=0x11), 0x11),
        (SimpleNamespace(cuda_stream=0x22), 0x22),
        (SimpleNamespace(__cuda_stream__=lambda: (0, 0x33)), 0x33),
    ],
    ids=["current", "default", "address", "cupy", "torch", "protocol"],
)
def test_the_stream_that_is_used(cupy, scale, stream, address):
    scale(DeviceArray((4,)), 1, DeviceArray((4,)), stream=stream)
    assert cupy.launches[0].stream == address


def test_what_is_no_stream_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match="stream is a CuPy or PyTorch stream"):
        scale(DeviceArray((4,)), 1, DeviceArray((4,)), stream="fast")


def test_without_any_grid_there_is_a_cta_per_multiprocessor(cupy, scale):
    scale(DeviceArray((4,)), 1, DeviceArray((4,)))
    assert cupy.launches[0].grid == (132, 1, 1)


def test_a_module_is_loaded_once_per_device(cupy, scale):
    for device in (0, 1, 0, 1):
        scale(DeviceArray((4,), device=device), 1, DeviceArray((4,), device=device))
    assert cupy.loads == [0, 1]
    assert [launch.device for launch in cupy.launches] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("shared", "asked"), [(48 * 1024, []), (48 * 1024 + 1, [(0xF, "shared", 48 * 1024 + 1)])]
)
def test_more_than_48_kib_of_shared_memory_is_asked_for(cupy, scale, shared, asked):
    replace(scale, shared_bytes=shared)(DeviceArray((4,)), 1, DeviceArray((4,)))
    assert cupy.attributes == asked
    assert cupy.launches[0].shared == shared


def test_more_shared_memory_than_the_device_has_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match=r"wants 232449 bytes .* CUDA device 0 has 232448"):
        replace(scale, shared_bytes=232449)(DeviceArray((4,)), 1, DeviceArray((4,)))


@pytest.mark.parametrize(("cluster", "asked"), [(8, []), (16, [(0xF, 14, 1)])])
def test_clusters_of_more_than_eight_are_asked_for(cupy, scale, cluster, asked):
    replace(scale, cluster=cluster)(DeviceArray((4,)), 1, DeviceArray((4,)), grid=16)
    assert cupy.attributes == asked


def test_a_cluster_that_the_device_cannot_run_is_refused(cupy, scale):
    def refuse(*_):
        raise RuntimeError("CUDA_ERROR_INVALID_CLUSTER_SIZE: misconfiguration")

    cupy.before_launch = refuse
    with pytest.raises(LaunchError, match=r"'scale' wants clusters of 16 CTAs .* cannot run"):
        replace(scale, cluster=16)(DeviceArray((4,)), 1, DeviceArray((4,)), grid=16)


def test_without_any_grid_clusters_are_whole(cupy, scale):
    replace(scale, cluster=8)(DeviceArray((4,)), 1, DeviceArray((4,)))
    assert cupy.launches[0].grid == (136, 1, 1)


def test_ptx_for_another_chip_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match=r"compiled for sm_100a, which CUDA device 0 \(sm_90\)"):
        replace(scale, target="sm_100a")(DeviceArray((4,)), 1, DeviceArray((4,)))


@pytest.mark.parametrize(
    ("target", "capability", "runs"),
    [
        ("sm_80", 80, True),
        ("sm_80", 120, True),
        ("sm_90", 89, False),
        ("sm_90a", 90, True),
        ("sm_90a", 100, False),
        ("sm_100a", 90, False),
    ],
)
def test_which_device_runs_which_target(target, capability, runs):
    assert gpu.runs(target, capability) == runs


def test_arrays_of_two_devices_are_refused(cupy, scale):
    with pytest.raises(
        LaunchError,
        match="argument 'y': the array is on CUDA device 1, but that of 'x' on CUDA device 0",
    ):
        scale(DeviceArray((4,)), 1, DeviceArray((4,), device=1))


def test_numpy_and_gpu_arrays_together_are_refused(cupy, scale):
    with pytest.raises(LaunchError, match="is in host memory, but that of 'x' on CUDA device 0"):
        scale(DeviceArray((4,)), 1, np.zeros(4, np.float32))


def test_a_read_only_gpu_array_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match="argument 'x': the array is read-only"):
        scale(DeviceArray((4,), read_only=True), 1, DeviceArray((4,)))


def test_without_cupy_the_message_says_how_to_get_it(scale, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(LaunchError, match=r"needs CuPy, .*pip install 'pto\[gpu\]'"):
        scale(DeviceArray((4,)), 1, DeviceArray((4,)))
    assert gpu.device_count() == 0


class Capsule:
    """An array that speaks DLPack only; kind 1 is host memory, 2 a CUDA device."""

    def __init__(self, kind):
        self.__dlpack_device__ = lambda: (kind, 0)


def test_dlpack_goes_through_cupy(cupy, scale):
    cupy.from_dlpack = lambda capsule: DeviceArray((4,), address=0x5000)
    scale(Capsule(2), 1, DeviceArray((4,)))
    assert cupy.launches[0].args[0] == 0x5000


def test_dlpack_in_host_memory_is_refused(cupy, scale):
    with pytest.raises(LaunchError, match="a Capsule on DLPack device 1, which is no CUDA device"):
        scale(Capsule(1), 1, DeviceArray((4,)))


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
    assert gpu.best_target(0) == chip


def test_a_gpu_that_is_too_old(monkeypatch):
    monkeypatch.setattr(gpu, "capability", lambda device: 75)
    with pytest.raises(LaunchError, match="CUDA device 0 is an sm_75, older than"):
        gpu.best_target(0)
