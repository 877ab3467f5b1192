"""One instruction on its way to becoming steps: its modifiers and operands, ticked off as used.

An entry of `ops/` takes the modifiers that it knows and asks for operands by number. Whatever is
left over when it returns is an error, so no modifier is ever ignored by accident.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pto.errors import SimulationError

from .grid import SPECIAL
from .lanes import Lanes
from .program import Constant, Declarations, Dynamic, RegisterView, Slot, Special, Step, where
from .syntax import Address, Instruction, Literal, Name, Negated, Operand, Pair, Vector
from .types import TYPES, Array, Type, unsigned

if TYPE_CHECKING:
    from .machine import Machine
    from .translate import Translator

Read = Callable[["Machine", Lanes], Array]
Write = Callable[["Machine", Lanes, Array], None]

PREDICATE = TYPES["pred"]


class Pointer(NamedTuple):
    """An address operand: `read` gives uint64; `place` is the space of a named variable."""

    read: Read
    place: str | None


class Site:
    def __init__(
        self, translator: Translator, scope: Declarations, instruction: Instruction
    ) -> None:
        self.translator = translator
        self.scope = scope
        self.instruction = instruction
        self.opcode = instruction.opcode
        self.operands = instruction.operands
        self._modifiers = list(instruction.modifiers)
        self._used = 0

    @property
    def where(self) -> str:
        """`PTX line 57: ld.global.b32 %r1, [%rd1];`"""
        return where(self.translator.module, self.instruction)

    def error(self, text: str) -> SimulationError:
        return SimulationError(f"{text}; {self.where}")

    def finish(self) -> None:
        """Raises `SimulationError` if a modifier or an operand was not understood."""
        if self._modifiers:
            left = ", ".join("." + name for name in self._modifiers)
            raise self.error(f"{self.opcode} with {left} is not known to the simulator")
        if self._used < len(self.operands):
            raise self.error(f"{self.opcode} takes {self._used} operands, not {len(self.operands)}")

    def mark_asynchronous(self) -> None:
        """Says that the program uses clusters, mbarriers or asynchronous copies."""
        self.translator.program.asynchronous = True

    # ---- modifiers

    def take(self, *names: str) -> str | None:
        """The first modifier that is one of `names`."""
        for modifier in self._modifiers:
            if modifier in names:
                self._modifiers.remove(modifier)
                return modifier
        return None

    def need(self, *names: str) -> str:
        """Like `take`, but one of them must be there."""
        found = self.take(*names)
        if found is None:
            raise self.error(f"{self.opcode} needs one of .{', .'.join(names)}")
        return found

    def flag(self, name: str) -> bool:
        return self.take(name) is not None

    def type(self, *names: str) -> Type:
        """The first modifier that is a type; it must be one of `names`."""
        for modifier in self._modifiers:
            if modifier in TYPES:
                if modifier not in names:
                    break
                self._modifiers.remove(modifier)
                return TYPES[modifier]
        raise self.error(f"{self.opcode} needs a type out of .{', .'.join(names)}")

    def has(self, name: str) -> bool:
        return name in self._modifiers

    # ---- operands

    def operand(self, number: int) -> Operand:
        if number >= len(self.operands):
            raise self.error(f"{self.opcode} needs an operand {number + 1}")
        self._used = max(self._used, number + 1)
        return self.operands[number]

    def literal(self, number: int) -> int | None:
        """The value of an integer operand that is written as a number."""
        operand = self.operand(number)
        return operand.value if isinstance(operand, Literal) else None

    def read(self, number: int, type: Type, *, wide: bool = False) -> Read:
        """Reads operand `number` as `type`; `wide`: its register may have more bits."""
        return self.read_operand(self.operand(number), type, wide=wide)

    def read_operand(self, operand: Operand, type: Type, *, wide: bool = False) -> Read:
        if isinstance(operand, Negated) and type is PREDICATE:
            slot = self._register(operand.text, type)
            return lambda m, lanes: ~m.slots[slot][lanes]
        if isinstance(operand, Literal):
            return self._read_slot(self._constant(operand, type))
        if isinstance(operand, Vector):
            return self._read_vector(operand, type)
        if not isinstance(operand, Name):
            raise self.error("a value is expected where there is none")
        if operand.text in CLOCKS:
            return CLOCKS[operand.text](type.dtype)
        if operand.text in SPECIAL:
            return self._read_slot(Special(operand.text, type.dtype))
        if self.scope.register(operand.text) is not None:
            slot = self._register(operand.text, type, wide=wide)
            return lambda m, lanes: m.slots[slot][lanes]
        return self._read_slot(self.address_of(operand, type.dtype))

    def guard(self) -> Read | None:
        guard = self.instruction.guard
        return None if guard is None else self.read_operand(guard, PREDICATE)

    def write(self, number: int, type: Type, *, wide: bool = False) -> Write:
        """Writes operand `number` as `type`; `wide`: a wider register is sign- or zero-extended."""
        return self.write_operand(self.operand(number), type, wide=wide)

    def write_operand(self, operand: Operand, type: Type, *, wide: bool = False) -> Write:
        if isinstance(operand, Vector):
            return self._write_vector(operand, type)
        slot = self.write_slot(operand, type, wide=wide)
        if slot is None:
            return _discard

        def write(m: Machine, lanes: Lanes, value: Array) -> None:
            m.slots[slot][lanes] = value

        return write

    def write_slot(self, operand: Operand, type: Type, *, wide: bool = False) -> int | None:
        """The slot of a destination register; None for the sink `_`."""
        if not isinstance(operand, Name) or operand.offset:
            raise self.error("a register is expected as destination")
        if operand.text == "_":
            return None
        if self.scope.register(operand.text) is None:
            raise self.error(f"unknown register {operand.text}")
        if not wide:
            return self._register(operand.text, type)
        number = self.scope.register(operand.text)
        assert number is not None
        bits = self.translator.program.register_bits[number]
        if bits < type.bits:
            raise self.error(f"{operand.text} has {bits} bits, too few for .{type.name}")
        if bits == type.bits:
            return self._register(operand.text, type)
        dtype = np.dtype(f"i{bits // 8}") if type.signed else unsigned(bits)
        return self.translator.slot(RegisterView(number, dtype))

    def write_pair(self, number: int) -> tuple[Operand, Operand | None]:
        """The one or two destinations of `%p|%q`."""
        operand = self.operand(number)
        if isinstance(operand, Pair):
            return Name(operand.first), Name(operand.second)
        return operand, None

    def pointer(self, number: int) -> Pointer:
        """The address operand `[...]`."""
        operand = self.operand(number)
        if not isinstance(operand, Address) or operand.coordinates:
            raise self.error("an address [...] is expected")
        base = operand.base
        if isinstance(base, Name) and self.scope.register(base.text) is not None:
            return Pointer(self._read_address(base), None)
        if isinstance(base, Literal):
            return Pointer(self._read_slot(self._constant(base, TYPES["u64"])), None)
        if not isinstance(base, Name):
            raise self.error("an address [...] is expected")
        place = self.translator.place(self.scope, base.text)
        space = None if place is None else place.space.replace("dynamic", "shared")
        return Pointer(self._read_slot(self.address_of(base, np.dtype(np.uint64))), space)

    def address_of(self, name: Name, dtype: np.dtype[Any]) -> Slot:
        place = self.translator.place(self.scope, name.text)
        if place is None:
            raise self.error(f"unknown name {name.text}")
        if place.space == "dynamic":
            return Dynamic(dtype, name.offset)
        return Constant(dtype, place.address + name.offset)

    # ---- slots

    def _read_slot(self, slot: Slot) -> Read:
        number = self.translator.slot(slot)
        return lambda m, lanes: m.slots[number][lanes]

    def _read_address(self, base: Name) -> Read:
        number = self.scope.register(base.text)
        assert number is not None
        bits = self.translator.program.register_bits[number]
        slot = self.translator.slot(RegisterView(number, unsigned(bits)))
        offset = np.uint64(base.offset & (1 << 64) - 1)
        if bits == 64:
            if base.offset == 0:
                return lambda m, lanes: m.slots[slot][lanes]
            return lambda m, lanes: m.slots[slot][lanes] + offset
        return lambda m, lanes: m.slots[slot][lanes].astype(np.uint64) + offset

    def _register(self, name: str, type: Type, *, wide: bool = False) -> int:
        number = self.scope.register(name)
        if number is None:
            raise self.error(f"unknown register {name}")
        bits = self.translator.program.register_bits[number]
        if bits < type.bits or (bits > type.bits and not wide):
            raise self.error(f"{name} has {bits} bits, which does not fit .{type.name}")
        return self.translator.slot(RegisterView(number, type.dtype))

    def _constant(self, literal: Literal, type: Type) -> Slot:
        value = literal.value
        if literal.float_bits and type.is_float and literal.float_bits != type.bits:
            source = np.array(value, unsigned(literal.float_bits)).view(
                f"f{literal.float_bits // 8}"
            )
            if type.name not in ("f32", "f64"):
                raise self.error(f"a .f{literal.float_bits} number does not fit .{type.name}")
            with np.errstate(all="ignore"):
                value = int(source.astype(type.dtype).view(unsigned(type.bits)))
        return Constant(type.dtype, value)

    def _read_vector(self, vector: Vector, type: Type) -> Read:
        """`mov.b64 %rd1, {%r1, %r2}`: the first item has the low bits."""
        part = self._part(vector, type)
        reads = [self.read_operand(item, part) for item in vector.items]

        def read(m: Machine, lanes: Lanes) -> Array:
            columns = np.stack([r(m, lanes) for r in reads], axis=1)
            return columns.view(type.dtype)[:, 0]

        return read

    def _write_vector(self, vector: Vector, type: Type) -> Write:
        part = self._part(vector, type)
        writes = [self.write_operand(item, part) for item in vector.items]

        def write(m: Machine, lanes: Lanes, value: Array) -> None:
            columns = np.ascontiguousarray(value).view(part.dtype).reshape(value.size, -1)
            for k, w in enumerate(writes):
                w(m, lanes, columns[:, k])

        return write

    def _part(self, vector: Vector, type: Type) -> Type:
        bits = type.bits // max(len(vector.items), 1)
        if f"b{bits}" not in TYPES or bits * len(vector.items) != type.bits:
            raise self.error(f"{len(vector.items)} registers do not make up a .{type.name}")
        return TYPES[f"b{bits}"]

    # ---- steps

    def compute(
        self,
        function: Callable[..., Array],
        result: Type,
        *sources: Type,
        after: Callable[[Array], Array] | None = None,
    ) -> Step:
        """`operand 0 = function(operand 1, ...)`, with one of `sources` for each operand.

        `after` finishes the result of a ufunc in place.
        """
        reads = [self.read(1 + k, type) for k, type in enumerate(sources)]
        destination = self.operand(0)
        if isinstance(function, np.ufunc) and not isinstance(destination, Vector):
            slot = self.write_slot(destination, result)
            if slot is not None:
                return _ufunc_step(function, slot, reads, after)
        write = self.write_operand(destination, result)

        def step(m: Machine, lanes: Lanes) -> None:
            value = function(*[read(m, lanes) for read in reads])
            write(m, lanes, value if after is None else after(value))

        return step


def _ufunc_step(
    function: np.ufunc, slot: int, reads: list[Read], after: Callable[[Array], Array] | None
) -> Step:
    """Computes straight into the register where its lanes are a slice."""

    def step(m: Machine, lanes: Lanes) -> None:
        values = [read(m, lanes) for read in reads]
        if isinstance(lanes, slice):
            result = m.slots[slot][lanes]
            function(*values, out=result)
            if after is not None:
                after(result)
        else:
            value = function(*values)
            m.slots[slot][lanes] = value if after is None else after(value)

    return step


def _discard(m: Machine, lanes: Lanes, value: Array) -> None:
    """Writes to the sink `_`."""


def _clock(dtype: np.dtype[Any]) -> Read:
    return lambda m, lanes: np.full(m.count(lanes), m.stats.instructions).astype(dtype)


# Special registers that advance with the instructions executed.
CLOCKS: dict[str, Callable[[np.dtype[Any]], Read]] = dict.fromkeys(
    ("%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"),
    _clock,
)
