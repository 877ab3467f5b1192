"""Comparison into predicates, and selection by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes
from ..program import Step
from ..rounding import flush, widen
from ..site import PREDICATE, Site
from ..types import BITS, FLOATS, INTEGERS, TYPES, Array, Type
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

Compare = Callable[[Array, Array], Array]

ORDERED: dict[str, Compare] = {
    "eq": np.equal,
    "ne": lambda a, b: (a < b) | (a > b),
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "num": lambda a, b: (a == a) & (b == b),
    "nan": lambda a, b: (a != a) | (b != b),
}
# The unordered comparisons are true where an operand is NaN.
UNORDERED: dict[str, Compare] = {
    "equ": lambda a, b: ~((a < b) | (a > b)),
    "neu": np.not_equal,
    "ltu": lambda a, b: ~(a >= b),
    "leu": lambda a, b: ~(a > b),
    "gtu": lambda a, b: ~(a <= b),
    "geu": lambda a, b: ~(a < b),
}
INTEGER: dict[str, Compare] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}
COMBINE: dict[str, Compare] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
PACKED = ("f16x2", "bf16x2")


@instruction("setp")
def set_predicate(site: Site) -> Step:
    """`setp.lt.and.f32 p|q, a, b, c`: p = (a < b) and c, q = not (a < b) and c."""
    relation = _relation(site)
    combine = site.take(*COMBINE)
    ftz = site.flag("ftz")
    type = site.type(*BITS, *INTEGERS, *FLOATS, *PACKED)
    first, second = site.write_pair(0)
    write = site.write_operand(first, PREDICATE)
    other = None if second is None else site.write_operand(second, PREDICATE)
    if type.element is not None:
        return _set_packed(site, relation, type, ftz, combine)
    test = _comparison(site, relation, type, ftz)
    if other is None and combine is None and isinstance(test, np.ufunc):
        return site.compute(test, PREDICATE, type, type)
    a, b = site.read(1, type), site.read(2, type)
    c = site.read(3, PREDICATE) if combine else None

    def step(m: Machine, lanes: Lanes) -> None:
        result = test(a(m, lanes), b(m, lanes))
        opposite = ~result
        if combine and c is not None:
            third = c(m, lanes)
            result, opposite = COMBINE[combine](result, third), COMBINE[combine](opposite, third)
        write(m, lanes, result)
        if other is not None:
            other(m, lanes, opposite)

    return step


def _set_packed(site: Site, relation: str, type: Type, ftz: bool, combine: str | None) -> Step:
    """p is the comparison of the low elements, q that of the high ones."""
    element = type.element
    assert element is not None
    first, second = site.write_pair(0)
    if second is None:
        raise site.error("setp of a packed type needs two destinations p|q")
    writes = [site.write_operand(operand, PREDICATE) for operand in (first, second)]
    test = _comparison(site, relation, element, ftz)
    a, b = site.read(1, type), site.read(2, type)
    c = site.read(3, PREDICATE) if combine else None

    def step(m: Machine, lanes: Lanes) -> None:
        values = [np.ascontiguousarray(r(m, lanes)).view(element.dtype) for r in (a, b)]
        result = test(*values).reshape(-1, 2)
        third = None if c is None else c(m, lanes)
        for k, write in enumerate(writes):
            column = result[:, k]
            write(m, lanes, column if third is None else COMBINE[combine or "and"](column, third))

    return step


@instruction("set")
def set_value(site: Site) -> Step:
    """All ones (integer result) or 1.0 (float result) where the comparison holds, else 0.

    A packed comparison fills the two halves of its result, also of an integer.
    """
    relation = _relation(site)
    combine = site.take(*COMBINE)
    ftz = site.flag("ftz")
    result = site.type("u32", "s32", "f32", "u16", "f16", "bf16", *PACKED)
    type = site.type(*BITS, *INTEGERS, *FLOATS, *PACKED)
    element = type.element or type
    test = _comparison(site, relation, element, ftz)
    if type.element is not None and result.bits != 32:
        raise site.error(f"set.{result.name}.{type.name} is not known to the simulator")
    one = _true(result if type.element is None else (result.element or TYPES["u16"]))
    sources = [type, type] + ([PREDICATE] if combine else [])

    def compare(a: Array, b: Array, c: Array | None = None) -> Array:
        if type.element is None:
            holds = test(a, b)
        else:
            holds = test(*(np.ascontiguousarray(v).view(element.dtype) for v in (a, b)))
        if combine and c is not None:
            holds = COMBINE[combine](holds, c if type.element is None else np.repeat(c, 2))
        return np.where(holds, one, one.dtype.type(0)).view(result.dtype)

    return site.compute(compare, result, *sources)


def _true(type: Type) -> Array:
    if type.name == "bf16":
        return np.asarray(0x3F80, type.dtype)
    return np.asarray(1.0 if type.is_float else -1).astype(type.dtype)


def _relation(site: Site) -> str:
    return site.need(*INTEGER, *ORDERED, *UNORDERED)


def _comparison(site: Site, relation: str, type: Type, ftz: bool) -> Compare:
    table = {**ORDERED, **UNORDERED} if type.is_float else INTEGER
    if relation not in table or (type.kind == "b" and relation not in ("eq", "ne")):
        raise site.error(f"there is no comparison .{relation} of .{type.name}")
    test = table[relation]
    if not type.is_float or (type.name in ("f32", "f64") and not ftz):
        return test
    if ftz and type.name != "f64":
        return lambda a, b: test(widen(flush(a, type), type), widen(flush(b, type), type))
    return lambda a, b: test(widen(a, type), widen(b, type))


@instruction("selp")
def select_by_predicate(site: Site) -> Step:
    type = site.type(*BITS, *INTEGERS, "f32", "f64")
    bits = TYPES[f"b{type.bits}"]
    return site.compute(lambda a, b, p: np.where(p, a, b), bits, bits, bits, PREDICATE)


@instruction("slct")
def select_by_sign(site: Site) -> Step:
    """The first operand where the third is at least 0, else the second (also for NaN)."""
    ftz = site.flag("ftz")
    type = site.type(*BITS, *INTEGERS, "f32", "f64")
    bits = TYPES[f"b{type.bits}"]
    sign = site.type("s32", "f32")

    def choose(a: Array, b: Array, c: Array) -> Array:
        return np.where((flush(c, sign) if ftz else c) >= 0, a, b)

    return site.compute(choose, bits, bits, bits, sign)


@instruction("testp")
def test_property(site: Site) -> Step:
    name = site.need("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    type = site.type("f32", "f64")
    least = np.finfo(type.dtype).smallest_normal
    tests: dict[str, Callable[[Array], Array]] = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "number": lambda a: ~np.isnan(a),
        "notanumber": np.isnan,
        "normal": lambda a: np.isfinite(a) & (np.abs(a) >= least),
        "subnormal": lambda a: (a != 0) & (np.abs(a) < least),
    }
    return site.compute(tests[name], PREDICATE, type)
