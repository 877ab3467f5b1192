"""What a parsed PTX module consists of."""

from __future__ import annotations

from typing import NamedTuple


class Name(NamedTuple):
    """A register, special register, variable, function or label, plus a byte offset."""

    text: str
    offset: int = 0


class Negated(NamedTuple):
    """`!%p`."""

    text: str


class Literal(NamedTuple):
    """A number: `value` is its bit pattern when `float_bits` is 32 or 64, else the integer."""

    value: int
    float_bits: int = 0


class Pair(NamedTuple):
    """`%p|%q`: two destinations."""

    first: str
    second: str


class Vector(NamedTuple):
    """`{%r1, %r2}`."""

    items: tuple[Operand, ...]


class Address(NamedTuple):
    """`[%rd1+16]`; a tensor address has coordinates after its base."""

    base: Operand
    coordinates: tuple[Operand, ...] = ()


class Arguments(NamedTuple):
    """`(param0, param1)` of a call."""

    items: tuple[Operand, ...]


Operand = Name | Negated | Literal | Pair | Vector | Address | Arguments


class Instruction(NamedTuple):
    """One statement. `modifiers` are the opcode's dotted parts after the first.

    `start` is the place of the opcode in the module's text.
    """

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Name | Negated | None
    line: int
    start: int


class Label(NamedTuple):
    name: str


class BranchTargets(NamedTuple):
    labels: tuple[str, ...]


class Variable(NamedTuple):
    """A declaration in a state space; `size` in bytes, 0 for an unsized (`x[]`) array.

    `initial` holds numbers and the addresses of other variables, flattened, `width` bytes each.
    """

    space: str
    name: str
    width: int
    size: int
    align: int
    initial: tuple[Literal | Name, ...]
    extern: bool
    line: int


class Register(NamedTuple):
    """`%r<10>` declares %r0 to %r9: `many` is 10. A plain `%r` has `many` None."""

    name: str
    type: str
    many: int | None


class Scope(NamedTuple):
    """`{ ... }`: its labels, registers and variables are its own."""

    statements: tuple[Statement, ...]


Statement = Instruction | Label | BranchTargets | Variable | Register | Scope


class Function(NamedTuple):
    """An entry (a kernel) or a device function; `body` is None for a declaration.

    `limits` holds the launch bounds, such as `{"reqntid": (128, 1, 1)}`.
    """

    name: str
    entry: bool
    results: tuple[Variable | Register, ...]
    params: tuple[Variable | Register, ...]
    limits: dict[str, tuple[int, ...]]
    body: Scope | None
    line: int


class Module(NamedTuple):
    text: str
    target: tuple[str, ...]
    functions: dict[str, Function]
    variables: dict[str, Variable]
