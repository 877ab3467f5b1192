"""Arithmetic of elements in numpy: integers wrap, floats are rounded once to nearest even."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pto.ops.entry import Array


def is_integer(a: Array) -> bool:
    return a.dtype.kind in "iu"


def identity(a: Array) -> Array:
    """The elements as they are."""
    return a


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Where one `+`, `-`, `*` or `/` of `dtype` is computed before it is rounded.

    float32 for f16 and bf16: its significand has more than 2 p + 2 bits, so that rounding twice is
    rounding once (Figueroa, "When is double rounding innocuous?", 1995).
    """
    narrow_float = dtype.itemsize == 2 and dtype.kind not in "iu"
    return np.dtype(np.float32) if narrow_float else dtype


def rounded(operation: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """One of `+ - * /` on elements of any type."""

    def compute(a: Array, b: Array) -> Array:
        wide = compute_dtype(a.dtype)
        with np.errstate(all="ignore"):
            return operation(a.astype(wide), b.astype(wide)).astype(a.dtype)

    return compute


add = rounded(np.add)
subtract = rounded(np.subtract)
multiply = rounded(np.multiply)


def maximum(a: Array, b: Array) -> Array:
    """The larger. A NaN loses against a number, and -0 against +0."""
    if is_integer(a):
        return np.maximum(a, b)
    with np.errstate(invalid="ignore"):
        tie = (a == b) & ~np.signbit(a)
        keep = (a > b) | tie | np.isnan(b)
    return np.where(keep, a, b)


def minimum(a: Array, b: Array) -> Array:
    """The smaller. A NaN loses against a number, and +0 against -0."""
    if is_integer(a):
        return np.minimum(a, b)
    with np.errstate(invalid="ignore"):
        tie = (a == b) & np.signbit(a)
        keep = (a < b) | tie | np.isnan(b)
    return np.where(keep, a, b)


def from_float64(value: Array, dtype: np.dtype[Any]) -> Array:
    """float64 rounded once to `dtype`.

    `ml_dtypes` goes to bf16 by way of float32: that step rounds to odd, after which a second
    rounding does no harm (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums",
    2008).
    """
    with np.errstate(all="ignore"):
        if dtype.name != "bfloat16":
            return value.astype(dtype)
        single = value.astype(np.float32)
        exact = single.astype(np.float64)
        too_far = np.abs(exact) > np.abs(value)
        single = np.where(too_far, np.nextafter(single, np.float32(0)), single)
        inexact = np.isfinite(single) & (exact != value)
        return np.where(inexact, _with_last_bit(single), single).astype(dtype)


def bits_of(a: Array) -> Array:
    """The bits of floats as unsigned integers."""
    return np.ascontiguousarray(a).reshape(a.shape).view(f"u{a.dtype.itemsize}")


def _with_last_bit(a: Array) -> Array:
    bits = bits_of(a)
    return (bits | bits.dtype.type(1)).view(a.dtype)


def fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    """`a * b + c`, rounded once.

    Products of up to 32 bits are exact in float64. Their sum with `c` is rounded to odd there (its
    error is known by Knuth's two-sum), which keeps the second rounding right.
    """
    if is_integer(a):
        return a * b + c
    if a.dtype == np.float64:
        return np.vectorize(_fused_float64, otypes=[np.float64])(a, b, c)
    addend = c.astype(np.float64)
    with np.errstate(all="ignore"):
        product = a.astype(np.float64) * b.astype(np.float64)
        total = product + addend
        virtual = total - product
        error = (product - (total - virtual)) + (addend - virtual)
    return from_float64(to_odd(total, error), a.dtype)


def to_odd(total: Array, error: Array) -> Array:
    """`total + error` rounded to odd, of which `total` is the nearest float64."""
    with np.errstate(all="ignore"):
        is_even = bits_of(total) & 1 == 0
        # Towards zero, then the last bit.
        inward = np.where((error < 0) == (total > 0), np.nextafter(total, 0.0), total)
        return np.where((error != 0) & is_even & np.isfinite(total), _with_last_bit(inward), total)


def _fused_float64(a: float, b: float, c: float) -> float:
    """By exact fractions; what is not finite, or zero with a sign, as the plain operations do."""
    if not np.isfinite([a, b, c]).all() or a * b + c == 0 == a * b * c:
        with np.errstate(all="ignore"):
            return float(np.float64(a) * np.float64(b) + np.float64(c))
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact) if exact else 0.0
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def _check_divisor(b: Array) -> None:
    if not b.all():
        raise ArithmeticError("divides by zero")


