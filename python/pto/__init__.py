"""A compiler for tile programs on NVIDIA GPUs.

`pto.compile(source, target=...)` makes a `pto.Kernel`, which is called with arrays; `pto.sum` and
the others of `pto.reductions` reduce whole arrays. Importing `pto` loads neither MLIR nor NumPy;
the names below load what they need when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pto.compiler import compile
    from pto.errors import (
        CompileError,
        DeviceAssertion,
        LaunchError,
        PtoError,
        SimulationError,
    )
    from pto.reductions import argmax, argmin, max, mean, min, prod, sum
    from pto.runtime import Kernel

__all__ = [
    "CompileError",
    "DeviceAssertion",
    "Kernel",
    "LaunchError",
    "PtoError",
    "SimulationError",
    "argmax",
    "argmin",
    "compile",
    "max",
    "mean",
    "min",
    "prod",
    "sum",
]

_HOMES = {
    "compile": "pto.compiler",
    "Kernel": "pto.runtime",
    **dict.fromkeys(("argmax", "argmin", "max", "mean", "min", "prod", "sum"), "pto.reductions"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pto' has no attribute '{name}'")
    found = getattr(import_module(_HOMES.get(name, "pto.errors")), name)
    globals()[name] = found  # found at once from now on
    return found
