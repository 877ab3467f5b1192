"""The `arith` dialect on scalars.

Integers wrap at the width of their type. What MLIR leaves undefined is a fault (division by zero, a
shift by the width or more) or does what PTX does (float to integer saturates).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from pto.ops.reduction import TCOLMAX, TCOLMIN
from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault, no_meaning
from pto.reference.scalars import (
    bits_of,
    dtype_of,
    float_from_float64,
    float_from_int,
    int_from_float,
    is_integer,
    signed,
    unsigned,
)


def _float_dtype(op: Any, type: Any) -> np.dtype[Any]:
    dtype = None if is_integer(type) else dtype_of(type)
    if dtype is None:
        raise no_meaning(op, f"type {type}")
    return dtype


def _bits(op: Any, type: Any) -> int:
    if not is_integer(type):
        raise no_meaning(op, f"type {type}")
    return bits_of(type)


def _constant(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    value, type = op.attributes["value"], op.results[0].type
    if is_integer(type):
        return [signed(int(value.value), bits_of(type))]
    return [_float_dtype(op, type).type(value.value)]


def _select(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    condition, if_true, if_false = operands
    return [if_true if condition else if_false]


# ---- integers


def _signed_binary(compute: Callable[[int, int], int]) -> Handler:
    def handler(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        bits = _bits(op, op.results[0].type)
        return [signed(compute(*operands), bits)]

    return handler


def _unsigned_binary(compute: Callable[[int, int], int]) -> Handler:
    def handler(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        bits = _bits(op, op.results[0].type)
        left, right = (unsigned(operand, bits) for operand in operands)
        return [signed(compute(left, right), bits)]

    return handler


def _division(binary: Handler) -> Handler:
    def handler(cta: Cta, op: Any, operands: list[Any]) -> Any:
        if operands[1] == 0:
            raise fault(op, f"divides {operands[0]} by zero")
        return binary(cta, op, operands)

    return handler


def _shift(binary: Handler) -> Handler:
    def handler(cta: Cta, op: Any, operands: list[Any]) -> Any:
        bits = _bits(op, op.results[0].type)
        amount = unsigned(operands[1], bits)
        if amount >= bits:
            raise fault(op, f"shifts {bits} bits by {amount}")
        return binary(cta, op, [operands[0], amount])

    return handler


def _divide_towards_zero(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder_towards_zero(left: int, right: int) -> int:
    return left - right * _divide_towards_zero(left, right)


def _divide_up(left: int, right: int) -> int:
    return -(-left // right)


_COMPARE_INTEGERS: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]
"""By predicate: eq ne slt sle sgt sge. Then ult ule ugt uge, the last four on unsigned operands."""


def _cmpi(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    bits = _bits(op, op.operands[0].type)
    predicate: int = op.attributes["predicate"].value
    if predicate >= len(_COMPARE_INTEGERS):
        predicate -= 4
        operands = [unsigned(operand, bits) for operand in operands]
    return [signed(_COMPARE_INTEGERS[predicate](*operands), 1)]


def _from_signed(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    return [signed(operands[0], _bits(op, op.results[0].type))]


def _from_unsigned(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    source = unsigned(operands[0], _bits(op, op.operands[0].type))
    return [signed(source, _bits(op, op.results[0].type))]


# ---- floats


def _float_binary(compute: Callable[[Any, Any], Any]) -> Handler:
    """f16 and bf16 are computed in float32, where a second rounding does no harm to + - * /."""

    def handler(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        dtype = _float_dtype(op, op.results[0].type)
        wide = np.float64 if dtype == np.float64 else np.float32
        with np.errstate(all="ignore"):
            return [dtype.type(compute(wide(operands[0]), wide(operands[1])))]

    return handler


def _maxnum(left: Any, right: Any) -> Any:
    return TCOLMAX.step(np.array([left]), np.array([right]))[0]


def _minnum(left: Any, right: Any) -> Any:
    return TCOLMIN.step(np.array([left]), np.array([right]))[0]


def _maximum(left: Any, right: Any) -> Any:
    return left + right if np.isnan(left) or np.isnan(right) else _maxnum(left, right)


def _minimum(left: Any, right: Any) -> Any:
    return left + right if np.isnan(left) or np.isnan(right) else _minnum(left, right)


def _negf(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    _float_dtype(op, op.results[0].type)
    return [-operands[0]]


_LESS, _EQUAL, _GREATER, _UNORDERED = 1, 2, 4, 8
_COMPARE_FLOATS: list[int] = [
    0,
    _EQUAL,
    _GREATER,
    _GREATER | _EQUAL,
    _LESS,
    _LESS | _EQUAL,
    _LESS | _GREATER,
    _LESS | _EQUAL | _GREATER,
    _UNORDERED | _EQUAL,
    _UNORDERED | _GREATER,
    _UNORDERED | _GREATER | _EQUAL,
    _UNORDERED | _LESS,
    _UNORDERED | _LESS | _EQUAL,
    _UNORDERED | _LESS | _GREATER,
    _UNORDERED,
    _UNORDERED | _LESS | _EQUAL | _GREATER,
]
"""The outcomes for which a predicate holds: false, six ordered, ord, six unordered, uno, true."""


def _cmpf(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    _float_dtype(op, op.operands[0].type)
    left, right = (float(operand) for operand in operands)
    if left != left or right != right:
        outcome = _UNORDERED
    else:
        outcome = _LESS if left < right else _EQUAL if left == right else _GREATER
    predicate: int = op.attributes["predicate"].value
    return [signed(_COMPARE_FLOATS[predicate] & outcome != 0, 1)]


def _float_to_float(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    if "roundingmode" in op.attributes:
        raise no_meaning(op, "a rounding mode")
    _float_dtype(op, op.operands[0].type)
    return [float_from_float64(float(operands[0]), _float_dtype(op, op.results[0].type))]


def _sitofp(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    _bits(op, op.operands[0].type)
    return [float_from_int(operands[0], _float_dtype(op, op.results[0].type))]


def _uitofp(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    value = unsigned(operands[0], _bits(op, op.operands[0].type))
    return [float_from_int(value, _float_dtype(op, op.results[0].type))]


def _fptosi(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    half = 1 << (_bits(op, op.results[0].type) - 1)
    return [int_from_float(float(operands[0]), -half, half - 1)]


def _fptoui(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    bits = _bits(op, op.results[0].type)
    return [signed(int_from_float(float(operands[0]), 0, (1 << bits) - 1), bits)]


HANDLERS: dict[str, Handler] = {
    "arith.constant": _constant,
    "arith.select": _select,
    "arith.addi": _signed_binary(lambda a, b: a + b),
    "arith.subi": _signed_binary(lambda a, b: a - b),
    "arith.muli": _signed_binary(lambda a, b: a * b),
    "arith.divsi": _division(_signed_binary(_divide_towards_zero)),
    "arith.divui": _division(_unsigned_binary(lambda a, b: a // b)),
    "arith.remsi": _division(_signed_binary(_remainder_towards_zero)),
    "arith.remui": _division(_unsigned_binary(lambda a, b: a % b)),
    "arith.ceildivsi": _division(_signed_binary(_divide_up)),
    "arith.ceildivui": _division(_unsigned_binary(_divide_up)),
    "arith.floordivsi": _division(_signed_binary(lambda a, b: a // b)),
    "arith.maxsi": _signed_binary(max),
    "arith.maxui": _unsigned_binary(max),
    "arith.minsi": _signed_binary(min),
    "arith.minui": _unsigned_binary(min),
    "arith.andi": _signed_binary(lambda a, b: a & b),
    "arith.ori": _signed_binary(lambda a, b: a | b),
    "arith.xori": _signed_binary(lambda a, b: a ^ b),
    "arith.shli": _shift(_signed_binary(lambda a, b: a << b)),
    "arith.shrsi": _shift(_signed_binary(lambda a, b: a >> b)),
    "arith.shrui": _shift(_unsigned_binary(lambda a, b: a >> b)),
    "arith.cmpi": _cmpi,
    "arith.extsi": _from_signed,
    "arith.extui": _from_unsigned,
    "arith.trunci": _from_signed,
    "arith.index_cast": _from_signed,
    "arith.index_castui": _from_unsigned,
    "arith.addf": _float_binary(lambda a, b: a + b),
    "arith.subf": _float_binary(lambda a, b: a - b),
    "arith.mulf": _float_binary(lambda a, b: a * b),
    "arith.divf": _float_binary(lambda a, b: a / b),
    "arith.maximumf": _float_binary(_maximum),
    "arith.minimumf": _float_binary(_minimum),
    "arith.maxnumf": _float_binary(_maxnum),
    "arith.minnumf": _float_binary(_minnum),
    "arith.negf": _negf,
    "arith.cmpf": _cmpf,
    "arith.extf": _float_to_float,
    "arith.truncf": _float_to_float,
    "arith.sitofp": _sitofp,
    "arith.uitofp": _uitofp,
    "arith.fptosi": _fptosi,
    "arith.fptoui": _fptoui,
}
