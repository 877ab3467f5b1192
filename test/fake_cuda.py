"""CuPy and PyTorch without a GPU: device memory is NumPy's, kernels run on the simulator.

What is asked of the libraries is what a GPU would be asked; `record` lists launches and memsets.
"""

import contextlib
import ctypes
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from pto import sim


class Stream:
    def __init__(self, ptr):
        self.ptr = self.cuda_stream = ptr
        self.capturing = False


class Memory:
    """Allocations by their addresses, 256 bytes apart at least, as on a device."""

    def __init__(self):
        self.blocks = []
        self.freed = 0

    def allocate(self, size):
        whole = np.zeros(size + 512, np.uint8)
        skip = -whole.ctypes.data % 256
        block = whole[skip : skip + max(size, 1)]
        self.blocks.append(block)
        return block

    def buffer(self, address):
        """A parameter as the simulator takes it: the buffer in which an address lies, or itself."""
        for block in self.blocks:
            if block.ctypes.data <= address < block.ctypes.data + block.size:
                return sim.Buffer("memory", block, address - block.ctypes.data)
        return np.int64(address)


class FakeCuda:
    """One machine of two devices; `cupy` and `torch` stand where the modules do."""

    def __init__(self):
        self.memory, self.record = Memory(), []
        self.clock, self.cost, self.grids = 0.0, lambda grid: 1.0, []
        self.device, self.stream = 0, Stream(0x51)
        self.cupy = self._cupy()
        self.torch = self._torch()

    def _cupy(self):
        fake = self

        class Device:
            compute_capability = "80"
            attributes = {  # noqa: RUF012
                "MultiProcessorCount": 4,
                "MaxThreadsPerMultiProcessor": 256,
                "MaxSharedMemoryPerBlockOptin": 232448,
                "L2CacheSize": 60 << 20,
                "GlobalMemoryBusWidth": 6144,
                "MemoryClockRate": 3_201_000,
            }

            def __init__(self, number):
                self.number = number

            def __enter__(self):
                self.before, fake.device = fake.device, self.number

            def __exit__(self, *_):
                fake.device = self.before

        class Module:
            def load(self, ptx):
                self.ptx = ptx.decode()

            def get_function(self, name):
                def function(grid, block, parameters, shared_mem=0, stream=None):
                    fake.record.append((name.split("_")[0], fake.device, stream.ptr))
                    fake.clock += fake.cost(grid[0])
                    fake.grids.append(grid[0])
                    sim.launch(
                        self.ptx,
                        name,
                        [fake.memory.buffer(value) for value in parameters],
                        grid=(*grid, 1, 1)[:3],
                        block=(*block, 1, 1)[:3],
                        shared_bytes=shared_mem,
                    )

                function.ptr = 0xF
                return function

        class ndarray:
            def __init__(self, shape, dtype, memory=None):
                dtype = np.dtype(dtype)
                if memory is None:
                    size = int(np.prod(shape)) * dtype.itemsize
                    memory = fake.memory.allocate(size)[:size].view(dtype).reshape(shape)
                self.host, self.device = memory, SimpleNamespace(id=fake.device)
                self.data = SimpleNamespace(ptr=memory.ctypes.data, device_id=fake.device)
                self.dtype, self.shape, self.strides = dtype, memory.shape, memory.strides

            def __getitem__(self, index):
                return ndarray(None, self.dtype, self.host[index])

            def fill(self, value):
                fake.record.append(("fill", fake.device, fake.stream.ptr))
                self.host[...] = value

            @property
            def __cuda_array_interface__(self):
                return {
                    "shape": self.shape,
                    "typestr": self.dtype.str,
                    "data": (self.data.ptr, False),
                    "strides": self.strides,
                    "version": 3,
                }

        ndarray.__module__ = "cupy"

        def asarray(value):
            """From NumPy a copy on the device; from another library's array the same memory."""
            if isinstance(value, np.ndarray):
                result = ndarray(value.shape, value.dtype)
                result.host[...] = value
                return result
            return ndarray(None, value.host.dtype, value.host)

        def memset(address, value, size, stream):
            fake.record.append(("memset", fake.device, stream))
            ctypes.memset(address, value, size)

        def is_capturing(stream):
            return stream == fake.stream.ptr and fake.stream.capturing

        def synchronize(stream):
            assert not fake.stream.capturing
            fake.record.append(("synchronize", fake.device, stream))

        class Event:
            def record(self, stream):
                self.time = fake.clock

            def synchronize(self):
                assert not fake.stream.capturing

        runtime = SimpleNamespace(
            getDeviceProperties=lambda device: {"name": b"Fake"},
            getDevice=lambda: fake.device,
            memsetAsync=memset,
            streamIsCapturing=is_capturing,
            streamSynchronize=synchronize,
        )
        driver = SimpleNamespace(
            CUDADriverError=RuntimeError,
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8,
            funcSetAttribute=lambda *_: None,
        )
        cuda = SimpleNamespace(
            Device=Device,
            Event=Event,
            get_elapsed_time=lambda begin, end: end.time - begin.time,
            function=SimpleNamespace(Module=Module),
            get_current_stream=lambda: fake.stream,
            runtime=runtime,
            driver=driver,
        )
        return SimpleNamespace(
            cuda=cuda, ndarray=ndarray, asarray=asarray, from_dlpack=asarray, __name__="cupy"
        )

    def _torch(self):
        fake = self
        dtypes = {
            name: f"torch.{name}" for name in ("float32", "float64", "int64", "bool", "uint8")
        }

        class Device(NamedTuple):
            type: str
            index: int

        class Tensor:
            def __init__(self, host, device="cuda", index=0):
                self.host, self.shape = host, host.shape
                self.dtype = f"torch.{host.dtype.name}"
                self.device = Device(device, index)

            def data_ptr(self):
                return self.host.ctypes.data

            def stride(self):
                return tuple(stride // self.host.itemsize for stride in self.host.strides)

            def element_size(self):
                return self.host.itemsize

            def fill_(self, value):
                fake.record.append(("fill", fake.device, fake.stream.ptr))
                self.host[...] = value

        Tensor.__module__ = "torch"

        def empty(shape, dtype, device):
            kind = np.dtype(dtype.removeprefix("torch."))
            size = int(np.prod(shape)) * kind.itemsize
            memory = fake.memory.allocate(size)[:size].view(kind).reshape(shape)
            return Tensor(memory, index=int(device.removeprefix("cuda:")))

        def tensor(values, index=0):
            result = empty(values.shape, f"torch.{values.dtype.name}", f"cuda:{index}")
            result.host[...] = values
            return result

        cuda = SimpleNamespace(current_stream=lambda device: fake.stream)
        return SimpleNamespace(cuda=cuda, empty=empty, Tensor=Tensor, tensor=tensor, **dtypes)

    @contextlib.contextmanager
    def capture(self):
        """The current stream is being captured, on which nothing may wait."""
        before, self.stream = self.stream, Stream(0x77)
        self.stream.capturing = True
        yield
        self.stream = before
