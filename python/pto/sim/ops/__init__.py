"""The instructions, one file per group. Adding one is adding an entry to its group's file."""

from . import arithmetic as arithmetic
from . import asynchronous as asynchronous
from . import atomic as atomic
from . import bits as bits
from . import cluster as cluster
from . import compare as compare
from . import control as control
from . import convert as convert
from . import fence as fence
from . import float as float
from . import mbarrier as mbarrier
from . import memory as memory
from . import warp as warp
from .registry import emit

__all__ = ["emit"]
