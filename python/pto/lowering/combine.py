"""The arithmetic of reductions: how two elements combine, and from what a fold starts.

One rule for all variants. Sums and products start from what changes nothing, -0 and 1, but a strict
sum from +0, as the PTO specification says; `max` and `min` start from an element, so there is no
value below which a NaN could hide. Floats are rounded to nearest. `max` and `min` drop a NaN if
there is a number and order -0 below +0, as PTX does, or propagate it under `propagate_nan`.
Integers wrap. Subnormals stay, unless `ftz` is set: then every operation flushes, and so does the
reduction of a single element.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith, vector

from pto.lowering import emit, intrinsics, lanes
from pto.target import Target

PRIMITIVES = ("tirx.sum", "tirx.prod", "tirx.max", "tirx.min")

Combine = Callable[[ir.Value, ir.Value], ir.Value]
Step = Callable[[Any, ir.Value, ir.Value], ir.Value]

_FLOAT: dict[str, Combine] = {
    "tirx.sum": arith.addf,
    "tirx.prod": arith.mulf,
    "tirx.max": intrinsics.maxnum,
    "tirx.min": intrinsics.minnum,
}
_FLOAT_WITH_NAN: dict[str, Combine] = {
    **_FLOAT,
    "tirx.max": arith.maximumf,
    "tirx.min": arith.minimumf,
}
_SIGNED: dict[str, Combine] = {
    "tirx.sum": arith.addi,
    "tirx.prod": arith.muli,
    "tirx.max": arith.maxsi,
    "tirx.min": arith.minsi,
}
_UNSIGNED: dict[str, Combine] = {**_SIGNED, "tirx.max": arith.maxui, "tirx.min": arith.minui}

# The PTX spelling of an operation on f32, with its intrinsic for one element.
_PTX = {"tirx.sum": "add.rn", "tirx.prod": "mul.rn", "tirx.max": "max", "tirx.min": "min"}
_INTRINSIC = {
    "tirx.sum": "llvm.nvvm.add.rn.ftz",
    "tirx.prod": "llvm.nvvm.mul.rn.ftz",
    "tirx.max": "llvm.nvvm.fmax.ftz",
    "tirx.min": "llvm.nvvm.fmin.ftz",
}


def has(op: Any, flag: str) -> bool:
    """Whether the operation carries a unit attribute."""
    return flag in op.operation.attributes


def combine(op: Any, a: ir.Value, b: ir.Value) -> ir.Value:
    """One step of the reduction `op`, on elements or on vectors of them."""
    kind = op.src.type.element_type
    name = op.operation.name
    if not isinstance(lanes.element(a.type), ir.FloatType):
        return (_UNSIGNED if kind.is_unsigned else _SIGNED)[name](a, b)
    if has(op, "ftz"):
        return _flushing(op, a, b)
    return (_FLOAT_WITH_NAN if has(op, "propagate_nan") else _FLOAT)[name](a, b)


def _nan(op: Any) -> bool:
    return has(op, "propagate_nan") and starts_from_element(op)


def _flushing(op: Any, a: ir.Value, b: ir.Value) -> ir.Value:
    """With `.ftz`, which LLVM has as intrinsics for one f32."""
    if isinstance(a.type, ir.VectorType):
        parts = [
            _flushing(op, vector.extract(a, [], [i]), vector.extract(b, [], [i]))
            for i in range(a.type.shape[0])
        ]
        return vector.from_elements(a.type, parts)
    intrinsic = _INTRINSIC[op.operation.name] + (".nan" if _nan(op) else "") + ".f"
    return intrinsics.call(intrinsic, [a, b])


def combine_pairs(op: Any, a: ir.Value, b: ir.Value) -> ir.Value:
    """A step of a sum or product on two f32 at once: one instruction on sm_100 and newer."""
    if not has(op, "ftz"):
        return combine(op, a, b)
    i64 = ir.IntegerType.get_signless(64)
    pairs = [intrinsics.bitcast(i64, pair) for pair in (a, b)]
    result = intrinsics.ptx(f"{_PTX[op.operation.name]}.ftz.f32x2", pairs)
    return intrinsics.bitcast(a.type, result)


def combine3(op: Any, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """Three f32 elements under `max` or `min`: one instruction on sm_100 and newer."""
    if not has(op, "ftz"):
        # The assembler's front end, LLVM, joins the two.
        return combine(op, combine(op, a, b), c)
    nan = ".NaN" if _nan(op) else ""
    return intrinsics.ptx(f"{_PTX[op.operation.name]}.ftz{nan}.f32", [a, b, c])


def starts_from_element(op: Any) -> bool:
    """Whether the operation has no identity here: `max` and `min`."""
    return op.operation.name in ("tirx.max", "tirx.min")


def identity(op: Any, kind: ir.Type) -> ir.Value:
    """The value from which a sum or a product starts; `kind` may be a vector."""
    element = lanes.element(kind)
    if isinstance(element, ir.FloatType):
        zero = 0.0 if has(op, "strict") else -0.0
        value = ir.FloatAttr.get(element, 1.0 if op.operation.name == "tirx.prod" else zero)
    else:
        value = ir.IntegerAttr.get(element, int(op.operation.name == "tirx.prod"))
    if isinstance(kind, ir.VectorType):
        return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, value))
    return arith.constant(kind, value)


def is_exact(op: Any) -> bool:
    """Whether nothing is rounded: elements are compared, or partial results are integers."""
    if op.operation.name not in ("tirx.sum", "tirx.prod"):
        return True
    return isinstance(accumulator(op), ir.IntegerType)


def order_is_free(op: Any, _: Target) -> str | None:
    """Every order of combination gives the same bits, or the program allows any."""
    if not has(op, "strict") or is_exact(op):
        return None
    return (
        "order_is_free: it is strict, and rounds at every step "
        "(fastmath<reassoc> on a tile operation frees the order)"
    )


def no_atomic(op: Any, _: Target) -> str | None:
    """Nobody else combines with the destination meanwhile."""
    return "no_atomic: other CTAs combine with the destination" if has(op, "atomic") else None


def accumulator(op: Any) -> ir.Type:
    """The type of partial results: `accumulate`, else f32 for sums and products of f16 and bf16
    whose order is free, else the wider of the element types; that of the source if elements are
    compared."""
    attributes = op.operation.attributes
    if "accumulate" in attributes:
        return attributes["accumulate"].value
    kind = emit.element(op.src.type)
    is_half = isinstance(kind, ir.F16Type | ir.BF16Type)
    if op.operation.name not in ("tirx.sum", "tirx.prod"):
        return kind
    result = emit.element(op.dst.type)
    if _width(result) > _width(kind) and not is_half:
        return result
    if isinstance(result, ir.FloatType) and not isinstance(kind, ir.FloatType):
        return result
    return ir.F32Type.get() if is_half and not has(op, "strict") else kind


def _width(kind: ir.Type) -> int:
    assert isinstance(kind, ir.IntegerType | ir.FloatType)
    return kind.width


def widen(value: ir.Value, kind: ir.Type) -> ir.Value:
    """An element, or a vector of them, as partial results of type `kind`."""
    return lanes.widen(value, kind)


def narrow(value: ir.Value, kind: ir.Type) -> ir.Value:
    """A partial result as an element, rounded once."""
    return value if value.type == kind else arith.truncf(kind, value)


def tree(op: Any, values: Sequence[ir.Value], step: Step | None = None) -> ir.Value:
    """All values, combined in pairs of neighbours by `step` (`combine`): the depth is the logarithm
    of their number."""
    step = combine if step is None else step
    level = list(values)
    while len(level) > 1:
        pairs = [step(op, a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]
