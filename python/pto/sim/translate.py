"""A kernel of a PTX module -> `Program`: one closure per instruction, made by `ops/`."""

from __future__ import annotations

from functools import lru_cache

from pto.errors import LaunchError, SimulationError

from .memory import global_address
from .ops import emit
from .parser import parse
from .program import Control, Declarations, Frame, Place, Program, Slot, Step, Target
from .site import Site
from .syntax import BranchTargets, Function, Instruction, Label, Module, Register, Scope, Variable
from .types import TYPES


@lru_cache(maxsize=256)
def translate(ptx: str, kernel: str) -> Program:
    """Parse a module and translate one of its kernels.

    Raises `LaunchError` if there is no such kernel, `SimulationError` for PTX that is not known.
    """
    module = parse(ptx)
    function = module.functions.get(kernel)
    if function is None or not function.entry or function.body is None:
        names = ", ".join(f.name for f in module.functions.values() if f.entry) or "none"
        raise LaunchError(f"no kernel '{kernel}' in the PTX module; its kernels are: {names}")
    return Translator(module, function).program


class Translator:
    """Translates a kernel and the device functions that it calls. `Site` asks what names mean."""

    def __init__(self, module: Module, kernel: Function) -> None:
        self.module = module
        self.program = Program(module, kernel, Target(kernel.name))
        self._slots: dict[Slot, int] = {}
        self._frames: dict[str, Frame] = {}
        self._module_scope = Declarations()
        for variable in module.variables.values():
            if variable.space != "shared":
                self._declare(self._module_scope, variable)
        self._body(kernel, self._kernel_scope(kernel), self.program.entry)

    # ---- what sites ask

    def slot(self, slot: Slot) -> int:
        """The number of a slot, made on first use."""
        if slot not in self._slots:
            self._slots[slot] = len(self.program.slots)
            self.program.slots.append(slot)
        return self._slots[slot]

    def place(self, scope: Declarations, name: str) -> Place | None:
        """Where a variable lies. A module's shared variables cost a kernel nothing until named."""
        place = scope.place(name)
        if place is None and name in self.module.variables:
            self._declare(self._module_scope, self.module.variables[name])
            place = scope.place(name)
        return place

    def frame(self, name: str) -> Frame | None:
        """A device function that has a body in this module, translated on first use."""
        function = self.module.functions.get(name)
        if function is None or function.body is None or function.entry:
            return None
        if name not in self._frames:
            scope = Declarations(self._module_scope, len(self._frames))
            frame = Frame(function, scope, Target(name), len(self._frames))
            self._frames[name] = frame
            self.program.frames = len(self._frames)
            for declared in (*function.results, *function.params):
                self._declare(scope, declared)
            self._body(function, scope, frame.target)
        elif self._frames[name].target.pc < 0:
            raise SimulationError(f"PTX line {function.line}: function '{name}' is recursive")
        return self._frames[name]

    # ---- declarations

    def _kernel_scope(self, kernel: Function) -> Declarations:
        scope = Declarations(self._module_scope)
        offset = 0
        for variable in kernel.params:
            if isinstance(variable, Register):
                raise SimulationError(
                    f"kernel '{kernel.name}' has the register parameter {variable.name}"
                )
            offset = _aligned(offset, variable.align)
            scope.places[variable.name] = Place("param", offset)
            self.program.params.append((variable, offset))
            offset += variable.size
        return scope

    def _declare(self, scope: Declarations, declared: Variable | Register) -> None:
        program = self.program
        if isinstance(declared, Register):
            if declared.type not in TYPES:
                raise SimulationError(
                    f"register {declared.name} has the unknown type .{declared.type}"
                )
            scope.declare_register(declared.name, len(program.register_bits), declared.many)
            count = 1 if declared.many is None else declared.many
            program.register_bits += [TYPES[declared.type].bits] * count
        elif declared.space == "shared" and declared.size == 0:
            program.dynamic_align = max(program.dynamic_align, declared.align)
            scope.places[declared.name] = Place("dynamic", 0)
        elif declared.space == "shared":
            offset = _aligned(program.shared_bytes, declared.align)
            program.shared_bytes = offset + declared.size
            scope.places[declared.name] = Place("shared", offset)
        elif declared.space in ("local", "param"):
            offset = _aligned(program.local_bytes, declared.align)
            program.local_bytes = offset + declared.size
            scope.places[declared.name] = Place("local", offset)
        else:
            address = global_address(len(program.globals))
            program.globals[declared.name] = (declared, address)
            scope.places[declared.name] = Place(declared.space, address)

    # ---- code

    def _body(self, function: Function, scope: Declarations, target: Target) -> None:
        """Translates a function. Those that it calls come before it in the program: the machine
        runs the lowest pc first, so threads come back from a call before others go on."""
        assert function.body is not None
        code = _Code()
        self._statements(function.body, scope, code)
        self._instruction(Instruction("ret", (), (), None, function.line, 0), scope, code)
        code.place(target, 0)
        code.append_to(self.program)

    def _statements(self, body: Scope, scope: Declarations, code: _Code) -> None:
        labels = [s.name for s in body.statements if isinstance(s, Label)]
        scope.targets = {name: Target(name) for name in labels}
        last: Target | None = None
        for statement in body.statements:
            match statement:
                case Instruction():
                    self._instruction(statement, scope, code)
                case Label():
                    last = scope.targets[statement.name]
                    code.place(last, len(code.steps))
                case BranchTargets():
                    self._branch_targets(statement, last, scope)
                case Scope():
                    self._statements(statement, Declarations(scope), code)
                case _:
                    self._declare(scope, statement)

    def _branch_targets(
        self, statement: BranchTargets, label: Target | None, scope: Declarations
    ) -> None:
        targets = [scope.target(name) for name in statement.labels]
        if label is None or None in targets:
            raise SimulationError(f".branchtargets {', '.join(statement.labels)}: unknown label")
        label.branches = tuple(target for target in targets if target)

    def _instruction(self, instruction: Instruction, scope: Declarations, code: _Code) -> None:
        for step in emit(Site(self, scope, instruction)):
            code.steps.append(step)
            code.origins.append(instruction)


class _Code:
    """The steps of one function, with its targets relative to its start."""

    def __init__(self) -> None:
        self.steps: list[Step | Control] = []
        self.origins: list[Instruction] = []
        self._targets: list[Target] = []

    def place(self, target: Target, pc: int) -> None:
        target.pc = pc
        self._targets.append(target)

    def append_to(self, program: Program) -> None:
        base = len(program.steps)
        for target in self._targets:
            target.pc += base
        program.steps += self.steps
        program.origins += self.origins
        stop = len(program.steps)
        stops: list[int] = []
        for pc in range(stop - 1, base - 1, -1):
            if isinstance(program.steps[pc], Control):
                stop = pc
            stops.append(stop)
        program.stops += reversed(stops)


def _aligned(offset: int, align: int) -> int:
    return -(-offset // align) * align
