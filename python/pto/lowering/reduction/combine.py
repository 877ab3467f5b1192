"""The arithmetic of reductions: how two elements combine, and from what a fold starts."""

from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.dialects import tirx
from pto.lowering import emit
from pto.target import Target

PRIMITIVES = ("tirx.sum", "tirx.prod", "tirx.max", "tirx.min")

_FLOAT: dict[str, Callable[[ir.Value, ir.Value], ir.Value]] = {
    "tirx.sum": arith.addf,
    "tirx.prod": arith.mulf,
    "tirx.max": arith.maxnumf,
    "tirx.min": arith.minnumf,
}
_SIGNED: dict[str, Callable[[ir.Value, ir.Value], ir.Value]] = {
    "tirx.sum": arith.addi,
    "tirx.prod": arith.muli,
    "tirx.max": arith.maxsi,
    "tirx.min": arith.minsi,
}
_UNSIGNED = {**_SIGNED, "tirx.max": arith.maxui, "tirx.min": arith.minui}


def combine(op: Any, a: ir.Value, b: ir.Value) -> ir.Value:
    """One step of the reduction `op`. Floats are rounded once, to nearest; `max` and `min` drop a
    NaN if the other operand is a number and order -0 below +0; integers wrap."""
    kind = op.src.type.element_type
    name = op.operation.name
    if isinstance(kind, ir.FloatType):
        return _FLOAT[name](a, b)
    return (_UNSIGNED if kind.is_unsigned else _SIGNED)[name](a, b)


def starts_from_element(op: Any) -> bool:
    """`max` and `min` start from an element: there is no number below a NaN."""
    return op.operation.name in ("tirx.max", "tirx.min")


def identity(op: Any, kind: ir.Type) -> ir.Value:
    """The value from which a sum (0) or a product (1) starts."""
    one = int(op.operation.name == "tirx.prod")
    return arith.constant(kind, float(one) if isinstance(kind, ir.FloatType) else one)


def order_is_free(op: Any, _: Target) -> str | None:
    """Every order of combination gives the same bits, or the program allows any."""
    if "strict" not in op.attributes:
        return None
    if starts_from_element(op) or isinstance(op.src.type.element_type, ir.IntegerType):
        return None
    return "order_is_free: the reduction is strict and rounds; fastmath<reassoc> would allow it"


def accumulator(op: Any) -> ir.Type:
    """The type that partial results have when the order is free: f32 for f16 and bf16."""
    buffer = op.src.type
    assert isinstance(buffer, tirx.BufferType)
    kind = emit.element(buffer)
    sums = not starts_from_element(op)
    is_half = isinstance(kind, ir.F16Type | ir.BF16Type)
    return ir.F32Type.get() if sums and is_half and "strict" not in op.attributes else kind


def widen(value: ir.Value, kind: ir.Type) -> ir.Value:
    """An element as an accumulator."""
    return value if value.type == kind else arith.extf(kind, value)


def narrow(value: ir.Value, kind: ir.Type) -> ir.Value:
    """An accumulator as an element, rounded once."""
    return value if value.type == kind else arith.truncf(kind, value)
