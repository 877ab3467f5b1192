"""The remainder of a division of floats, exact however far the operands lie apart.

`fmod` by shifting and subtracting: the divisor is doubled while it fits, then subtracted and halved
until it is itself again. Every step is exact, since each difference is a multiple of the last place
of the divisor and smaller than what it is taken from.
"""

from mlir import ir
from mlir.dialects import arith, scf

from pto.lowering import signs

_LESS, _EQUAL = arith.CmpFPredicate.OLT, arith.CmpFPredicate.OEQ


def floored(a: ir.Value, b: ir.Value) -> ir.Value:
    """`a - b * floor(a / b)` of two scalars, rounded once: the sign is that of `b`, NaN for an
    infinite `a` or a `b` of zero."""
    kind = a.type
    is_narrow = isinstance(kind, ir.F16Type | ir.BF16Type)
    if is_narrow:
        f32 = ir.F32Type.get()
        a, b = arith.extf(f32, a), arith.extf(f32, b)
    zero = _constant(a, 0.0)
    size, divisor = signs.clear(a), signs.clear(b)
    is_regular = arith.andi(
        arith.cmpf(_LESS, zero, divisor), arith.cmpf(_LESS, size, _constant(a, float("inf")))
    )
    branch = scf.IfOp(is_regular, [a.type], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        rest = signs.copy(_shift_and_subtract(size, divisor), a)
        scf.yield_([rest])
    otherwise = branch.else_block
    assert otherwise is not None
    with ir.InsertionPoint(otherwise):
        scf.yield_([_constant(a, float("nan"))])
    rest = branch.results[0]
    negative_rest, negative_divisor = arith.cmpf(_LESS, rest, zero), arith.cmpf(_LESS, b, zero)
    is_zero = arith.cmpf(_EQUAL, rest, zero)
    moves = arith.andi(
        arith.xori(negative_rest, negative_divisor), arith.cmpf(arith.CmpFPredicate.UNE, rest, zero)
    )
    moved = arith.select(moves, arith.addf(rest, b), rest)
    result = arith.select(is_zero, signs.copy(zero, b), moved)
    return arith.truncf(kind, result) if is_narrow else result


def _shift_and_subtract(size: ir.Value, divisor: ir.Value) -> ir.Value:
    """`fmod` of a finite number and a positive one, which may be infinite."""
    kind = size.type
    double = scf.WhileOp([kind], [divisor])
    before, after = (region.blocks.append(kind) for region in double.regions)
    with ir.InsertionPoint(before):
        (step,) = before.arguments
        fits = arith.cmpf(arith.CmpFPredicate.OGE, arith.subf(size, step), step)
        scf.condition(fits, [step])
    with ir.InsertionPoint(after):
        scf.yield_([arith.addf(after.arguments[0], after.arguments[0])])
    halve = scf.WhileOp([kind, kind], [size, double.results[0]])
    before, after = (region.blocks.append(kind, kind) for region in halve.regions)
    with ir.InsertionPoint(before):
        rest, step = before.arguments
        fits = arith.cmpf(arith.CmpFPredicate.OGE, rest, step)
        rest = arith.select(fits, arith.subf(rest, step), rest)
        scf.condition(arith.cmpf(_LESS, divisor, step), [rest, step])
    with ir.InsertionPoint(after):
        rest, step = after.arguments
        scf.yield_([rest, arith.mulf(step, _constant(step, 0.5))])
    return halve.results[0]


def _constant(like: ir.Value, number: float) -> ir.Value:
    return arith.constant(like.type, ir.FloatAttr.get(like.type, number))
