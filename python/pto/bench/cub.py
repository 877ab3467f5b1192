"""CUB from C++, compiled with nvcc: whole-array sums and products of f32."""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from .cases import Case
from .peers import Call

_SOURCE = Path(__file__).with_name("cub_reduce.cu")


def compiler() -> str | None:
    """nvcc: that on the path, in `CUDA_HOME`, or of the wheel nvidia-cuda-nvcc."""
    places = [Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin"]
    places += [Path(path) / "nvidia" / "cu13" / "bin" for path in sys.path]
    return shutil.which("nvcc") or next(
        (str(place / "nvcc") for place in places if (place / "nvcc").is_file()), None
    )


@cache
def _library() -> ctypes.CDLL:
    nvcc = compiler()
    assert nvcc is not None
    library = Path(tempfile.mkdtemp()) / "cub_reduce.so"
    options = ["-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "-o", str(library)]
    done = subprocess.run([nvcc, *options, str(_SOURCE)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"nvcc: {done.stderr.strip()}")
    return ctypes.CDLL(str(library))


def peer(case: Case, x: Any) -> Call | None:
    """CUB's own call, with a workspace that is allocated beforehand."""
    if case.axis is not None or case.deterministic:
        return None
    cupy = importlib.import_module("cupy")
    function = getattr(_library(), f"cub_{case.operation}")
    y, size = cupy.ndarray((), "float32"), ctypes.c_size_t(0)
    arguments = (
        ctypes.byref(size),
        ctypes.c_void_p(x.data.ptr),
        ctypes.c_void_p(y.data.ptr),
        ctypes.c_size_t(x.size),
        ctypes.c_void_p(0),
    )
    _check(function(None, *arguments))
    workspace = cupy.ndarray((max(size.value, 1),), "uint8")

    def call() -> Any:
        _check(function(ctypes.c_void_p(workspace.data.ptr), *arguments))
        return y

    return call


def _check(status: int) -> None:
    if status:
        raise RuntimeError(f"CUB reports CUDA error {status}")
