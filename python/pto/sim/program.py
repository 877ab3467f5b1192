"""What a translated kernel is: steps over register slots, and the memory it declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pto.errors import SimulationError

from .lanes import Lanes
from .parser import instruction_text
from .syntax import Function, Instruction, Literal, Module, Name, Variable
from .types import Array

if TYPE_CHECKING:
    from .machine import Machine

Step = Callable[["Machine", Lanes], None]
Next = tuple[int, Lanes] | None


class Control(NamedTuple):
    """A step that decides where its lanes go next.

    `run(machine, pc, lanes)` gives a pc and the lanes that continue there, or None if it has parked
    or ended all of them.
    """

    run: Callable[[Machine, int, Lanes], Next]


@dataclass(frozen=True)
class RegisterView:
    """A register as an array of one numpy type; a narrower type sees its low bits."""

    register: int
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Constant:
    """An integer (or bit pattern) of one numpy type, the same for all lanes."""

    dtype: np.dtype[Any]
    value: int


@dataclass(frozen=True)
class Dynamic:
    """`offset` bytes from where a CTA's dynamic shared memory begins."""

    dtype: np.dtype[Any]
    offset: int


@dataclass(frozen=True)
class Special:
    """A special register that does not change while the kernel runs."""

    name: str
    dtype: np.dtype[Any]


Slot = RegisterView | Constant | Dynamic | Special


class Place(NamedTuple):
    """Where a variable lies: an offset in shared, local or param space, or a global address.

    The space "dynamic" is shared memory behind everything that has a size.
    """

    space: str
    address: int


@dataclass
class Target:
    """A label or a function; `pc` is settled when its function is laid out."""

    name: str
    pc: int = -1
    branches: tuple[Target, ...] = ()


@dataclass
class Frame:
    """A device function. Its parameters and results are variables in local memory or registers.

    There is no recursion, so one frame per lane is enough; `number` says where a lane's return
    address is kept.
    """

    function: Function
    scope: Declarations
    target: Target
    number: int


class Declarations:
    """What the names of one `{ ... }` mean, and of those around it.

    `frame` is the number of the device function that they are in, None in a kernel.
    """

    def __init__(self, parent: Declarations | None = None, frame: int | None = None) -> None:
        self._parent = parent
        self.frame = parent.frame if parent and frame is None else frame
        self._registers: dict[str, tuple[int, int | None]] = {}
        self.places: dict[str, Place] = {}
        self.targets: dict[str, Target] = {}

    def declare_register(self, name: str, number: int, count: int | None) -> None:
        """`%r<10>` stands for %r0 to %r9, numbered from `number` on; a plain `%r` has no count."""
        self._registers[name if count is None else name + "<>"] = (number, count)

    def register(self, name: str) -> int | None:
        known = self._registers
        if name in known:
            return known[name][0]
        prefix = name.rstrip("0123456789")
        if prefix != name and prefix + "<>" in known:
            start, count = known[prefix + "<>"]
            number = int(name[len(prefix) :])
            if count is not None and number < count:
                return start + number
        return self._parent.register(name) if self._parent else None

    def place(self, name: str) -> Place | None:
        if name in self.places:
            return self.places[name]
        return self._parent.place(name) if self._parent else None

    def target(self, name: str) -> Target | None:
        if name in self.targets:
            return self.targets[name]
        return self._parent.target(name) if self._parent else None


@dataclass
class Program:
    """What `machine.Machine` needs to run one kernel.

    `origins[pc]` is the instruction that `steps[pc]` comes from; `stops[pc]` is the first control
    step at or after `pc`. `asynchronous`: it uses clusters, mbarriers or asynchronous copies.
    Sizes are in bytes per CTA (shared) and per lane (local).
    """

    module: Module
    kernel: Function
    entry: Target
    steps: list[Step | Control] = field(default_factory=lambda: [])
    origins: list[Instruction] = field(default_factory=lambda: [])
    stops: list[int] = field(default_factory=lambda: [])
    slots: list[Slot] = field(default_factory=lambda: [])
    register_bits: list[int] = field(default_factory=lambda: [])
    frames: int = 0
    asynchronous: bool = False
    params: list[tuple[Variable, int]] = field(default_factory=lambda: [])
    shared_bytes: int = 0
    dynamic_align: int = 16
    local_bytes: int = 0
    globals: dict[str, tuple[Variable, int]] = field(default_factory=lambda: {})

    @cached_property
    def images(self) -> list[Array]:
        """The initial bytes of every variable in `globals`."""
        return [self._image(variable) for variable, _ in self.globals.values()]

    def _image(self, variable: Variable) -> Array:
        data = np.zeros(variable.size, np.uint8)
        for k, value in enumerate(variable.initial):
            number = value.value if isinstance(value, Literal) else self._address(value)
            octets = (number & (1 << 8 * variable.width) - 1).to_bytes(variable.width, "little")
            data[k * variable.width : (k + 1) * variable.width] = list(octets)
        return data

    def _address(self, name: Name) -> int:
        if name.text not in self.globals:
            raise SimulationError(f"an initial value names the unknown variable {name.text}")
        return self.globals[name.text][1] + name.offset

    def where(self, pc: int) -> str:
        return where(self.module, self.origins[pc])


def where(module: Module, instruction: Instruction) -> str:
    """`PTX line 57: ld.global.b32 %r1, [%rd1];`"""
    return f"PTX line {instruction.line}: {instruction_text(module.text, instruction.start)}"
