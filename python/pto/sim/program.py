"""A kernel of a parsed module -> a `Program` that the machine runs.

Each instruction becomes one closure over register slots. A slot is a register seen as one numpy
type, a constant, or a special register; the machine makes one array per slot, over all lanes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pto.errors import LaunchError, SimulationError

from .lanes import Lanes
from .memory import global_address
from .parser import (
    BranchTargets,
    Function,
    Instruction,
    Label,
    Module,
    Register,
    Scope,
    Variable,
    instruction_text,
    parse,
)
from .types import TYPES

if TYPE_CHECKING:
    from .machine import Machine

Step = Callable[["Machine", Lanes], None]
Next = tuple[int, Lanes] | None


class Control(NamedTuple):
    """A step that decides where its lanes go: `run(machine, pc, lanes)` gives the next pc and lanes,
    or None if it has parked or ended them."""

    run: Callable[[Machine, int, Lanes], Next]


class RegisterView(NamedTuple):
    register: int
    dtype: np.dtype[Any]


class Constant(NamedTuple):
    dtype: np.dtype[Any]
    value: int


class Special(NamedTuple):
    name: str
    dtype: np.dtype[Any]


Slot = RegisterView | Constant | Special


class Place(NamedTuple):
    """Where a variable lies: an offset in shared, local or param space, or a global address."""

    space: str
    address: int
    size: int


@dataclass
class Target:
    """A label; `pc` is known once the statement after it is translated."""

    name: str
    pc: int = -1
    branches: tuple[Target, ...] = ()


@dataclass
class Declarations:
    """What the names of one `{ ... }` mean, and of those around it."""

    parent: Declarations | None = None
    registers: dict[str, tuple[int, str]] = field(default_factory=lambda: {})
    ranges: dict[str, tuple[int, int, str]] = field(default_factory=lambda: {})
    places: dict[str, Place] = field(default_factory=lambda: {})
    targets: dict[str, Target] = field(default_factory=lambda: {})

    def register(self, name: str) -> tuple[int, str] | None:
        """Number and type name."""
        scope = self
        prefix = name.rstrip("0123456789")
        while scope is not None:
            if name in scope.registers:
                return scope.registers[name]
            if prefix in scope.ranges and prefix != name:
                start, count, type_name = scope.ranges[prefix]
                number = int(name[len(prefix) :])
                if number < count:
                    return start + number, type_name
            scope = scope.parent
        return None

    def place(self, name: str) -> Place | None:
        scope = self
        while scope is not None:
            if name in scope.places:
                return scope.places[name]
            scope = scope.parent
        return None

    def target(self, name: str) -> Target | None:
        scope = self
        while scope is not None:
            if name in scope.targets:
                return scope.targets[name]
            scope = scope.parent
        return None


@dataclass
class Frame:
    """A function in the program. Its parameters and results lie in local memory, or, where the PTX
    declares them so, in registers. Without recursion one frame per lane is enough."""

    function: Function
    scope: Declarations
    entry: Target
    slot: int = 0


@dataclass
class Program:
    """What `machine.Machine` needs to run one kernel."""

    module: Module
    kernel: Function
    steps: list[Step | Control] = field(default_factory=lambda: [])
    places: list[Instruction] = field(default_factory=lambda: [])
    stops: list[int] = field(default_factory=lambda: [])
    entry: int = 0
    slots: list[Slot] = field(default_factory=lambda: [])
    register_bits: list[int] = field(default_factory=lambda: [])
    frames: int = 0
    params: list[Variable] = field(default_factory=lambda: [])
    param_offsets: list[int] = field(default_factory=lambda: [])
    shared_bytes: int = 0
    local_bytes: int = 0
    variables: list[Variable] = field(default_factory=lambda: [])
    variable_addresses: dict[str, int] = field(default_factory=lambda: {})

    def where(self, pc: int) -> str:
        return where(self.module, self.places[pc])


def where(module: Module, instruction: Instruction) -> str:
    """`PTX line 57: ld.global.b32 %r1, [%rd1];`"""
    return f"PTX line {instruction.line}: {instruction_text(module.text, instruction.start)}"


@lru_cache(maxsize=256)
def translate(ptx: str, kernel: str) -> Program:
    """Parse a module and translate one of its kernels.

    Raises `LaunchError` if there is no such kernel, `SimulationError` for PTX that is not known.
    """
    module = parse(ptx)
    function = module.functions.get(kernel)
    if function is None or not function.entry:
        names = ", ".join(f.name for f in module.functions.values() if f.entry) or "none"
        raise LaunchError(f"no kernel '{kernel}' in the PTX module; it has: {names}")
    return Translator(module, function).program


class Translator:
    """Builds the `Program` of one kernel; `Site` asks it what names mean."""

    def __init__(self, module: Module, kernel: Function) -> None:
        self.module = module
        self.program = Program(module, kernel)
        self._slots: dict[Slot, int] = {}
        self._globals = Declarations()
        self._place_globals()
        self.frames: dict[str, Frame] = {}
        self._calls: dict[str, set[str]] = {}
        self._current = kernel.name
        self._function(kernel)
        self._finish()

    # ---- what sites ask

    def slot(self, slot: Slot) -> int:
        """The number of a slot, made on first use."""
        if slot not in self._slots:
            self._slots[slot] = len(self.program.slots)
            self.program.slots.append(slot)
        return self._slots[slot]

    def call(self, name: str) -> Frame | None:
        """The frame of a device function that is defined here; None for any other name."""
        function = self.module.functions.get(name)
        if function is None or function.body is None or function.entry:
            return None
        if name not in self.frames:
            self.frames[name] = self._frame(function)
        self._calls.setdefault(self._current, set()).add(name)
        return self.frames[name]

    def register_bits(self, number: int) -> int:
        return self.program.register_bits[number]

    # ---- memory

    def _place_globals(self) -> None:
        shared = [v for v in self.module.variables.values() if v.space == "shared"]
        for variable in sorted(shared, key=lambda v: v.size == 0):
            offset = self._shared(variable)
            self._globals.places[variable.name] = Place("shared", offset, variable.size)
        for variable in self.module.variables.values():
            if variable.space != "shared":
                self._globals.places[variable.name] = self._global(variable)

    def _shared(self, variable: Variable) -> int:
        """An unsized `extern` array begins where the sized ones end, so they are placed first."""
        offset = -(-self.program.shared_bytes // variable.align) * variable.align
        self.program.shared_bytes = offset + variable.size
        return offset

    def _global(self, variable: Variable) -> Place:
        address = global_address(len(self.program.variables))
        self.program.variables.append(variable)
        self.program.variable_addresses[variable.name] = address
        return Place(variable.space, address, variable.size)

    def _local(self, variable: Variable) -> Place:
        align = max(variable.align, 1)
        offset = -(-self.program.local_bytes // align) * align
        self.program.local_bytes = offset + variable.size
        return Place("local", offset, variable.size)

    def _declare(self, scope: Declarations, variable: Variable) -> None:
        if variable.space == "shared":
            place = Place("shared", self._shared(variable), variable.size)
        elif variable.space in ("local", "param"):
            place = self._local(variable)
        else:
            place = self._global(variable)
        scope.places[variable.name] = place

    def _register(self, scope: Declarations, register: Register) -> None:
        type_name = register.type
        if type_name not in TYPES:
            raise SimulationError(f"register {register.name} has the unknown type .{type_name}")
        start = len(self.program.register_bits)
        bits = TYPES[type_name].bits
        self.program.register_bits += [bits] * (1 if register.count is None else register.count)
        if register.count is None:
            scope.registers[register.name] = (start, type_name)
        else:
            scope.ranges[register.name] = (start, register.count, type_name)

    # ---- functions

    def _frame(self, function: Function) -> Frame:
        scope = Declarations(self._globals)
        frame = Frame(function, scope, Target(function.name), self.program.frames)
        self.program.frames += 1
        for declared in (*function.results, *function.params):
            if isinstance(declared, Register):
                self._register(scope, declared)
            else:
                self._declare(scope, declared)
        return frame

    def _function(self, kernel: Function) -> None:
        scope = Declarations(self._globals)
        offset = 0
        for variable in kernel.params:
            assert isinstance(variable, Variable)
            offset = -(-offset // variable.align) * variable.align
            scope.places[variable.name] = Place("param", offset, variable.size)
            self.program.params.append(variable)
            self.program.param_offsets.append(offset)
            offset += variable.size
        assert kernel.body is not None
        bodies = [(kernel, scope, Target(kernel.name))]
        code: list[tuple[Target, _Code]] = []
        done: set[str] = set()
        while bodies:
            function, scope, target = bodies.pop()
            self._current = function.name
            body = _Code()
            self._body(function.body, scope, body)
            code.append((target, body))
            for name, frame in self.frames.items():
                if name not in done:
                    done.add(name)
                    bodies.append((frame.function, frame.scope, frame.entry))
        self._reject_recursion()
        self._lay_out(code)

    def _body(self, body: Scope | None, scope: Declarations, code: _Code) -> None:
        assert body is not None
        scope.targets |= {s.name: Target(s.name) for s in body.statements if isinstance(s, Label)}
        self._statements(body.statements, scope, code)
        if isinstance(body, Scope) and (not code.items or code.items[-1].opcode not in ENDS):
            code.end(self._current)

    def _statements(self, statements: Iterable[Any], scope: Declarations, code: _Code) -> None:
        label: Target | None = None
        for statement in statements:
            if isinstance(statement, Instruction):
                code.add(statement, scope)
            elif isinstance(statement, Register):
                self._register(scope, statement)
            elif isinstance(statement, Variable):
                self._declare(scope, statement)
            elif isinstance(statement, Label):
                label = scope.targets[statement.name]
                code.mark(label)
            elif isinstance(statement, BranchTargets):
                assert label is not None
