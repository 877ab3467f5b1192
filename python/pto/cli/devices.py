"""Where `pto run` runs a kernel, with NumPy arrays that are modified in place everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pto.errors import DeviceAssertion, PtoError
from pto.runtime import Kernel, gpu, simulator
from pto.runtime.array import cupy

DEVICES = ("auto", "gpu", "sim", "ref")
NAMES = {"gpu": "GPU", "sim": "simulator"}
Value = np.ndarray[Any, Any] | np.generic


def find(device: str) -> str:
    """`auto` settled: `gpu` if CuPy finds one, else `sim`. `PtoError` if there is no such GPU."""
    if device not in ("auto", "gpu"):
        return device
    if gpu.device_count():
        return "gpu"
    if device == "auto":
        return "sim"
    cupy()
    raise PtoError("--device gpu: CuPy finds no CUDA device; --device sim runs without one")


def signature(source: Path, kernel: str | None, arguments: int) -> tuple[list[str], int | None]:
    """The argument names of a kernel that is not compiled, and the grid that it asks for.

    Where the text has no names, or no such kernel, the names are numbers.
    """
    from pto import compiler, context

    names, own_grid = [f"arg{position}" for position in range(arguments)], None
    with context.create():
        functions: list[Any] = list(compiler.parse(source).body.operations)
        for attributes in (op.operation.attributes for op in functions):
            if kernel not in (None, attributes["sym_name"].value):
                continue
            if "pto.grid" in attributes:
                own_grid = attributes["pto.grid"].value
            for position, each in enumerate(attributes.get("arg_attrs", ())):
                if position < arguments and "pto.name" in each:
                    names[position] = each["pto.name"].value
    return names, own_grid


def grid(own: int | None, given: int | None, device: str, cluster: int = 1) -> int:
    """How many CTAs a kernel gets: as many as given, else its own number, else by the device, in
    whole clusters."""
    if given is not None:
        return given
    if own is not None:
        return own
    return gpu.default_grid(0, cluster) if device == "gpu" else simulator.default_grid(cluster)


def launch(kernel: Kernel, values: Sequence[Value], grid: int, device: str) -> None:
    """Run to the end on `sim` or `gpu`."""
    if device == "sim":
        kernel(*values, grid=grid)
    else:
        _launch_on_gpu(kernel, values, grid)


def _launch_on_gpu(kernel: Kernel, values: Sequence[Value], grid: int) -> None:
    """On copies of the arrays in the memory of the first CUDA device."""
    xp = cupy()
    with xp.cuda.Device(0):
        copies: list[Any] = [xp.asarray(v) if isinstance(v, np.ndarray) else v for v in values]
        kernel(*copies, grid=grid)
        try:
            xp.cuda.get_current_stream().synchronize()
        except xp.cuda.runtime.CUDARuntimeError as error:
            if "cudaErrorAssert" in str(error):
                raise DeviceAssertion(
                    f"a run-time check in kernel '{kernel.name}' failed; the GPU printed it above"
                ) from None
            raise PtoError(f"kernel '{kernel.name}' failed on the GPU: {error}") from None
        for value, copy in zip(values, copies, strict=True):
            if isinstance(value, np.ndarray):
                value[...] = copy.get()
