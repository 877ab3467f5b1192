"""Floating-point arithmetic, extrema, signs, and the approximate functions.

The approximate functions are computed in float64 and rounded once, more exactly than on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..program import Step
from ..rounding import bits_of, canonical, flush, narrow, operate, saturate, widen
from ..site import Site
from ..types import FLOATS, PACKED_FLOATS, TYPES, Array, Type, unsigned
from .packed import elementwise
from .registry import instruction

MODES = ("rn", "rz", "rm", "rp")
ALL = (*FLOATS, *PACKED_FLOATS)
Function = Callable[..., Array]


def arithmetic(site: Site) -> Step:
    """add, sub and mul."""
    return _rounded(site, site.opcode, 2)


@instruction("fma")
def fused(site: Site) -> Step:
    """fma, and mad of floats."""
    return _rounded(site, "fma", 3)


def divide(site: Site) -> Step:
    """`.approx` and `.full` divide exactly too."""
    if site.take("approx", "full"):
        return _function(site, "div", 2, ("f32",))
    return _rounded(site, "div", 2)


@instruction("sqrt")
def square_root(site: Site) -> Step:
    if site.flag("approx"):
        return _function(site, "sqrt", 1, ("f32",))
    return _rounded(site, "sqrt", 1)


def _rounded(site: Site, name: str, arguments: int) -> Step:
    mode = site.take(*MODES) or "rn"
    return _function(site, name, arguments, ALL, mode)


def _function(
    site: Site, name: str, arguments: int, types: tuple[str, ...], mode: str = "rn"
) -> Step:
    ftz, sat, relu = site.flag("ftz"), site.flag("sat"), site.flag("relu")
    type = site.type(*types)
    element = type.element or type
    half = (
        site.take("f16", "bf16") if type.name == "f32" and name in ("add", "sub", "fma") else None
    )
    if half is not None:
        return _mixed(site, name, TYPES[half], type, mode, sat=sat)
    if mode == "rn" and type.name in ("f32", "f64") and name in PLAIN and not (ftz or sat or relu):
        return site.compute(
            PLAIN[name], type, *[type] * arguments, after=lambda x: canonical(x, type)
        )

    def compute(*x: Array) -> Array:
        return operate(name, element, mode, *x)

    function = adjusted(compute, element, ftz=ftz, sat=sat, relu=relu)
    return site.compute(elementwise(function, type), type, *[type] * arguments)


def _mixed(site: Site, name: str, half: Type, type: Type, mode: str, *, sat: bool) -> Step:
    """`add.f32.f16` and its like (PTX 8.6): all operands but the last are f16 or bf16, widened
    before the operation."""
    sources = [half, type] if name != "fma" else [half, half, type]

    def compute(*x: Array) -> Array:
        wide = [widen(value, half) for value in x[:-1]]
        return operate(name, type, mode, *wide, x[-1])

    return site.compute(adjusted(compute, type, ftz=False, sat=sat), type, *sources)


# What numpy rounds once, to nearest even.
PLAIN = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt}


def adjusted(
    function: Function, type: Type, *, ftz: bool, sat: bool = False, relu: bool = False
) -> Function:
    """`function` with subnormals flushed on both sides, and its result clamped."""
    if not (ftz or sat or relu):
        return function

    def compute(*x: Array) -> Array:
        if ftz:
            x = tuple(flush(value, type) for value in x)
        result = function(*x)
        if ftz:
            result = flush(result, type)
        if sat:
            result = narrow(saturate(widen(result, type)), type)
        if relu:
            wide = widen(result, type)
            zero = wide.dtype.type(0)
            result = narrow(np.where(wide > 0, wide, np.where(wide == wide, zero, wide)), type)
        return result

    return compute


# ---- min, max, abs, neg, copysign


def extremum(site: Site) -> Step:
    """The number if one operand is NaN, except with `.NaN`; -0 is less than +0."""
    ftz, nan = site.flag("ftz"), site.flag("NaN")
    flip = site.flag("xorsign")
    magnitude = site.flag("abs") if flip else False
    type = site.type(*FLOATS, "f16x2", "bf16x2")
    element = type.element or type
    smaller = site.opcode == "min"
    count = len(site.operands) - 1
    if count not in (2, 3) or (count == 3 and type.name != "f32"):
        raise site.error(f"{site.opcode} of {count} operands is not known to the simulator")

    def fold(*x: Array) -> Array:
        values = [absolute_value(v, element) for v in x] if magnitude else list(x)
        result = values[0]
        for value in values[1:]:
            result = number_extremum(result, value, element, smaller=smaller, nan=nan)
        if flip:
            sign = unsigned(element.bits).type(1 << (element.bits - 1))
            odd = bits_of(x[0])
            for value in x[1:]:
                odd = odd ^ bits_of(value)
            flipped = bits_of(result) | (odd & sign)
            result = np.where(_is_nan(result, element), bits_of(result), flipped).view(result.dtype)
        return result

    function = adjusted(fold, element, ftz=ftz)
    return site.compute(elementwise(function, type), type, *[type] * count)


def number_extremum(a: Array, b: Array, type: Type, *, smaller: bool, nan: bool = False) -> Array:
    """The lesser or greater of two floats; a NaN loses, or with `nan` wins."""
    x, y = widen(a, type), widen(b, type)
    if nan:
        result = np.minimum(x, y) if smaller else np.maximum(x, y)
    else:
        result = np.fmin(x, y) if smaller else np.fmax(x, y)
    zero = result == 0
    if zero.any():
        # Equal operands differ at most in the sign of a zero.
        both = np.bitwise_or if smaller else np.bitwise_and
        signed = both(bits_of(x), bits_of(y)).view(result.dtype)
        result = np.where(zero & (x == y), signed, result)
    return narrow(result, type)


def _is_nan(x: Array, type: Type) -> Array:
    return np.isnan(widen(x, type))


def absolute_value(x: Array, type: Type) -> Array:
    bits = bits_of(x)
    return (bits & bits.dtype.type((1 << (type.bits - 1)) - 1)).view(x.dtype)


def sign(site: Site) -> Step:
    """abs and neg."""
    ftz = site.flag("ftz")
    type = site.type(*FLOATS, "f16x2", "bf16x2")
    element = type.element or type
    top = unsigned(element.bits).type(1 << (element.bits - 1))

    def compute(x: Array) -> Array:
        if site.opcode == "abs":
            return absolute_value(x, element)
        return (bits_of(x) ^ top).view(x.dtype)

    function = adjusted(compute, element, ftz=ftz)
    return site.compute(elementwise(function, type), type, type)


@instruction("copysign")
def copy_sign(site: Site) -> Step:
    """The magnitude of the second source with the sign of the first."""
    type = site.type("f32", "f64")
    return site.compute(lambda a, b: np.copysign(b, a), type, type, type)


# ---- approximate functions


def _double(x: Array) -> Array:
    return x.astype(np.float64)


APPROXIMATE: dict[str, tuple[Function, tuple[str, ...]]] = {
    "rsqrt": (lambda x: 1.0 / np.sqrt(x), ("f32", "f64")),
    "sin": (np.sin, ("f32",)),
    "cos": (np.cos, ("f32",)),
    "lg2": (np.log2, ("f32",)),
    "ex2": (np.exp2, ("f32", "f16", "f16x2", "bf16", "bf16x2")),
    "tanh": (np.tanh, ("f32", "f16", "f16x2", "bf16", "bf16x2")),
}


@instruction("rsqrt", "sin", "cos", "lg2", "ex2", "tanh")
def approximate(site: Site) -> Step:
    site.need("approx")
    function, names = APPROXIMATE[site.opcode]
    ftz = site.flag("ftz")
    type = site.type(*names)
    element = type.element or type

    def compute(x: Array) -> Array:
        return narrow(function(_double(widen(x, element))), element)

    return site.compute(elementwise(adjusted(compute, element, ftz=ftz), type), type, type)


@instruction("rcp")
def reciprocal(site: Site) -> Step:
    mode = "rn" if site.flag("approx") else site.need(*MODES)
    ftz = site.flag("ftz")
    type = site.type("f32", "f64")

    def compute(x: Array) -> Array:
        return operate("div", type, mode, np.ones_like(x), x)

    return site.compute(adjusted(compute, type, ftz=ftz), type, type)
