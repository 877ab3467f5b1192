"""PTX text -> `Module`, without judging what it means.

The grammar is `grammar.lark`; this file turns its matches into the tuples of `syntax.py`.
"""

from __future__ import annotations

import math
import struct
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken

from pto.errors import SimulationError

from .syntax import (
    Address,
    Arguments,
    BranchTargets,
    Function,
    Instruction,
    Label,
    Literal,
    Module,
    Name,
    Negated,
    Operand,
    Pair,
    Register,
    Scope,
    Statement,
    Variable,
    Vector,
)

LIMITS = {
    "maxntid",
    "reqntid",
    "minnctapersm",
    "maxnreg",
    "maxclusterrank",
    "reqnctapercluster",
    "explicitcluster",
    "blocksareclusters",
    "noreturn",
}
VECTORS = {"v2": 2, "v4": 4}
WIDTHS = {"b8": 1, "b16": 2, "b32": 4, "b64": 8, "b128": 16} | {
    f"{kind}{bits}": bits // 8
    for kind, sizes in {"u": (8, 16, 32, 64), "s": (8, 16, 32, 64), "f": (16, 32, 64)}.items()
    for bits in sizes
}


@lru_cache(maxsize=256)
def parse(ptx: str) -> Module:
    """Parse a PTX module. Raises `SimulationError` naming the line that makes no sense."""
    try:
        module = cast(Module, _grammar().parse(ptx))
    except UnexpectedInput as error:
        if isinstance(error, UnexpectedToken) and error.token.type == "$END":
            raise SimulationError("PTX text ends too early") from None
        text = ptx.splitlines()[error.line - 1].strip()
        raise SimulationError(f"PTX line {error.line}: cannot read `{text}`") from None
    return module._replace(text=ptx)


def instruction_text(text: str, start: int) -> str:
    """The statement whose opcode is at `start`, its guard included, on one line."""
    begin = max(text.rfind(mark, 0, start) for mark in ";{}:\n") + 1
    return " ".join(text[begin : text.find(";", start) + 1].split())


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text()
    return Lark(grammar, start="module", parser="lalr", lexer="basic", transformer=_Builder())


class _Array(NamedTuple):
    """A declarator: `name`, `name<many>`, or `name[n][m] = {...}`."""

    name: Token
    many: int | None
    dimensions: tuple[int, ...]
    initial: tuple[Literal | Name, ...]


class _Header(NamedTuple):
    target: tuple[str, ...]


def _line(token: Token) -> int:
    return token.line or 0


def _number(text: str) -> int:
    text = text.rstrip("U")
    if len(text) > 1 and text[0] == "0" and text.isdigit():
        return int(text, 8)
    return int(text, 0)


