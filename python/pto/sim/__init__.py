"""A PTX simulator: runs PTX text on numpy arrays, and says what a kernel does wrong.

`launch` runs a kernel; `Buffer` is device memory. See `machine.py` for how threads run, `memory.py`
for addresses and checks, `ops/` for the instructions; `races.py`, `protocol.py` and `lifetimes.py`
for what must happen before what, and `clocks.py` for how that is known.
"""

from .launch import Buffer, launch
from .machine import Stats

__all__ = ["Buffer", "Stats", "launch"]
