"""Bit fields, bit counts and byte permutation."""

from __future__ import annotations

import numpy as np

from ..program import Step
from ..site import Site
from ..types import TYPES, Array, Type
from .registry import instruction

WORDS = ("b32", "b64")
INTEGERS = ("u32", "u64", "s32", "s64")
U32 = TYPES["u32"]


@instruction("bfe")
def extract(site: Site) -> Step:
    """Bits [position, position + length), sign-extended for signed types."""
    type = site.type(*INTEGERS)
    bits = TYPES[f"u{type.bits}"]

    def field(a: Array, position: Array, length: Array) -> Array:
        at = (position & np.uint32(0xFF)).astype(np.int64)
        size = (length & np.uint32(0xFF)).astype(np.int64)
        inside = np.minimum(size, np.maximum(type.bits - at, 0))
        result = _right(a, at, bits) & _ones(inside, bits)
        if type.signed:
            top = np.minimum(at + size - 1, type.bits - 1)
            sign = (_right(a, top, bits) & bits.dtype.type(1)) != 0
            result = np.where(sign & (size > 0), result | ~_ones(inside, bits), result)
        return result.view(type.dtype)

    return site.compute(field, type, bits, U32, U32)


@instruction("bfi")
def insert(site: Site) -> Step:
    """`b` with its bits [position, position + length) taken from the low bits of `a`."""
    type = site.type(*WORDS)

    def field(a: Array, b: Array, position: Array, length: Array) -> Array:
        at = (position & np.uint32(0xFF)).astype(np.int64)
        mask = _left(_ones((length & np.uint32(0xFF)).astype(np.int64), type), at, type)
        return (b & ~mask) | (_left(a, at, type) & mask)

    return site.compute(field, type, type, type, U32, U32)


@instruction("bmsk")
def mask(site: Site) -> Step:
    clamp = site.need("clamp", "wrap") == "clamp"
    type = site.type("b32")

    def ones(position: Array, length: Array) -> Array:
        at, size = position.astype(np.int64), length.astype(np.int64)
        if not clamp:
            at, size = at & 31, size & 31
        return _left(_ones(size, type), at, type)

    return site.compute(ones, type, U32, U32)


def _ones(count: Array, type: Type) -> Array:
    """The `count` low bits; all of them from the width of the type on."""
    few = np.minimum(count, type.bits - 1).astype(type.dtype)
    one = type.dtype.type(1)
    return np.where(count >= type.bits, ~type.dtype.type(0), (one << few) - one)


def _left(a: Array, count: Array, type: Type) -> Array:
    few = np.minimum(count, type.bits - 1).astype(type.dtype)
    return np.where(count >= type.bits, type.dtype.type(0), a << few)


def _right(a: Array, count: Array, type: Type) -> Array:
    few = np.minimum(count, type.bits - 1).astype(type.dtype)
    return np.where(count >= type.bits, type.dtype.type(0), a >> few)


@instruction("bfind")
def find_highest(site: Site) -> Step:
    """The highest bit that differs from the sign (a set bit, if unsigned); all ones if none."""
    from_left = site.flag("shiftamt")
    type = site.type(*INTEGERS)
    bits = TYPES[f"u{type.bits}"]

    def find(a: Array) -> Array:
        value = np.where(a < 0, ~a, a) if type.signed else a
        zeros = leading_zeros(np.ascontiguousarray(value).view(bits.dtype), bits)
        place = zeros if from_left else np.uint32(type.bits - 1) - zeros
        return np.where(zeros == type.bits, np.uint32(0xFFFFFFFF), place)

    return site.compute(find, U32, type)


@instruction("brev")
def reverse(site: Site) -> Step:
    type = site.type(*WORDS)

    def mirror(a: Array) -> Array:
        octets = np.ascontiguousarray(a).view(np.uint8).reshape(a.size, -1)
        reversed_bits = np.packbits(np.unpackbits(octets, axis=1)[:, ::-1], axis=1)
        return np.ascontiguousarray(reversed_bits).view(type.dtype)[:, 0]

    return site.compute(mirror, type, type)


@instruction("clz")
def count_leading_zeros(site: Site) -> Step:
    type = site.type(*WORDS)
    return site.compute(lambda a: leading_zeros(a, type), U32, type)


def leading_zeros(a: Array, type: Type) -> Array:
    smeared = a.copy()
    step = 1
    while step < type.bits:
        smeared |= smeared >> type.dtype.type(step)
        step *= 2
    return np.uint32(type.bits) - np.bitwise_count(smeared).astype(np.uint32)


@instruction("popc")
def count_ones(site: Site) -> Step:
    type = site.type(*WORDS)
    return site.compute(lambda a: np.bitwise_count(a).astype(np.uint32), U32, type)


@instruction("fns")
def find_nth(site: Site) -> Step:
    """The `offset`-th set bit of a mask from bit `base` on, upwards or downwards."""
    type = site.type("b32")

    def find(masks: Array, bases: Array, offsets: Array) -> Array:
        columns = zip(masks.tolist(), bases.tolist(), offsets.tolist(), strict=True)
        return np.array([_nth_set(*column) for column in columns], np.uint32)

    return site.compute(find, U32, type, U32, TYPES["s32"])


def _nth_set(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step = 1 if offset > 0 else -1
    left = abs(offset)
    at = base
    while 0 <= at < 32:
        left -= mask >> at & 1
        if left == 0:
            return at
        at += step
    return 0xFFFFFFFF


@instruction("prmt")
def permute(site: Site) -> Step:
    """Picks four bytes out of the eight of b:a."""
    type = site.type("b32")
    mode = site.take("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")

    def pick(a: Array, b: Array, control: Array) -> Array:
        octets = np.stack([a, b], axis=1).view(np.uint8)
        selectors = _selectors(control, mode)
        chosen = np.take_along_axis(octets, (selectors & 7).astype(np.int64), axis=1)
        if mode is None:
            signs = np.where(chosen & 0x80, 0xFF, 0).astype(np.uint8)
            chosen = np.where(selectors & 8, signs, chosen)
        return np.ascontiguousarray(chosen).view(np.uint32)[:, 0]

    return site.compute(pick, type, type, type, U32)


def _selectors(control: Array, mode: str | None) -> Array:
    """[lanes, 4]: which byte goes to each place; bit 3 asks for its sign instead."""
    place = np.arange(4)
    c = control[:, None].astype(np.int64)
    if mode is None:
        return (c >> (4 * place)) & 15
    n = c & 3
    return {
        "f4e": lambda: n + place,
        "b4e": lambda: (n - place) & 7,
        "rc8": lambda: n + 0 * place,
        "ecl": lambda: np.maximum(n, place),
        "ecr": lambda: np.minimum(n, place),
        "rc16": lambda: (n & 1) * 2 + (place & 1),
    }[mode]()
