"""A compiler for tile programs on NVIDIA GPUs.

`pto.compile(source, target=...)` makes a `pto.Kernel`, which is called with arrays. Importing `pto`
loads neither MLIR nor NumPy; the names below load what they need when they are first used.
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
    from pto.runtime import Kernel

__all__ = [
    "CompileError",
    "DeviceAssertion",
    "Kernel",
    "LaunchError",
    "PtoError",
    "SimulationError",
    "compile",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pto' has no attribute '{name}'")
    home = {"compile": "pto.compiler", "Kernel": "pto.runtime"}.get(name, "pto.errors")
    return getattr(import_module(home), name)