@v_args(inline=True)
class _Builder(Transformer[Token, Module]):
    """One method per grammar rule, bottom up."""

    # ---- operands

    def name(self, token: Token) -> Name:
        return Name(str(token))

    def name_plus(self, token: Token, offset: Token) -> Name:
        return Name(str(token), _number(offset))

    def name_minus(self, token: Token, offset: Token) -> Name:
        return Name(str(token), -_number(offset))

    def generic_address(self, _: Token, name: Name) -> Name:
        return name

    def literal(self, token: Token) -> Literal:
        kind = token[:2]
        if kind in ("0f", "0F"):
            return Literal(int(token[2:], 16), 32)
        if kind in ("0d", "0D"):
            return Literal(int(token[2:], 16), 64)
        if "." in token:
            return Literal(int.from_bytes(struct.pack("<d", float(token)), "little"), 64)
        return Literal(_number(token))

    def negative(self, token: Token) -> Literal:
        literal = self.literal(token)
        if literal.float_bits:
            return literal._replace(value=literal.value ^ 1 << (literal.float_bits - 1))
        return Literal(-literal.value)

    def negated(self, token: Token) -> Negated:
        return Negated(str(token))

    def pair(self, first: Token, second: Token) -> Pair:
        return Pair(str(first), str(second))

    def address(self, base: Operand, *coordinates: Operand) -> Address:
        return Address(base, coordinates)

    def vector(self, *items: Operand | None) -> Vector:
        return Vector(tuple(item for item in items if item is not None))

    def arguments(self, *items: Operand | None) -> Arguments:
        return Arguments(tuple(item for item in items if item is not None))

    # ---- statements

    def guard(self, token: Token) -> Name:
        return Name(str(token))

    def guard_not(self, token: Token) -> Negated:
        return Negated(str(token))

    def instruction(self, *parts: Any) -> Instruction:
        guard = None if isinstance(parts[0], Token) else parts[0]
        opcode, *operands = parts if guard is None else parts[1:]
        name, *modifiers = opcode.split(".")
        if operands == [None]:
            operands = []
        return Instruction(
            name, tuple(modifiers), tuple(operands), guard, _line(opcode), opcode.start_pos or 0
        )

    def label(self, token: Token) -> Label:
        return Label(str(token))

    def branch_targets(self, *labels: Token) -> BranchTargets:
        return BranchTargets(tuple(map(str, labels)))

    def body(self, *statements: Any) -> Scope:
        flat: list[Statement] = []
        for statement in statements:
            flat.extend(statement if type(statement) is list else (statement,))
        return Scope(tuple(flat))

    # ---- declarations

    def dimension(self, size: Token | None) -> int:
        return _number(size) if size else 0

    def declarator(self, name: Token, count: Token | None, *rest: Any) -> _Array:
        *dimensions, initial = rest
        return _Array(name, _number(count) if count else None, tuple(dimensions), _flat(initial))

    def alignment(self, number: Token) -> int:
        return _number(number)

    def qualifier(self, token: Token) -> str:
        return token[1:]

    def register(self, _: Token, *parts: Any) -> list[Register]:
        types = [part[1:] for part in parts if isinstance(part, Token)]
        arrays = [part for part in parts if isinstance(part, _Array)]
        return [Register(str(array.name), ".".join(types), array.many) for array in arrays]

    def variable(self, *parts: Any) -> list[Variable]:
        linkage = [part for part in parts if isinstance(part, _Linkage)]
        space, *rest = parts[len(linkage) :]
        qualifiers = [part for part in rest if not isinstance(part, _Array)]
        extern = _Linkage(".extern") in linkage
        return [_variable(space, qualifiers, array, extern) for array in rest[len(qualifiers) :]]

    def parameter(self, space: Token, *parts: Any) -> Variable | Register:
        *qualifiers, array = parts
        if space == ".reg":
            return Register(str(array.name), qualifiers[-1], None)
        return _variable(space, qualifiers, array, False)

    # ---- functions and the module

    def linkage(self, token: Token) -> _Linkage:
        return _Linkage(token)

    def parameters(self, *items: Variable | Register | None) -> tuple[Variable | Register, ...]:
        return tuple(item for item in items if item is not None)

    def attribute(self, name: Token, *numbers: Token | None) -> tuple[str, tuple[int, ...]]:
        if name[1:] not in LIMITS:
            raise SimulationError(f"PTX line {_line(name)}: unknown directive `{name}`")
        return name[1:], tuple(_number(number) for number in numbers if number)

    def entry(self, *parts: Any) -> Function:
        return _function(parts, entry=True)

    def func(self, *parts: Any) -> Function:
        return _function(parts, entry=False)

    def version(self, _: Token) -> None:
        return None

    def target(self, *names: Token) -> _Header:
        return _Header(tuple(map(str, names)))

    def address_size(self, number: Token) -> None:
        if number != "64":
            raise SimulationError(f"PTX line {_line(number)}: only .address_size 64 is known")

    def module(self, *items: Any) -> Module:
        target: tuple[str, ...] = ()
        functions: dict[str, Function] = {}
        variables: dict[str, Variable] = {}
        for item in items:
            if isinstance(item, _Header):
                target = item.target
            elif isinstance(item, Function):
                if item.body or item.name not in functions:
                    functions[item.name] = item
            elif item is not None:
                variables |= {variable.name: variable for variable in item}
        return Module("", target, functions, variables)


def _flat(initial: Operand | None) -> tuple[Literal | Name, ...]:
    if isinstance(initial, Vector):
        return tuple(value for item in initial.items for value in _flat(item))
    return (initial,) if isinstance(initial, Literal | Name) else ()


class _Linkage(str):
    """`.extern`, `.visible`, `.weak` or `.common`."""


def _variable(space: Token, qualifiers: list[str | int], array: _Array, extern: bool) -> Variable:
    types = [WIDTHS[q] for q in qualifiers if q in WIDTHS]
    given = [q for q in qualifiers if isinstance(q, int)]
    known = (*WIDTHS, *VECTORS, *given, "ptr", "global", "shared", "const", "local", "param")
    unknown = [f".{q}" for q in qualifiers if q not in known]
    if len(types) != 1 or unknown:
        what = unknown[0] if unknown else "its type"
        raise SimulationError(f"PTX line {_line(space)}: {what} of `{array.name}` is not known")
    width = types[0] * math.prod(VECTORS[q] for q in qualifiers if q in VECTORS)
    count = math.prod(array.dimensions)
    # `.ptr .global .align 1` states the alignment of what a pointer points to, not of the pointer.
    align = given[0] if given and "ptr" not in qualifiers else width
    if array.dimensions and count == 0 and array.initial:
        count = len(array.initial)
    return Variable(
        space[1:],
        str(array.name),
        types[0],
        width * count,
        align,
        array.initial,
        extern,
        _line(space),
    )


def _function(parts: tuple[Any, ...], entry: bool) -> Function:
    name: Token = next(part for part in parts if isinstance(part, Token))
    where = parts.index(name)
    results = [part for part in parts[:where] if not isinstance(part, _Linkage)]
    rest = parts[where + 1 :]
    body = next((part for part in rest if isinstance(part, Scope)), None)
    params = rest[0] if rest and not isinstance(rest[0], Scope) and _is_params(rest[0]) else ()
    limits = {part[0]: part[1] for part in rest if _is_limit(part)}
    return Function(
        str(name), entry, results[0] if results else (), params, limits, body, _line(name)
    )


def _is_limit(part: Any) -> bool:
    return type(part) is tuple and len(part) == 2 and isinstance(part[0], str)


def _is_params(part: Any) -> bool:
    return type(part) is tuple and not _is_limit(part)
