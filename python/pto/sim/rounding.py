"""Floating-point arithmetic with exactly one rounding, in PTX's formats and rounding modes.

f16 and bf16 values are computed in float32 where that is provably innocuous (add, mul, div, sqrt:
p_wide >= 2 p + 2, Figueroa 1995). Where it is not (fma, directed rounding) the exact result is
first rounded *to odd* in float64, which makes the second rounding correct (Boldo and Melquiond,
"Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

from .types import CANONICAL_NAN, Array, Type, unsigned

_LEAST_NORMAL = {"f16": 1 << 10, "bf16": 1 << 7, "f32": 1 << 23, "f64": 1 << 52}
_SIGN = {"f16": 0x8000, "bf16": 0x8000, "f32": 0x80000000, "f64": 1 << 63}


# ---- storage <-> computing


def widen(x: Array, type: Type) -> Array:
    """Values of any float type as float32 (f16, bf16, f32) or float64."""
    if type.name == "bf16":
        return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if type.name == "f16":
        return _half_table()[x.view(np.uint16)]
    return x


@cache
def _half_table() -> Array:
    """Every f16 as a float32; looking up is faster than numpy's conversion."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def narrow(x: Array, type: Type) -> Array:
    """float32 or float64 values rounded to nearest even to `type`, NaNs made canonical."""
    if type.name in ("f32", "f64"):
        # `x` may be a register, which is not to be changed.
        x = x.astype(type.dtype, copy=False)
        return canonical(x.copy(), type) if _has_nan(x) else x
    if x.dtype == np.float64:
        x = _odd_to_float32(x)
    bits = np.ascontiguousarray(x).view(np.uint32)
    rounded = _half_bits(bits) if type.name == "f16" else _drop(bits, 16)
    nan = np.isnan(x)
    if nan.any():
        rounded[nan] = CANONICAL_NAN[type.name]
    return rounded.astype(np.uint16).view(type.dtype)


def _drop(bits: Array, count: int) -> Array:
    """The upper bits of float32 patterns, rounded to nearest even."""
    shift = np.uint32(count)
    tie = (bits >> shift) & np.uint32(1)
    tie += np.uint32((1 << (count - 1)) - 1)
    tie += bits
    tie >>= shift
    return tie


def _half_bits(bits: Array) -> Array:
    magnitude = bits & np.uint32(0x7FFFFFFF)
    bias = np.uint32((127 - 15) << 10)
    rounded = np.maximum(_drop(magnitude, 13), bias)
    rounded -= bias
    np.minimum(rounded, np.uint32(0x7C00), out=rounded)
    small = _nonzero_below(magnitude, (127 - 14) << 23)
    if small.any():
        # In float32, 0.5 has the unit 2**-24, which is that of the subnormals of f16.
        aligned = magnitude[small].view(np.float32) + np.float32(0.5)
        rounded[small] = aligned.view(np.uint32) - np.float32(0.5).view(np.uint32)
    rounded |= (bits >> np.uint32(16)) & np.uint32(0x8000)
    return rounded


def _nonzero_below(magnitude: Array, limit: int) -> Array:
    one = magnitude.dtype.type(1)
    return (magnitude - one) < magnitude.dtype.type(limit - 1)


def canonical(x: Array, type: Type) -> Array:
    """`x`, which has one axis, with every NaN replaced in place."""
    if _has_nan(x):
        x.view(unsigned(type.bits))[np.isnan(x)] = CANONICAL_NAN[type.name]
    return x


def _has_nan(x: Array) -> bool:
    return x.size > 0 and bool(np.isnan(np.maximum.reduce(x)))


def bits_of(x: Array) -> Array:
    return np.ascontiguousarray(x).view(unsigned(8 * x.itemsize))


def flush(x: Array, type: Type) -> Array:
    """Subnormals become zeros of the same sign (`.ftz`)."""
    bits = bits_of(x)
    sign = bits.dtype.type(_SIGN[type.name])
    subnormal = _nonzero_below(bits & ~sign, _LEAST_NORMAL[type.name])
    if not subnormal.any():
        return x
    bits = bits.copy()
    bits[subnormal] &= sign
    return bits.view(x.dtype)


def saturate(x: Array) -> Array:
    """Clamped to [0, 1]; NaN becomes +0 (`.sat`)."""
    return np.where(x > 0, np.minimum(x, x.dtype.type(1)), x.dtype.type(0))


