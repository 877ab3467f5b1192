"""`exp`, `log` and `rsqrt` of f32 and f64, from sums, products and bits: the same result on every
machine, within one unit in the last place. f16 and bf16 go through f32.

`exp` (argument reduction after Cody and Waite, "Software Manual for the Elementary Functions",
1980): x = n ln 2 + r, |r| <= ln 2 / 2, and exp(r) by its Taylor series. `log`: x = 2^k (1 + f) with
1 + f between sqrt(1/2) and sqrt(2), and log(1 + f) by the series of atanh at f / (2 + f), arranged
so that the largest term is added last (as fdlibm does).

Under `approx` the machine's own instructions are used, whose errors the PTX ISA states; there is
none for f64, which stays accurate.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mlir import ir
from mlir.dialects import arith

from pto.lowering import constants, intrinsics, lanes

Function = Callable[..., ir.Value]


@dataclass(frozen=True)
class _Format:
    """What the algorithms ask of a format."""

    bits: int
    mantissa: int
    bias: int
    highest: float
    """Above it, exp is infinite, and below `lowest` zero."""
    lowest: float
    exp_terms: int
    log_terms: int


_FORMATS = {
    "f32": _Format(32, 23, 127, highest=89.0, lowest=-104.0, exp_terms=8, log_terms=5),
    "f64": _Format(64, 52, 1023, highest=710.0, lowest=-746.0, exp_terms=14, log_terms=11),
}

# ln 2 to more digits than two f64 hold.
_LN2 = Fraction(0.6931471805599453) + Fraction(2.3190468138462996e-17)


def _format(value: ir.Value) -> _Format:
    return _FORMATS[str(lanes.element(value.type))]


def _float(like: ir.Value, number: float) -> ir.Value:
    return constants.like(like.type, ir.FloatAttr.get(lanes.element(like.type), number))


def _word(value: ir.Value) -> ir.IntegerType:
    return ir.IntegerType.get_signless(_format(value).bits)


def _integer(value: ir.Value, number: int) -> ir.Value:
    word = _word(value)
    return constants.like(lanes.of(value.type, word), ir.IntegerAttr.get(word, number))


def _bits(value: ir.Value) -> ir.Value:
    return arith.bitcast(lanes.of(value.type, _word(value)), value)


def _split_ln2(like: ir.Value) -> tuple[ir.Value, ir.Value]:
    """ln 2 as a number of the format and what that leaves out."""
    high = _round(like, _LN2)
    return _float(like, high), _float(like, float(_LN2 - Fraction(high)))


def _round(like: ir.Value, number: Fraction) -> float:
    """To nearest in the format."""
    exponent = math.frexp(float(number))[1]
    unit = Fraction(2) ** (exponent - _format(like).mantissa - 1)
    return float(round(number / unit) * unit)


def _series(x: ir.Value, coefficients: Sequence[Fraction]) -> ir.Value:
    """c0 + c1 x + c2 x^2 + ..., from the innermost out."""
    total = _float(x, float(coefficients[-1]))
    for coefficient in reversed(coefficients[:-1]):
        total = intrinsics.fma(total, x, _float(x, float(coefficient)))
    return total


def _less(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OLT, a, b)


def _power_of_two(like: ir.Value, exponent: ir.Value) -> ir.Value:
    """2^exponent, for one that a normal number has."""
    form = _format(like)
    biased = arith.addi(exponent, _integer(like, form.bias))
    return arith.bitcast(like.type, arith.shli(biased, _integer(like, form.mantissa)))


def _exp(x: ir.Value) -> ir.Value:
    form = _format(x)
    highest, lowest = _float(x, form.highest), _float(x, form.lowest)
    # A NaN is in no order and passes.
    x = arith.select(_less(highest, x), highest, arith.select(_less(x, lowest), lowest, x))
    # Adding 1.5 * 2^mantissa leaves the nearest integer in the last bits.
    shift = _float(x, 1.5 * 2.0**form.mantissa)
    shifted = intrinsics.fma(x, _float(x, 1 / math.log(2)), shift)
    n = arith.subf(shifted, shift)
    exponent = arith.subi(_bits(shifted), _bits(shift))
    high, low = _split_ln2(x)
    rest = intrinsics.fma(n, arith.negf(high), x)
    rest = intrinsics.fma(n, arith.negf(low), rest)
    terms = [Fraction(1, math.factorial(i)) for i in range(2, form.exp_terms)]
    tail = arith.mulf(arith.mulf(rest, rest), _series(rest, terms))
    result = arith.addf(_float(x, 1.0), arith.addf(rest, tail))
    # Half of the exponent at a time: the whole may be none of a normal number.
    half = arith.shrsi(exponent, _integer(x, 1))
    result = arith.mulf(result, _power_of_two(x, half))
    return arith.mulf(result, _power_of_two(x, arith.subi(exponent, half)))


def _log(x: ir.Value) -> ir.Value:
    form = _format(x)
    smallest = 2.0 ** (1 - form.bias)
    is_subnormal = _less(x, _float(x, smallest))
    scaled = arith.mulf(x, _float(x, 2.0 ** (form.mantissa + 1)))
    bits = _bits(arith.select(is_subnormal, scaled, x))
    root = _bits(_float(x, math.sqrt(0.5)))
    exponent = arith.shrsi(arith.subi(bits, root), _integer(x, form.mantissa))
    fraction = arith.subi(bits, arith.shli(exponent, _integer(x, form.mantissa)))
    f = arith.subf(arith.bitcast(x.type, fraction), _float(x, 1.0))
    unscaled = arith.subi(exponent, _integer(x, form.mantissa + 1))
    k = arith.sitofp(x.type, arith.select(is_subnormal, unscaled, exponent))
    s = arith.divf(f, arith.addf(f, _float(x, 2.0)))
    square = arith.mulf(s, s)
    terms = [Fraction(2, 2 * i + 1) for i in range(1, form.log_terms)]
    rest = arith.mulf(square, _series(square, terms))
    half = arith.mulf(arith.mulf(_float(x, 0.5), f), f)
    high, low = _split_ln2(x)
    inner = intrinsics.fma(k, low, arith.mulf(s, arith.addf(half, rest)))
    result = intrinsics.fma(k, high, arith.subf(f, arith.subf(half, inner)))
    # What is not a positive finite number.
    zero, infinity = _float(x, 0.0), _float(x, math.inf)
    equal = arith.CmpFPredicate.OEQ
    result = arith.select(arith.cmpf(equal, x, infinity), infinity, result)
    result = arith.select(arith.cmpf(equal, x, zero), _float(x, -math.inf), result)
    is_number = arith.cmpf(arith.CmpFPredicate.OGE, x, zero)
    return arith.select(is_number, result, _float(x, math.nan))


def _machine(name: str, *operands: ir.Value) -> ir.Value:
    """An instruction, which takes scalars."""
    return lanes.each(lambda *lane: intrinsics.call(name, lane), *operands)


def _sqrt(x: ir.Value) -> ir.Value:
    """Correctly rounded."""
    return _machine(f"llvm.nvvm.sqrt.rn.{_suffix(x)}", x)


def _rsqrt(x: ir.Value) -> ir.Value:
    return arith.divf(_float(x, 1.0), _sqrt(x))


def _recip(x: ir.Value) -> ir.Value:
    """Correctly rounded."""
    return arith.divf(_float(x, 1.0), x)


def _suffix(x: ir.Value) -> str:
    return "d" if _format(x).bits == 64 else "f"


def _fast_exp(x: ir.Value) -> ir.Value:
    return _machine("llvm.nvvm.ex2.approx.f32", arith.mulf(x, _float(x, 1 / math.log(2))))


def _fast_log(x: ir.Value) -> ir.Value:
    return arith.mulf(_machine("llvm.nvvm.lg2.approx.f", x), _float(x, math.log(2)))


def _fast_sqrt(x: ir.Value) -> ir.Value:
    return _machine("llvm.nvvm.sqrt.approx.f", x)


def _fast_rsqrt(x: ir.Value) -> ir.Value:
    return _machine("llvm.nvvm.rsqrt.approx.f", x)


def _fast_div(a: ir.Value, b: ir.Value) -> ir.Value:
    return _machine("llvm.nvvm.div.approx.f", a, b)


def _fast_recip(x: ir.Value) -> ir.Value:
    return _fast_div(_float(x, 1.0), x)


_ACCURATE: dict[str, Function] = {
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
    "recip": _recip,
    "div": arith.divf,
}
_FAST: dict[str, Function] = {
    "exp": _fast_exp,
    "log": _fast_log,
    "sqrt": _fast_sqrt,
    "rsqrt": _fast_rsqrt,
    "recip": _fast_recip,
    "div": _fast_div,
}


def apply(name: str, *operands: ir.Value, approx: bool) -> ir.Value:
    """The function `name` of scalars, or of vectors."""
    kind = operands[0].type
    is_narrow = isinstance(lanes.element(kind), ir.F16Type | ir.BF16Type)
    single = lanes.of(kind, ir.F32Type.get())
    wide = [arith.extf(single, x) for x in operands] if is_narrow else operands
    is_fast = approx and not isinstance(lanes.element(kind), ir.F64Type)
    result = (_FAST if is_fast else _ACCURATE)[name](*wide)
    return arith.truncf(kind, result) if is_narrow else result