def divide(a: Array, b: Array) -> Array:
    """The quotient: rounded for floats, towards zero for integers."""
    if not is_integer(a):
        return rounded(np.divide)(a, b)
    _check_divisor(b)
    if a.dtype.kind == "u":
        return a // b
    with np.errstate(all="ignore"):
        # The smallest integer by -1 wraps to itself.
        safe = np.where(b == -1, 1, b).astype(a.dtype)
        quotient = a // safe
        towards_zero = quotient + ((a % safe != 0) & ((a < 0) != (safe < 0)))
        return np.where(b == -1, -a, towards_zero).astype(a.dtype)


def remainder(a: Array, b: Array) -> Array:
    """`a - b * floor(a / b)`, exact up to one rounding: it has the sign of `b`."""
    with np.errstate(all="ignore"):
        if is_integer(a):
            _check_divisor(b)
            return np.remainder(a, b)
        wide = compute_dtype(a.dtype)
        x, y = a.astype(wide), b.astype(wide)
        rest = np.fmod(x, y)
        moved = np.where((rest < 0) != (y < 0), rest + y, rest)
        return np.where(rest == 0, np.copysign(0, y), moved).astype(a.dtype)


def negate(a: Array) -> Array:
    """Of floats the sign bit alone changes."""
    with np.errstate(all="ignore"):
        return (0 - a).astype(a.dtype) if is_integer(a) else np.negative(a)


def absolute(a: Array) -> Array:
    """The smallest integer wraps to itself."""
    return np.abs(a)


def sequence(start: Array, column: Array, *, descending: str) -> Array:
    """`start` and the integers that follow it, or that come before."""
    return start - column if descending == "true" else start + column


def rectify(a: Array) -> Array:
    """Zero for what is negative; NaN stays, -0 becomes +0."""
    with np.errstate(invalid="ignore"):
        return np.where(a <= 0, np.zeros_like(a), a)


def shift_left(a: Array, count: Array) -> Array:
    """By the low bits of the count: 3 of 8 bits, 4 of 16, 5 of 32, 6 of 64."""
    return a << (count & (8 * a.dtype.itemsize - 1))


def shift_right(a: Array, count: Array) -> Array:
    """The same; signed elements keep their sign."""
    return a >> (count & (8 * a.dtype.itemsize - 1))


_RELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "GT": np.greater,
    "LE": np.less_equal,
    "GE": np.greater_equal,
}


def compare(a: Array, b: Array, *, cmp: str) -> Array:
    """A `bool` per element. A NaN is unequal to everything and in no order."""
    with np.errstate(invalid="ignore"):
        return _RELATIONS[cmp](a, b)


RELATIONS = tuple(_RELATIONS)


def select(mask: Array, if_set: Array, otherwise: Array) -> Array:
    """The element of `if_set` where the mask is set."""
    return np.where(mask, if_set, otherwise)


def bits_of_mask(mask: Array, columns: int) -> Array:
    """The `bool` of each of so many columns: bit c mod 8 of byte c / 8."""
    bits = np.unpackbits(mask.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :columns].astype(bool)


def mask_of_bits(bits: Array) -> Array:
    """The bytes that hold a row of `bool` per row; bits past the last column are 0."""
    return np.packbits(bits, axis=1, bitorder="little")


def correctly_rounded(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A function of floats, computed in a wider format and rounded."""

    def compute(a: Array) -> Array:
        with np.errstate(all="ignore"):
            if a.dtype == np.float64:
                return function(a.astype(np.longdouble)).astype(np.float64)
            return from_float64(function(a.astype(np.float64)), a.dtype)

    return compute


exponential = correctly_rounded(np.exp)


def exponential_of_difference(a: Array, b: Array, *, to: np.dtype[Any]) -> Array:
    """exp(a - b), the difference rounded to the type `to` of the result, which has all elements."""
    return exponential(subtract(a.astype(to), b.astype(to)))


def square_root(a: Array) -> Array:
    """Rounded once; see `compute_dtype`."""
    with np.errstate(all="ignore"):
        return np.sqrt(a.astype(compute_dtype(a.dtype))).astype(a.dtype)


def reciprocal(a: Array) -> Array:
    """Rounded once."""
    return divide(np.ones_like(a), a)
