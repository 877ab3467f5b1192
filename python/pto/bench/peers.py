"""The libraries that are measured: each makes, of a case and its array, a call without arguments.

A call returns its result as the library does; `as_cupy` turns it into a CuPy array to be checked.
Libraries that are not installed are left out; `None` stands for a case that one does not have.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from pto.dtypes import DTYPES

from .cases import Case

Call = Callable[[], Any]
Peer = Callable[[Case, Any], Call | None]


def installed() -> dict[str, Peer]:
    """The libraries of this machine by name, ours first."""
    found: dict[str, Peer] = {"pto": _pto, "cupy": _cupy}
    if _module("torch") is not None:
        found["torch"] = _torch
        if _module("triton") is not None:
            from . import triton_kernels

            found["triton"] = triton_kernels.peer
    from . import cub

    if cub.compiler() is not None:
        found["cub"] = cub.peer
    return found


def versions() -> dict[str, str]:
    """Of the libraries and of CUDA."""
    found = {
        name: str(module.__version__)
        for name in ("cupy", "torch", "triton")
        if (module := _module(name)) is not None
    }
    runtime = importlib.import_module("cupy").cuda.runtime
    found["driver"] = str(runtime.driverGetVersion())
    found["cuda"] = str(runtime.runtimeGetVersion())
    return found


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def as_cupy(result: Any) -> Any:
    """A result as float64, in CuPy's hands."""
    cupy = importlib.import_module("cupy")
    if hasattr(result, "data_ptr"):
        result = result.double()
        return cupy.from_dlpack(result)
    return result.astype(cupy.float64)


def tensor(case: Case, x: Any) -> Any:
    """The array as a tensor, of bf16 where the case says so."""
    torch = importlib.import_module("torch")
    found = torch.from_dlpack(x)
    return found.to(torch.bfloat16) if case.dtype == "bf16" else found


def _array(case: Case, x: Any) -> Any:
    """The array in CuPy, of bf16 where the case says so."""
    return x.astype(DTYPES["bf16"]) if case.dtype == "bf16" else x


def _pto(case: Case, x: Any) -> Call | None:
    from pto import reductions

    function = getattr(reductions, case.operation)
    # PyTorch has had bf16 for longer.
    x = tensor(case, x) if case.dtype == "bf16" and _module("torch") else _array(case, x)
    return lambda: function(x, case.axis, deterministic=case.deterministic)


def _cupy(case: Case, x: Any) -> Call | None:
    function, x = getattr(importlib.import_module("cupy"), case.operation), _array(case, x)
    return lambda: function(x, case.axis)


def _torch(case: Case, x: Any) -> Call | None:
    torch = importlib.import_module("torch")
    function, x = getattr(torch, case.operation), tensor(case, x)
    if case.axis is None:
        return lambda: function(x)
    return lambda: function(x, case.axis)