# ---- one operation, rounded once

Exact = tuple[Array, Array]
"""A nearest float64 and the sign-correct rest that the exact result has beyond it."""


def operate(name: str, type: Type, mode: str, *args: Array) -> Array:
    """add, sub, mul, div, sqrt or fma of `type`, rounded once under mode rn, rz, rm or rp."""
    if mode == "rn":
        if name == "fma":
            return _fma_nearest(type, *args)
        wide = [widen(x, type) for x in args]
        return narrow(_NEAREST[name](*wide), type)
    return _round(*_exact(name, type, *args), type, mode)


def round_sum(high: Array, low: Array, type: Type, mode: str) -> Array:
    """`high + low` (float64, exact) rounded once."""
    return _round(*_two_sum(high, low), type, mode)


def _round(nearest: Array, error: Array, type: Type, mode: str) -> Array:
    if type.name != "f64":
        return round_to(_odd(nearest, error), type, mode)
    if mode == "rn":
        return canonical(nearest, type)
    return canonical(_adjust(nearest, error > 0, error < 0, mode, type), type)


def round_to(x: Array, type: Type, mode: str) -> Array:
    """float64 `x` (exact, or rounded to odd) as `type` under mode rn, rz, rm or rp."""
    nearest = narrow(x, type)
    if mode == "rn" or type.name == "f64":
        return nearest
    value = widen(nearest, type).astype(np.float64)
    return _adjust(nearest, value < x, value > x, mode, type)


_NEAREST: dict[str, Callable[..., Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "sqrt": np.sqrt,
}


def _fma_nearest(type: Type, a: Array, b: Array, c: Array) -> Array:
    if type.name == "f16":
        # The product of two f16 is exact in float32, and so is the error of the sum.
        a, b, c = (widen(x, type) for x in (a, b, c))
        return narrow(_odd(*_two_sum(a * b, c)), type)
    if type.name != "f32":
        return _round(*_exact("fma", type, a, b, c), type, "rn")
    a, b, c = (x.astype(np.float64) for x in (a, b, c))
    total = a * b
    total += c
    result = total.astype(np.float32)
    # Two roundings differ from one only at a float64 that lies half-way between two float32.
    half_way = (total.view(np.uint32)[::2] & np.uint32(0x1FFFFFFF)) == np.uint32(0x10000000)
    tiny = np.abs(result) <= np.float32(2.0**-126)
    if tiny.any():
        half_way |= tiny & (total != 0)
    doubtful = np.flatnonzero(half_way)
    if doubtful.size:
        a, b, c = (x[doubtful] for x in (a, b, c))
        result[doubtful] = _odd(*_two_sum(a * b, c)).astype(np.float32)
    return canonical(result, type)


def _exact(name: str, type: Type, *args: Array) -> Exact:
    x = [widen(arg, type).astype(np.float64) for arg in args]
    if name in ("add", "sub"):
        return _two_sum(x[0], x[1] if name == "add" else -x[1])
    if name == "div":
        return _quotient(*x)
    if name == "sqrt":
        return _root(x[0])
    if name == "mul":
        x.append(np.copysign(0.0, x[0]) * np.copysign(1.0, x[1]))
    if type.name == "f64":
        return _fma_double(*x)
    return _two_sum(x[0] * x[1], x[2])


def _quotient(a: Array, b: Array) -> Exact:
    quotient = a / b
    product, error = _two_product(quotient, b)
    rest = ((a - product) - error) * np.sign(b)
    extreme = np.zeros(a.size, np.bool_)
    for x in (a, b, quotient):
        extreme |= (np.abs(x) < 2.0**-400) | (np.abs(x) > 2.0**400)
    extreme &= (a != 0) & (b != 0) & np.isfinite(a) & np.isfinite(b)
    for lane in np.flatnonzero(extreme):
        exact = Fraction(float(a[lane])) / Fraction(float(b[lane]))
        quotient[lane], rest[lane] = _nearest(exact)
    return quotient, rest


def _root(x: Array) -> Exact:
    # Scaled, so that the square of a root of a tiny number does not underflow.
    scaled = np.where(x < 2.0**-500, x * 2.0**400, x)
    root = np.sqrt(scaled)
    product, error = _two_product(root, root)
    return np.sqrt(x), (scaled - product) - error


def _fma_double(a: Array, b: Array, c: Array) -> Exact:
    """Boldo and Melquiond's algorithm; exact rationals where exponents are extreme."""
    product, product_error = _two_product(a, b)
    low, low_error = _two_sum(c, product_error)
    high, high_error = _two_sum(product, low)
    nearest, error = _two_sum(high, _odd(*_two_sum(low_error, high_error)))
    special = ~(np.isfinite(a) & np.isfinite(b) & np.isfinite(c))
    nearest = np.where(special, a * b + c, nearest)
    large = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(product)) > 2.0**990
    small = (np.abs(product) < 2.0**-900) & (a != 0) & (b != 0)
    for lane in np.flatnonzero(~special & (large | small | (np.abs(c) > 2.0**1000))):
        nearest[lane], error[lane] = _fma_rational(float(a[lane]), float(b[lane]), float(c[lane]))
    zero = (a == 0) | (b == 0)
    return np.where(zero, a * b + c, nearest), np.where(zero | special, 0.0, error)


