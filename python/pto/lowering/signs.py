"""The sign bit of floats, scalars or vectors, handled as a bit: no value is changed by it, NaN
included."""

from mlir import ir
from mlir.dialects import arith

from pto.lowering import constants, lanes


def _as_bits(kind: ir.Type) -> ir.Type:
    """The integers of the same shape and width."""
    element = lanes.element(kind)
    assert isinstance(element, ir.FloatType)
    return lanes.of(kind, ir.IntegerType.get_signless(element.width))


def _constant(kind: ir.Type, number: int) -> ir.Value:
    return constants.like(kind, ir.IntegerAttr.get(lanes.element(kind), number))


def _sign_bit(kind: ir.Type) -> int:
    """As a signed number."""
    element = lanes.element(kind)
    assert isinstance(element, ir.IntegerType)
    return -(1 << (element.width - 1))


def clear(a: ir.Value) -> ir.Value:
    """The absolute value."""
    bits = _as_bits(a.type)
    rest = arith.andi(arith.bitcast(bits, a), _constant(bits, ~_sign_bit(bits)))
    return arith.bitcast(a.type, rest)


def copy(a: ir.Value, b: ir.Value) -> ir.Value:
    """The absolute value of `a` with the sign of `b`."""
    bits = _as_bits(a.type)
    sign = arith.andi(arith.bitcast(bits, b), _constant(bits, _sign_bit(bits)))
    rest = arith.andi(arith.bitcast(bits, a), _constant(bits, ~_sign_bit(bits)))
    return arith.bitcast(a.type, arith.ori(rest, sign))
