"""Numbers in a type that may not have them, in numpy: what becomes of them, by mode.

A mode is `RINT` (to nearest, ties to even), `ROUND` (to nearest, ties away from zero), `FLOOR`,
`CEIL`, `TRUNC` (towards zero) or `ODD` (to the neighbour whose last bit is 1).
"""

from typing import Any

import ml_dtypes
import numpy as np

from pto.ops.entry import Array
from pto.ops.numeric import bits_of, from_float64, is_integer, to_odd


def convert(a: Array, *, to: np.dtype[Any], rmode: str, sat: str) -> Array:
    """The elements in the type `to`, by a mode or `NONE`: `TRUNC` from a float to an integer, else
    `RINT`.

    With `sat` `ON`, what is out of range becomes the nearest finite number of the type, infinities
    too. With `OFF`, integers wrap, as the whole number does that a float is rounded to; floats
    become infinite or the largest number, as the mode says. As an integer, NaN is 0, and so is an
    infinity that is not clamped. A NaN stays one among floats.
    """
    clamps = sat == "ON"
    to_integer = to.kind in "iu"
    if is_integer(a):
        if to_integer:
            return _clamped(a, to) if clamps else a.astype(to)
        return _to_float(*_exact(a), to, "RINT" if rmode == "NONE" else rmode, clamps)
    with np.errstate(all="ignore"):
        wide = a.astype(np.float64)
    if to_integer:
        return _to_integer(wide, to, "TRUNC" if rmode == "NONE" else rmode, clamps)
    return _to_float(wide, np.zeros_like(wide), to, "RINT" if rmode == "NONE" else rmode, clamps)


# Integers -----------------------------------------------------------------------------------------


def _clamped(a: Array, to: np.dtype[Any]) -> Array:
    """Integers in the range of another type."""
    mine, its = np.iinfo(a.dtype), np.iinfo(to)
    low, high = max(mine.min, its.min), min(mine.max, its.max)
    return np.clip(a, a.dtype.type(low), a.dtype.type(high)).astype(to)


def _to_integer(a: Array, to: np.dtype[Any], mode: str, clamps: bool) -> Array:
    """float64 rounded to whole numbers, as integers."""
    with np.errstate(all="ignore"):
        whole = _whole(a, mode)
        if not clamps:
            # Exact, and NaN for infinities.
            rest = np.fmod(whole, 2.0**64)
            size = np.abs(np.where(np.isnan(rest), 0, rest)).astype(np.uint64)
            return np.where(rest < 0, 0 - size, size).astype(to)
        limits = np.iinfo(to)
        # As a float64 the largest of 64 bits is one too many.
        over, under = whole >= float(limits.max), whole < float(limits.min)
        inside = np.where(over | under | np.isnan(whole), 0, whole).astype(to)
        return np.where(over, limits.max, np.where(under, limits.min, inside)).astype(to)


def _whole(a: Array, mode: str) -> Array:
    match mode:
        case "RINT":
            return np.rint(a)
        case "FLOOR":
            return np.floor(a)
        case "CEIL":
            return np.ceil(a)
        case _:
            inner = np.trunc(a)
    match mode:
        case "ROUND":
            moves = np.abs(a - inner) >= 0.5
        case "ODD":
            moves = (a != inner) & (np.fmod(inner, 2) == 0)
        case _:
            return inner
    return inner + np.copysign(moves, a)


# Floats -------------------------------------------------------------------------------------------


def _exact(a: Array) -> tuple[Array, Array]:
    """An integer as a sum of two float64: the nearest one, and the rest."""
    high = (a >> (8 * a.dtype.itemsize // 2)).astype(np.float64) * 2.0 ** (4 * a.dtype.itemsize)
    mask = a.dtype.type((1 << (4 * a.dtype.itemsize)) - 1)
    low = (a & mask).astype(np.float64)
    nearest = high + low
    return nearest, low - (nearest - high)


def _to_float(a: Array, rest: Array, to: np.dtype[Any], mode: str, clamps: bool) -> Array:
    """`a + rest`, of which `a` is the nearest float64, rounded once."""
    is_negative = np.signbit(a)
    size, rest = np.abs(a), np.where(is_negative, -rest, rest)
    with np.errstate(all="ignore"):
        exact = size if to == np.float64 else to_odd(size, rest)
        nearest = from_float64(exact, to)
        error = rest if to == np.float64 else exact - nearest.astype(np.float64)
        bits = _rounded(nearest, error, is_negative, mode)
    if clamps:
        largest = bits_of(np.asarray(ml_dtypes.finfo(to).max, to))
        bits = np.where(np.isnan(nearest), bits, np.minimum(bits, largest))
    sign = bits.dtype.type(1 << (8 * to.itemsize - 1))
    return np.where(is_negative, bits | sign, bits).view(to)


def _rounded(nearest: Array, error: Array, is_negative: Array, mode: str) -> Array:
    """The bits of the magnitude that a mode gives for `nearest + error`. The bits of floats count
    them, from zero to infinity."""
    bits = bits_of(nearest)
    inner, is_inexact = bits - (error < 0), (error < 0) | (error > 0)
    match mode:
        case "ROUND":
            unit = (bits + 1).view(nearest.dtype).astype(np.float64) - nearest.astype(np.float64)
            return bits + ((error > 0) & (2 * error >= unit))
        case "FLOOR":
            return inner + (is_inexact & is_negative)
        case "CEIL":
            return inner + (is_inexact & ~is_negative)
        case "TRUNC":
            return inner
        case "ODD":
            return inner | is_inexact
        case _:
            return bits
