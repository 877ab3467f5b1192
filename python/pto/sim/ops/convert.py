"""mov, and conversion between types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..program import Step
from ..rounding import flush, narrow, round_sum, round_to, saturate, widen
from ..site import Site
from ..syntax import Vector
from ..types import BITS, FLOATS, INTEGERS, TYPES, Array, Type, integer_range
from .registry import instruction

if TYPE_CHECKING:
    pass

ALL_INTEGERS = ("u8", "s8", *INTEGERS)
INTEGRAL = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
ROUNDING = ("rn", "rz", "rm", "rp", "rna")


@instruction("mov")
def move(site: Site) -> Step:
    type = site.type("pred", *BITS, *INTEGERS, "f32", "f64")
    read = site.read(1, type)
    if isinstance(site.operand(0), Vector):
        type = TYPES[f"b{type.bits}"]
    write = site.write(0, type)
    return lambda m, lanes: write(m, lanes, read(m, lanes))


@instruction("cvt")
def convert(site: Site) -> Step:
    integral = site.take(*INTEGRAL)
    mode = site.take(*ROUNDING)
    ftz, sat, relu = site.flag("ftz"), site.flag("sat"), site.flag("relu")
    if any(site.has(name) for name in ("f16x2", "bf16x2")):
        return _pack(site, mode, relu)
    if site.has("tf32"):
        return _to_tf32(site, mode)
    result = site.type(*ALL_INTEGERS, *FLOATS)
    source = site.type(*ALL_INTEGERS, *FLOATS)
    if result.is_float and source.is_float and mode == "rna":
        raise site.error("cvt.rna is known for .tf32 only")
    function = _conversion(site, result, source, integral, mode, sat)

    def compute(x: Array) -> Array:
        if ftz and source.name == "f32":
            x = flush(x, source)
        value = function(x)
        if ftz and result.name == "f32":
            value = flush(value, result)
        if relu:
            wide = widen(value, result)
            value = narrow(np.where(wide <= 0, wide.dtype.type(0), wide), result)
        return value

    if relu and not result.is_float:
        raise site.error("cvt.relu makes floats only")
    read = site.read(1, source, wide=True)
    write = site.write(0, result, wide=True)
    return lambda m, lanes: write(m, lanes, compute(read(m, lanes)))


def _conversion(
    site: Site, result: Type, source: Type, integral: str | None, mode: str | None, sat: bool
) -> Callable[[Array], Array]:
    if not source.is_float and not result.is_float:
        return lambda x: _integer_to_integer(x, result, sat)
    if not source.is_float:
        if mode is None:
            raise site.error("cvt of an integer to a float needs .rn, .rz, .rm or .rp")
        return lambda x: _clamped(_integer_to_float(x, result, mode), result, sat)
    if not result.is_float:
        if integral is None:
            raise site.error("cvt of a float to an integer needs .rni, .rzi, .rmi or .rpi")
        return lambda x: _float_to_integer(widen(x, source), source, result, INTEGRAL[integral])
    if integral is not None:
        rounding = INTEGRAL[integral]
        return lambda x: _clamped(narrow(rounding(widen(x, source)), result), result, sat)
    if mode is None and result.bits < source.bits:
        raise site.error("cvt to a narrower float needs .rn, .rz, .rm or .rp")
    return lambda x: _clamped(_float_to_float(x, source, result, mode or "rn"), result, sat)


def _clamped(x: Array, type: Type, sat: bool) -> Array:
    return narrow(saturate(widen(x, type)), type) if sat else x


def _integer_to_integer(x: Array, result: Type, sat: bool) -> Array:
    if not sat:
        return x.astype(result.dtype)
    low, high = integer_range(result)
    limits = np.iinfo(x.dtype)
    clipped = np.clip(x, x.dtype.type(max(low, limits.min)), x.dtype.type(min(high, limits.max)))
    return clipped.astype(result.dtype)


def _integer_to_float(x: Array, result: Type, mode: str) -> Array:
    if mode == "rn" and result.name in ("f32", "f64"):
        return x.astype(result.dtype)
    low = x.dtype.type(0xFFF) if x.itemsize == 8 else x.dtype.type(0)
    return round_sum((x & ~low).astype(np.float64), (x & low).astype(np.float64), result, mode)


def _float_to_integer(
    x: Array, source: Type, result: Type, rounding: Callable[[Array], Array]
) -> Array:
    """Clamped to the integer's range. NaN gives 0, or, with 64 bits on a side, only a top bit."""
    whole = rounding(x).astype(np.float64)
    low, high = integer_range(result)
    over, under, nan = whole >= float(high + 1), whole < low, np.isnan(whole)
    inside = np.where(over | under | nan, 0.0, whole)
    value = inside.astype(np.int64 if result.signed else np.uint64).astype(result.dtype)
    value[over] = high
    value[under] = low
    wide = source.name == "f64" or result.bits == 64
    value[nan] = (low or 1 << (result.bits - 1)) if wide else 0
    return value


def _float_to_float(x: Array, source: Type, result: Type, mode: str) -> Array:
    wide = widen(x, source)
    if mode == "rn":
        return narrow(wide, result)
    return round_to(wide.astype(np.float64), result, mode)


def _pack(site: Site, mode: str | None, relu: bool) -> Step:
    """Two f32 to one packed register; the first source goes to the upper half."""
    type = site.type("f16x2", "bf16x2")
    source = site.type("f32")
    element = type.element
    if element is None or mode not in ("rn", "rz"):
        raise site.error("cvt to a packed type needs .rn or .rz")

    def pack(high: Array, low: Array) -> Array:
        both = np.stack([low, high], axis=1).ravel()
        if relu:
            both = np.where(both <= 0, np.float32(0), both)
        return np.ascontiguousarray(_float_to_float(both, source, element, mode)).view(type.dtype)

    return site.compute(pack, type, source, source)


def _to_tf32(site: Site, mode: str | None) -> Step:
    """f32 with a significand of 11 bits; `.rna` rounds ties away from zero."""
    site.need("tf32")
    source = site.type("f32")
    if mode not in ("rn", "rna"):
        raise site.error("cvt to .tf32 needs .rn or .rna")

    def truncate(x: Array) -> Array:
        bits = np.ascontiguousarray(x).view(np.uint32)
        half = np.uint32(0x1000)
        if mode == "rn":
            half = np.uint32(0xFFF) + ((bits >> np.uint32(13)) & np.uint32(1))
        rounded = (bits + half) & np.uint32(0xFFFFE000)
        return np.where(np.isfinite(x), rounded, np.where(np.isnan(x), np.uint32(0x7FFFFFFF), bits))

    return site.compute(truncate, TYPES["b32"], source)
