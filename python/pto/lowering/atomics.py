"""Atomics on elements in global memory: one instruction where there is one, else a loop.

What the hardware has (PTX ISA, `red` and `atom`): sums of f32, f64 and 32- and 64-bit integers, of
f16, and of bf16 on sm_90 and newer; extremes of 32- and 64-bit integers. `add.f32` on global memory
flushes subnormals.

Extremes of f32 and f64 that propagate NaN go by integers: a float without its sign bit set orders
like a signed integer, one with it in reverse, like an unsigned integer. A new NaN takes the sign
that wins. An old one of the other sign loses, is seen in the value that the atomic returns, and is
put back.
"""

from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import arith, scf

from pto.lowering import combine, emit, intrinsics, partial
from pto.target import Target

_BITS = {"tirx.max": ("max", "min"), "tirx.min": ("min", "max")}


@dataclass(frozen=True)
class Order:
    """Memory order and scope of atomics: `relaxed` or `acq_rel`, `gpu` or `sys`."""

    order: str = "relaxed"
    scope: str = "gpu"

    @property
    def suffix(self) -> str:
        return f"{self.order}.{self.scope}.global"


def order_of(op: Any) -> Order:
    """What a reduction asks for."""
    order = "relaxed" if op.memory_order is None else op.memory_order.value
    scope = "gpu" if op.memory_scope is None else op.memory_scope.value
    return Order(order, scope)


def instruction(op: Any, chip: Target) -> str | None:
    """The operation and type of the atomic that combines a result with an old one, None where
    there is no instruction."""
    kind: Any = op.dst.type.element_type
    name = op.operation.name.removeprefix("tirx.")
    if isinstance(kind, ir.IntegerType):
        if kind.width < 32 or name == "prod":
            return None
        if name == "sum":
            return f"add.u{kind.width}"
        return f"{name}.{'u' if kind.is_unsigned else 's'}{kind.width}"
    if name == "sum":
        if isinstance(kind, ir.BF16Type) and chip.sm < 90:
            return None
        half = ".noftz" if kind.width == 16 else ""
        return f"add{half}.{kind}"
    if name in ("max", "min") and kind.width >= 32 and combine.has(op, "propagate_nan"):
        return f"{name}.{kind}"
    return None


def has_instruction(op: Any, chip: Target) -> str | None:
    """The target has an atomic for this operation and type."""
    if instruction(op, chip) is not None:
        return None
    nan = " that drops NaN" if op.operation.name in _BITS else ""
    return (
        f"has_instruction: {chip.chip} has no atomic {op.operation.name}{nan} of "
        f"{op.dst.type.element_type}"
    )


def rounds_once(op: Any, _: Target) -> str | None:
    """Partial results have the type of the destination, or of integers that are cut to it: what is
    rounded for every atomic would be rounded many times."""
    source, target = combine.accumulator(op), emit.element(op.dst.type)
    if source == target or isinstance(source, ir.IntegerType):
        return None
    return f"rounds_once: partial results of {source} are rounded to {target} for every atomic"


def update(op: Any, chip: Target, value: ir.Value, address: ir.Value) -> None:
    """Combines `value`, an element of the destination, with the one at `address` (bytes)."""
    found = instruction(op, chip)
    assert found is not None
    order = order_of(op)
    at = arith.index_cast(ir.IntegerType.get_signless(64), address)
    if op.operation.name in _BITS and isinstance(value.type, ir.FloatType):
        _extreme(op, order, value, at)
    elif order.order == "relaxed":
        intrinsics.effect(f"red.{order.suffix}.{found} [$0], $1;", [at, _plain(value)])
    else:
        value = _plain(value)
        intrinsics.effect(f"atom.{order.suffix}.{found} $0, [$1], $2;", [at, value], value.type)


def _plain(value: ir.Value) -> ir.Value:
    """f16 and bf16 as the 16 bits that PTX takes."""
    kind: Any = value.type
    if kind.width > 16:
        return value
    return intrinsics.bitcast(ir.IntegerType.get_signless(16), value)


def _extreme(op: Any, order: Order, value: ir.Value, at: ir.Value) -> None:
    """`max` or `min` of floats by their bits."""
    kind: Any = value.type
    width: int = kind.width
    bits = ir.IntegerType.get_signless(width)
    mine, other = _BITS[op.operation.name]
    # All ones but the sign for max, all ones for min: beyond every number in its order.
    nan = arith.constant(bits, 2 ** (width - 1) - 1 if mine == "max" else -1)
    is_nan = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
    word = arith.select(is_nan, nan, intrinsics.bitcast(bits, value))
    zero = arith.constant(bits, 0)

    def atomic(operand: ir.Value) -> ir.Value:
        negative = arith.cmpi(arith.CmpIPredicate.slt, operand, zero)
        branch = scf.IfOp(negative, [bits], has_else=True)
        otherwise = branch.else_block
        assert otherwise is not None
        for block, name in ((branch.then_block, f"{other}.u"), (otherwise, f"{mine}.s")):
            with ir.InsertionPoint(block):
                text = f"atom.{order.suffix}.{name}{width} $0, [$1], $2;"
                scf.yield_([intrinsics.effect(text, [at, operand], bits)])
        return branch.results[0]

    old = intrinsics.bitcast(value.type, atomic(word))
    with emit.when(arith.cmpf(arith.CmpFPredicate.UNO, old, old)):
        atomic(nan)


# Compare and swap ---------------------------------------------------------------------------------


def can_swap(op: Any, _: Target) -> str | None:
    """Elements have a size that compare-and-swap takes: 2, 4 or 8 bytes."""
    size = emit.size_in_bytes(op.dst.type)
    return None if size > 1 else f"can_swap: elements of {size} byte"


def swap(op: Any, value: ir.Value, address: ir.Value, is_unsigned: bool) -> None:
    """Combines the partial result `value` with the element at `address` by compare-and-swap, until
    no one else wrote in between, or nothing changes."""
    order, kind = order_of(op), emit.element(op.dst.type)
    size = emit.size_in_bytes(op.dst.type) * 8
    bits, at = (
        ir.IntegerType.get_signless(size),
        arith.index_cast(ir.IntegerType.get_signless(64), address),
    )
    scope = order.scope
    first = intrinsics.effect(f"ld.relaxed.{scope}.global.b{size} $0, [$1];", [at], bits)
    loop = scf.WhileOp([bits], [first])
    before = loop.before.blocks.append(bits)
    with ir.InsertionPoint(before):
        expected = before.arguments[0]
        old = partial.convert(_as(kind, expected), partial.types(op)[0], is_unsigned)
        new = partial.combine(op, (old,), (value,))[0]
        new = _as(bits, partial.convert(new, kind, is_unsigned))
        text = f"atom.{order.suffix}.cas.b{size} $0, [$1], $2, $3;"
        found = intrinsics.effect(text, [at, expected, new], bits)
        scf.condition(arith.cmpi(arith.CmpIPredicate.ne, found, expected), [found])
    after = loop.after.blocks.append(bits)
    with ir.InsertionPoint(after):
        scf.yield_([after.arguments[0]])


def _as(kind: ir.Type, value: ir.Value) -> ir.Value:
    return value if value.type == kind else intrinsics.bitcast(kind, value)