def _fma_rational(a: float, b: float, c: float) -> tuple[float, float]:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return _nearest(exact) if exact else (0.0, 0.0)


def _nearest(exact: Fraction) -> tuple[float, float]:
    """The nearest float64 of a number that is not zero, and the sign of the rest."""
    try:
        nearest = float(exact)
    except OverflowError:
        return (math.inf, -1.0) if exact > 0 else (-math.inf, 1.0)
    rest = exact - Fraction(nearest)
    return nearest or math.copysign(0.0, exact), float((rest > 0) - (rest < 0))


def _adjust(nearest: Array, below: Array, above: Array, mode: str, type: Type) -> Array:
    """Steps `nearest` one unit towards the exact result where it lies on the wrong side of it.

    `below` and `above` tell where `nearest` is less, and greater, than the exact result.
    """
    bits = bits_of(nearest)
    one = bits.dtype.type(1)
    sign = bits.dtype.type(_SIGN[type.name])
    negative = (bits & sign) != 0
    zero = (bits & ~sign) == 0
    exact_negative = np.where(zero, above, negative)
    up = below & ((mode == "rp") | ((mode == "rz") & exact_negative))
    down = above & ((mode == "rm") | ((mode == "rz") & ~exact_negative))
    outward = ~zero & ((up & ~negative) | (down & negative))
    inward = ~zero & ((up & negative) | (down & ~negative))
    stepped = np.where(outward, bits + one, np.where(inward, bits - one, bits))
    # The neighbours of zero are the least subnormals.
    stepped = np.where(zero & up, one, np.where(zero & down, sign | one, stepped))
    return stepped.astype(bits.dtype).view(nearest.dtype)


def _odd(total: Array, error: Array) -> Array:
    """`total + error` rounded to odd, where `total` is the nearest number and `error` the rest."""
    if not error.any():
        return total
    bits = np.ascontiguousarray(total).view(f"i{total.itemsize}")
    inexact = (error != 0) & np.isfinite(total) & ((bits & 1) == 0) & (total != 0)
    outward = np.where((error > 0) == (total > 0), 1, -1).astype(bits.dtype)
    return np.where(inexact, bits + outward, bits).view(total.dtype)


def _odd_to_float32(x: Array) -> Array:
    """float64 rounded to odd as float32, for a later rounding to bf16."""
    nearest = x.astype(np.float32)
    value = nearest.astype(np.float64)
    bits = nearest.view(np.int32)
    inexact = (value != x) & np.isfinite(value) & ((bits & 1) == 0)
    outward = np.where(np.abs(x) > np.abs(value), 1, -1).astype(np.int32)
    # A tiny value whose nearest float32 is zero steps to the least subnormal of its sign.
    return np.where(inexact, bits + outward, bits).view(np.float32)


def _two_sum(a: Array, b: Array) -> Exact:
    """a + b and its rounding error (Knuth)."""
    total = a + b
    virtual = total - a
    return total, (a - (total - virtual)) + (b - virtual)


def _two_product(a: Array, b: Array) -> Exact:
    """a * b and its rounding error (Dekker, with Veltkamp's split)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _split(x: Array) -> Exact:
    scaled = x * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - x)
    return high, x - high
