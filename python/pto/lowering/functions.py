"""What `tirx.map` can compute: the functions of elements, by name.

A function takes an operation, the element type (with its sign) and operands that are scalars or
vectors; it emits operations of `arith` that work on both. Floats are rounded to nearest, once per
function; integers wrap. Nothing is contracted: a product and a sum are one rounding each unless the
program says `fma`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from mlir import ir
from mlir.dialects import arith, cf

from pto.dialects import tirx
from pto.lowering import (
    constants,
    conversion,
    intrinsics,
    lanes,
    remainder,
    signs,
    transcendental,
)
from pto.passes import subject

Emit = Callable[..., ir.Value]


@dataclass(frozen=True)
class Function:
    """`emit(op, kind, *operands)` with as many operands as `inputs` says."""

    inputs: int
    emit: Emit


def is_float(kind: ir.Type) -> bool:
    return isinstance(kind, ir.FloatType)


def is_unsigned(kind: ir.Type) -> bool:
    return isinstance(kind, ir.IntegerType) and kind.is_unsigned


def constant(like: ir.Value, number: float) -> ir.Value:
    """`number` as a scalar or a vector of the type of `like`."""
    kind = like.type
    element = lanes.element(kind)
    value = (
        ir.FloatAttr.get(element, float(number))
        if is_float(element)
        else ir.IntegerAttr.get(element, int(number))
    )
    return constants.like(kind, value)


# Integers and floats alike ------------------------------------------------------------------------


def _of_numbers(floats: Emit, signed: Emit, unsigned: Emit | None = None) -> Function:
    """A function of two operands with one operation of `arith` per kind of element."""

    def emit_(_: Any, kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
        if is_float(kind):
            return floats(a, b)
        return (unsigned or signed)(a, b) if is_unsigned(kind) else signed(a, b)

    return Function(2, emit_)


def _fma(_: Any, kind: ir.Type, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    return intrinsics.fma(a, b, c) if is_float(kind) else arith.addi(arith.muli(a, b), c)


def _neg(_: Any, kind: ir.Type, a: ir.Value) -> ir.Value:
    """Of a float the sign bit alone, whatever the value."""
    return arith.negf(a) if is_float(kind) else arith.subi(constant(a, 0), a)


def _abs(_: Any, kind: ir.Type, a: ir.Value) -> ir.Value:
    """The smallest signed integer stays as it is: its absolute value wraps to itself."""
    if is_float(kind):
        return signs.clear(a)
    if is_unsigned(kind):
        return a
    negative = arith.cmpi(arith.CmpIPredicate.slt, a, constant(a, 0))
    return arith.select(negative, arith.subi(constant(a, 0), a), a)


def _relu(_: Any, kind: ir.Type, a: ir.Value) -> ir.Value:
    """NaN is not at most zero and stays; -0 becomes +0."""
    if is_float(kind):
        at_most_zero = arith.cmpf(arith.CmpFPredicate.OLE, a, constant(a, 0))
        return arith.select(at_most_zero, constant(a, 0), a)
    return a if is_unsigned(kind) else arith.maxsi(a, constant(a, 0))


# Division -----------------------------------------------------------------------------------------


def _check_divisor(op: Any, divisor: ir.Value) -> None:
    """The kernel stops at a divisor of zero, for which integers have no quotient."""
    found = [
        arith.cmpi(arith.CmpIPredicate.ne, lane, constant(lane, 0)) for lane in lanes.split(divisor)
    ]
    cf.assert_(reduce(arith.andi, found), f"'{subject(op)}' op divides by zero")


def _wide(kind: ir.Type, a: ir.Value) -> ir.Value:
    """An integer of 32 bits or more: PTX divides no bytes."""
    i32 = ir.IntegerType.get_signless(32)
    if _bits(a) >= 32:
        return a
    return arith.extui(i32, a) if is_unsigned(kind) else arith.extsi(i32, a)


def _bits(a: ir.Value) -> int:
    assert isinstance(a.type, ir.IntegerType)
    return a.type.width


def _quotient(kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    """Towards zero. MLIR leaves the smallest integer by -1 undefined; here it wraps."""
    if is_unsigned(kind):
        return arith.divui(a, b)
    wraps = arith.cmpi(arith.CmpIPredicate.eq, b, constant(b, -1))
    safe = arith.divsi(a, arith.select(wraps, constant(b, 1), b))
    return arith.select(wraps, arith.subi(constant(a, 0), a), safe)


def _modulo(kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    """With the sign of the divisor."""
    if is_unsigned(kind):
        return arith.remui(a, b)
    zero = constant(a, 0)
    wraps = arith.cmpi(arith.CmpIPredicate.eq, b, constant(b, -1))
    rest = arith.remsi(a, arith.select(wraps, constant(b, 1), b))
    signs_differ = arith.cmpi(arith.CmpIPredicate.slt, arith.xori(rest, b), zero)
    moves = arith.andi(arith.cmpi(arith.CmpIPredicate.ne, rest, zero), signs_differ)
    return arith.select(moves, arith.addi(rest, b), rest)


def _of_integers(function: Callable[..., ir.Value], op: Any, kind: ir.Type, a: Any, b: Any):
    _check_divisor(op, b)

    def narrow(x: ir.Value, y: ir.Value) -> ir.Value:
        result = function(kind, _wide(kind, x), _wide(kind, y))
        return result if result.type == x.type else arith.trunci(x.type, result)

    return lanes.each(narrow, a, b)


def _div(op: Any, kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    if not is_float(kind):
        return _of_integers(_quotient, op, kind, a, b)
    return _transcendental("div", op, a, b) if op.approx else arith.divf(a, b)


def _rem(op: Any, kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    if is_float(kind):
        return lanes.each(remainder.floored, a, b)
    return _of_integers(_modulo, op, kind, a, b)


# Transcendental functions -------------------------------------------------------------------------


def _transcendental(name: str, op: Any, *operands: ir.Value) -> ir.Value:
    return transcendental.apply(name, *operands, approx=bool(op.approx))


def _of_floats(name: str) -> Function:
    return Function(1, lambda op, _, a: _transcendental(name, op, a))


def _expdif(op: Any, kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    """The difference is rounded to the type of the result."""
    a, b = (lanes.widen(x, kind) for x in (a, b))
    return _transcendental("exp", op, arith.subf(a, b))


# Conversion ---------------------------------------------------------------------------------------


def _cast(op: Any, kind: ir.Type, a: ir.Value) -> ir.Value:
    """Lane by lane, but for what has instructions for two lanes at once."""
    source = op.srcs[0].type
    cast = conversion.Cast(
        source=source.element_type if isinstance(source, tirx.BufferType) else source,
        target=kind,
        rounding=op.rounding.value if op.rounding else "nearest",
        saturate=bool(op.saturate),
    )
    return cast.floats(a) if cast.is_plain else lanes.each(cast.scalar, a)


# Bits ---------------------------------------------------------------------------------------------


def _of_bits(operation: Emit) -> Function:
    return Function(2, lambda _, __, a, b: operation(a, b))


def _not(_: Any, __: ir.Type, a: ir.Value) -> ir.Value:
    return arith.xori(a, constant(a, -1))


def _shift(signed: Emit, unsigned: Emit) -> Function:
    """By the low bits of the count, as many as the width of an element asks for."""

    def emit_(_: Any, kind: ir.Type, a: ir.Value, count: ir.Value) -> ir.Value:
        assert isinstance(kind, ir.IntegerType)
        masked = arith.andi(count, constant(count, kind.width - 1))
        return unsigned(a, masked) if is_unsigned(kind) else signed(a, masked)

    return Function(2, emit_)


FUNCTIONS: dict[str, Function] = {
    "add": _of_numbers(arith.addf, arith.addi),
    "sub": _of_numbers(arith.subf, arith.subi),
    "mul": _of_numbers(arith.mulf, arith.muli),
    "max": _of_numbers(intrinsics.maxnum, arith.maxsi, arith.maxui),
    "min": _of_numbers(intrinsics.minnum, arith.minsi, arith.minui),
    "fma": Function(3, _fma),
    "div": Function(2, _div),
    "rem": Function(2, _rem),
    "and": _of_bits(arith.andi),
    "or": _of_bits(arith.ori),
    "xor": _of_bits(arith.xori),
    "shl": _shift(arith.shli, arith.shli),
    "shr": _shift(arith.shrsi, arith.shrui),
    "exp": _of_floats("exp"),
    "log": _of_floats("log"),
    "sqrt": _of_floats("sqrt"),
    "rsqrt": _of_floats("rsqrt"),
    "recip": _of_floats("recip"),
    "expdif": Function(2, _expdif),
    "cast": Function(1, _cast),
    "copy": Function(1, lambda _, __, a: a),
    "not": Function(1, _not),
    "abs": Function(1, _abs),
    "neg": Function(1, _neg),
    "relu": Function(1, _relu),
}

_FLOAT_RELATIONS = {
    "eq": arith.CmpFPredicate.OEQ,
    "ne": arith.CmpFPredicate.UNE,
    "lt": arith.CmpFPredicate.OLT,
    "gt": arith.CmpFPredicate.OGT,
    "le": arith.CmpFPredicate.OLE,
    "ge": arith.CmpFPredicate.OGE,
}
_SIGNED_RELATIONS = {
    "eq": arith.CmpIPredicate.eq,
    "ne": arith.CmpIPredicate.ne,
    "lt": arith.CmpIPredicate.slt,
    "gt": arith.CmpIPredicate.sgt,
    "le": arith.CmpIPredicate.sle,
    "ge": arith.CmpIPredicate.sge,
}
_UNSIGNED_RELATIONS = {
    **_SIGNED_RELATIONS,
    "lt": arith.CmpIPredicate.ult,
    "gt": arith.CmpIPredicate.ugt,
    "le": arith.CmpIPredicate.ule,
    "ge": arith.CmpIPredicate.uge,
}


def relation(name: str, kind: ir.Type, a: ir.Value, b: ir.Value) -> ir.Value:
    """An `i1`: whether `a name b` holds. A NaN is unequal to everything and in no order."""
    if is_float(kind):
        return arith.cmpf(_FLOAT_RELATIONS[name], a, b)
    relations = _UNSIGNED_RELATIONS if is_unsigned(kind) else _SIGNED_RELATIONS
    return arith.cmpi(relations[name], a, b)


def known_function(op: Any, _: Any = None) -> str | None:
    """The function exists and takes as many operands as there are sources."""
    name = op.function.value
    function = FUNCTIONS.get(name)
    if function is None:
        return f"known_function: no '{name}'; there are {', '.join(FUNCTIONS)}"
    if function.inputs != len(op.srcs):
        return f"known_function: '{name}' takes {function.inputs} sources, not {len(op.srcs)}"
    return None


def apply(op: Any, operands: Sequence[ir.Value]) -> ir.Value:
    """The function of a `tirx.map`."""
    return FUNCTIONS[op.function.value].emit(op, op.dst.type.element_type, *operands)
