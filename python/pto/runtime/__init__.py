"""Launching compiled kernels: arrays in, arrays out. Needs neither MLIR nor the compiler.

`Kernel` is what the compiler makes and what is called; it goes through JSON, so that a process that
only launches needs nothing else.
"""

from .arguments import Argument
from .kernel import Kernel

__all__ = ["Argument", "Kernel"]
