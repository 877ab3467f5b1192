"""Integer arithmetic, logic, shifts, bit fields, comparison and selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes
from ..program import Step
from ..site import Site
from ..types import BITS, INTEGERS, TYPES, Array, Type, integer_range, unsigned
from . import float as floating
from . import packed
from .registry import Emitted, instruction

if TYPE_CHECKING:
    from ..machine import Machine

WORDS = ("u32", "s32", "u64", "s64")
PAIRS = ("u16x2", "s16x2")


def _is_float(site: Site) -> bool:
    return any(site.has(name) for name in ("f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "f32x2"))


def _is_packed(site: Site) -> bool:
    return any(site.has(name) for name in ("f16x2", "bf16x2", "f32x2", *PAIRS))


# ---- add, sub, mul, mad


@instruction("add", "sub")
def add(site: Site) -> Emitted:
    if _is_float(site):
        return floating.arithmetic(site)
    if _is_packed(site):
        return packed.integer(site, {"add": np.add, "sub": np.subtract}[site.opcode])
    saturating, carry_out = site.flag("sat"), site.flag("cc")
    type = site.type(*INTEGERS)
    if carry_out:
        return _with_carry(site, type, carry_in=False, carry_out=True)
    if saturating:
        wide = {"add": np.add, "sub": np.subtract}[site.opcode]
        return site.compute(_saturating(wide, type), type, type, type)
    function = np.add if site.opcode == "add" else np.subtract
    return site.compute(function, type, type, type)


def _saturating(function: np.ufunc, type: Type) -> Callable[[Array, Array], Array]:
    low, high = integer_range(type)

    def clamp(a: Array, b: Array) -> Array:
        return np.clip(function(a.astype(np.int64), b.astype(np.int64)), low, high)

    return clamp


@instruction("addc", "subc")
def add_with_carry(site: Site) -> Step:
    carry_out = site.flag("cc")
    return _with_carry(site, site.type(*WORDS), carry_in=True, carry_out=carry_out)


def _with_carry(
    site: Site,
    type: Type,
    *,
    carry_in: bool,
    carry_out: bool,
    product: Callable[[Array, Array], Array] | None = None,
) -> Step:
    """a + b, a - b, or product(a, b) + c, with the condition-code register, which holds the carry
    or the borrow."""
    subtract = site.opcode.startswith("sub")
    bits = TYPES[f"u{type.bits}"].dtype
    write = site.write(0, type)
    reads = [site.read(k, type) for k in range(1, 4 if product else 3)]

    def step(m: Machine, lanes: Lanes) -> None:
        first, *rest = (read(m, lanes) for read in reads)
        if product is not None:
            first, *rest = product(first, rest[0]), rest[1]
        x, y = first.astype(bits), rest[0].astype(bits)
        carry = m.carry[lanes].astype(bits) if carry_in else np.zeros_like(x)
        result = x - y - carry if subtract else x + y + carry
        write(m, lanes, result.view(type.dtype))
        if carry_out and subtract:
            m.carry[lanes] = (x < y) | ((x == y) & (carry != 0))
        elif carry_out:
            m.carry[lanes] = (result < x) | ((result == x) & (carry != 0))

    return step


@instruction("mul")
def multiply(site: Site) -> Emitted:
    if _is_float(site):
        return floating.arithmetic(site)
    part = site.need("lo", "hi", "wide")
    type = site.type(*INTEGERS)
    if part == "lo":
        return site.compute(np.multiply, type, type, type)
    if part == "hi":
        return site.compute(_high(type), type, type, type)
    wide = _doubled(site, type)
    return site.compute(lambda a, b: a.astype(wide.dtype) * b.astype(wide.dtype), wide, type, type)


@instruction("mad", "madc")
def multiply_add(site: Site) -> Emitted:
    if _is_float(site):
        return floating.fused(site)
    part = site.need("lo", "hi", "wide")
    saturating = part == "hi" and site.flag("sat")
    carry_in, carry_out = site.opcode == "madc", site.flag("cc")
    if carry_in or carry_out:
        type = site.type(*WORDS)
        product = {"lo": np.multiply, "hi": _high(type)}.get(part)
        if product is None:
            raise site.error("mad.wide has no carry")
        return _with_carry(site, type, carry_in=carry_in, carry_out=carry_out, product=product)
    type = site.type("s32") if saturating else site.type(*INTEGERS)
    if part == "lo":
        return site.compute(lambda a, b, c: a * b + c, type, type, type, type)
    if part == "hi":
        high = _high(type)
        if saturating:
            total = _saturating(np.add, type)
            return site.compute(lambda a, b, c: total(high(a, b), c), type, type, type, type)
        return site.compute(lambda a, b, c: high(a, b) + c, type, type, type, type)
    wide = _doubled(site, type)
    return site.compute(
        lambda a, b, c: a.astype(wide.dtype) * b.astype(wide.dtype) + c, wide, type, type, wide
    )


def _doubled(site: Site, type: Type) -> Type:
    if type.bits == 64:
        raise site.error("a wide product has at most 64 bits")
    return TYPES[f"{type.kind}{2 * type.bits}"]


def _high(type: Type) -> Callable[[Array, Array], Array]:
    """The upper half of a product."""
    if type.bits < 64:
        wide = np.dtype(f"{type.dtype.kind}{2 * type.bytes}")
        shift = wide.type(type.bits)
        return lambda a, b: ((a.astype(wide) * b.astype(wide)) >> shift).astype(type.dtype)

    def high(a: Array, b: Array) -> Array:
        x, y = a.astype(np.uint64), b.astype(np.uint64)
        half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
        x1, x0, y1, y0 = x >> half, x & low, y >> half, y & low
        middle = x1 * y0 + ((x0 * y0) >> half)
        other = x0 * y1 + (middle & low)
        result = x1 * y1 + (middle >> half) + (other >> half)
        if type.signed:
            zero = np.uint64(0)
            result = result - np.where(a < 0, y, zero) - np.where(b < 0, x, zero)
        return result.astype(type.dtype)

    return high


@instruction("mul24", "mad24")
def multiply_24(site: Site) -> Step:
    part = site.need("lo", "hi")
    type = site.type("u32", "s32")
    drop = type.dtype.type(8)
    shift = np.int64(0 if part == "lo" else 16)

    def product(a: Array, b: Array, c: Array | int = 0) -> Array:
        x, y = ((v << drop) >> drop for v in (a, b))
        return ((x.astype(np.int64) * y.astype(np.int64)) >> shift).astype(type.dtype) + c

    operands = 2 if site.opcode == "mul24" else 3
    return site.compute(product, type, *[type] * operands)


@instruction("sad")
def absolute_difference(site: Site) -> Step:
    type = site.type(*INTEGERS)
    bits = unsigned(type.bits)

    def sad(a: Array, b: Array, c: Array) -> Array:
        x, y = np.maximum(a, b), np.minimum(a, b)
        return (x.view(bits) - y.view(bits) + np.ascontiguousarray(c).view(bits)).view(type.dtype)

    return site.compute(sad, type, type, type, type)


@instruction("dp4a", "dp2a")
def dot_product(site: Site) -> Step:
    """Products of four bytes with four bytes, or of two halves with two of the four bytes."""
    half = site.need("lo", "hi") if site.opcode == "dp2a" else "lo"
    a_type, b_type = site.type("u32", "s32"), site.type("u32", "s32")
    size = 1 if site.opcode == "dp4a" else 2
    signed = a_type.signed or b_type.signed
    result = TYPES["s32" if signed else "u32"]

    def dot(a: Array, b: Array, c: Array) -> Array:
        x = np.ascontiguousarray(a).view(f"{a_type.dtype.kind}{size}").reshape(a.size, -1)
        y = np.ascontiguousarray(b).view(f"{b_type.dtype.kind}1").reshape(a.size, -1)
        if size == 2:
            y = y[:, :2] if half == "lo" else y[:, 2:]
        return (x.astype(np.int64) * y.astype(np.int64)).sum(axis=1).astype(result.dtype) + c

    return site.compute(dot, result, a_type, b_type, result)


# ---- div, rem, min, max, abs, neg


@instruction("div")
def divide(site: Site) -> Emitted:
    if _is_float(site):
        return floating.divide(site)
    type = site.type(*INTEGERS)
    return site.compute(lambda a, b: _quotient(a, b), type, type, type)


@instruction("rem")
def remainder(site: Site) -> Step:
    type = site.type(*INTEGERS)
    return site.compute(lambda a, b: np.where(b == 0, a, a - _quotient(a, b) * b), type, type, type)


def _quotient(a: Array, b: Array) -> Array:
    """Rounded towards zero; all ones for a zero divisor, whose result PTX leaves open."""
    quotient = a // b
    if a.dtype.kind == "i":
        quotient = quotient + ((quotient * b != a) & ((a < 0) != (b < 0)))
    return np.where(b == 0, ~np.zeros_like(a), quotient).astype(a.dtype)


@instruction("min", "max")
def extremum(site: Site) -> Emitted:
    if _is_float(site):
        return floating.extremum(site)
    function = {"min": np.minimum, "max": np.maximum}[site.opcode]
    if _is_packed(site):
        return packed.integer(site, function, relu=site.flag("relu"))
    relu = site.flag("relu")
    type = site.type("s32") if relu else site.type(*INTEGERS)
    if relu:
        return site.compute(lambda a, b: np.maximum(function(a, b), 0), type, type, type)
    return site.compute(function, type, type, type)


@instruction("abs")
def absolute(site: Site) -> Emitted:
    if _is_float(site):
        return floating.sign(site)
    type = site.type("s16", "s32", "s64")
    return site.compute(np.absolute, type, type)


@instruction("neg")
def negate(site: Site) -> Emitted:
    if _is_float(site):
        return floating.sign(site)
    type = site.type("s16", "s32", "s64")
    return site.compute(np.negative, type, type)


# ---- logic and shifts


@instruction("and", "or", "xor")
def logic(site: Site) -> Step:
    function = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[site.opcode]
    type = site.type("pred", *BITS)
    return site.compute(function, type, type, type)


@instruction("not")
def complement(site: Site) -> Step:
    type = site.type("pred", *BITS)
    return site.compute(np.bitwise_not, type, type)


@instruction("cnot")
def logical_complement(site: Site) -> Step:
    type = site.type(*BITS)
    return site.compute(lambda a: a == 0, type, type)


@instruction("lop3")
def three_input_logic(site: Site) -> Step:
    type = site.type("b32")
    table = site.literal(4)
    if table is None:
        raise site.error("lop3 needs a number as its table")

    def lookup(a: Array, b: Array, c: Array) -> Array:
        result = np.zeros(a.size, np.uint32)
        for row in range(8):
            if table >> row & 1:
                result |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
        return result

    return site.compute(lookup, type, type, type, type)


@instruction("shl", "shr")
def shift(site: Site) -> Step:
    """Amounts beyond the register's width act as that width."""
    names = BITS if site.opcode == "shl" else (*BITS, *INTEGERS)
    type = site.type(*names)
    function = np.left_shift if site.opcode == "shl" else np.right_shift
    return site.compute(lambda a, n: shifted(function, a, n, type), type, type, TYPES["u32"])


def shifted(function: np.ufunc, value: Array, amount: Array, type: Type) -> Array:
    most = type.bits - 1
    result = function(value, np.minimum(amount, most).astype(type.dtype))
    over = amount > most
    if over.any() and not type.signed:
        result = np.where(over, type.dtype.type(0), result)
    return result


@instruction("shf")
def funnel_shift(site: Site) -> Step:
    """Shifts the 64 bits b:a; the upper half of a left shift, the lower half of a right one."""
    left = site.need("l", "r") == "l"
    wrap = site.need("wrap", "clamp") == "wrap"
    type = site.type("b32")

    def funnel(a: Array, b: Array, n: Array) -> Array:
        amount = (n & np.uint32(31) if wrap else np.minimum(n, np.uint32(32))).astype(np.uint64)
        both = (b.astype(np.uint64) << np.uint64(32)) | a
        if left:
            return ((both << amount) >> np.uint64(32)).astype(np.uint32)
        return (both >> amount).astype(np.uint32)

    return site.compute(funnel, type, type, type, TYPES["u32"])
