"""The instructions, one file per group. Adding one is adding an entry to its group's file."""

from . import arithmetic as arithmetic
from . import atomic as atomic
from . import bits as bits
from . import compare as compare
from . import control as control
from . import convert as convert
from . import float as float
from . import memory as memory
from . import warp as warp
from .registry import emit

__all__ = ["emit"]
