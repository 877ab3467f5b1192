"""Bit fields, counts and byte permutation."""

import numpy as np
import pytest

A = np.array([0, 1, 0x80000000, 0xFFFFFFFF, 0x00F0F000, 0x12345678], np.uint32)


def bits_of(value, width=32):
    return [int(value) >> k & 1 for k in range(width)]


def number(bits):
    return sum(bit << k for k, bit in enumerate(bits))


def test_popc_and_clz(compute):
    np.testing.assert_array_equal(
        compute("popc.b32 %d, %a;", A, out=np.uint32), [bin(a).count("1") for a in A.tolist()]
    )
    np.testing.assert_array_equal(
        compute("clz.b32 %d, %a;", A, out=np.uint32), [32 - a.bit_length() for a in A.tolist()]
    )


def test_clz_of_64_bits(compute):
    a = np.array([0, 1, 1 << 40, 1 << 63], np.uint64)
    np.testing.assert_array_equal(compute("clz.b64 %d, %a;", a, out=np.uint32), [64, 63, 23, 0])


def test_brev_mirrors(compute):
    expected = [number(bits_of(a)[::-1]) for a in A]
    np.testing.assert_array_equal(compute("brev.b32 %d, %a;", A, out=np.uint32), expected)


def test_bfind_of_signed_skips_sign_bits(compute):
    a = np.array([0, -1, 1, -2, 256], np.int32)
    np.testing.assert_array_equal(
        compute("bfind.s32 %d, %a;", a, out=np.uint32), [2**32 - 1, 2**32 - 1, 0, 0, 8]
    )
    np.testing.assert_array_equal(
        compute("bfind.u32 %d, %a;", a.view(np.uint32), out=np.uint32), [2**32 - 1, 31, 0, 31, 8]
    )


@pytest.mark.parametrize("position, length", [(0, 0), (4, 8), (28, 8), (0, 32), (31, 1), (40, 4)])
def test_bfe_extracts_and_extends(compute, position, length):
    def extracted(value, signed):
        bits = bits_of(value)
        top = bits[min(position + length - 1, 31)] if signed and length else 0
        field = [bits[k] if k < 32 else top for k in range(position, position + length)]
        return number((field + [top] * 32)[:32])

    for type, signed in (("u32", False), ("s32", True)):
        result = compute(f"bfe.{type} %d, %a, {position}, {length};", A, out=np.uint32)
        np.testing.assert_array_equal(result, [extracted(a, signed) for a in A])


@pytest.mark.parametrize("position, length", [(0, 0), (4, 8), (28, 8), (0, 32), (40, 4)])
def test_bfi_replaces_a_field(compute, position, length):
    def inserted(value, base):
        bits = bits_of(base)
        for k in range(length):
            if position + k < 32:
                bits[position + k] = bits_of(value)[k]
        return number(bits)

    b = A[::-1].copy()
    result = compute(f"bfi.b32 %d, %a, %b, {position}, {length};", A, b, out=np.uint32)
    np.testing.assert_array_equal(result, [inserted(x, y) for x, y in zip(A, b, strict=True)])


def test_prmt_picks_bytes_and_signs(compute):
    a, b = np.array([0x33221180], np.uint32), np.array([0x77665544], np.uint32)
    for selector, expected in [(0x3210, 0x33221180), (0x7654, 0x77665544), (0x0088, 0x8080FFFF)]:
        result = compute(f"prmt.b32 %d, %a, %b, {selector};", a, b, out=np.uint32)
        assert result[0] == expected


def test_prmt_modes(compute):
    a, b = np.array([0x33221100], np.uint32), np.array([0x77665544], np.uint32)
    for mode, selector, expected in [
        ("f4e", 1, 0x44332211),
        ("b4e", 1, 0x66770011),
        ("rc8", 2, 0x22222222),
        ("ecl", 2, 0x33222222),
        ("ecr", 1, 0x11111100),
        ("rc16", 1, 0x33223322),
    ]:
        result = compute(f"prmt.b32.{mode} %d, %a, %b, {selector};", a, b, out=np.uint32)
        assert result[0] == expected, mode


def test_fns_finds_set_bits_from_a_base(compute):
    a = np.array([0b10110, 0b10110, 0b10110, 0b10110], np.uint32)
    base = np.array([0, 1, 4, 0], np.uint32)
    offset = np.array([1, 0, -2, 4], np.int32)
    result = compute("fns.b32 %d, %a, %b, %c;", a, base, offset, out=np.uint32)
    np.testing.assert_array_equal(result, [1, 1, 2, 2**32 - 1])


def test_bmsk_makes_a_mask(compute):
    a = np.array([4, 30], np.uint32)
    result = compute("bmsk.clamp.b32 %d, %a, 8;", a, out=np.uint32)
    np.testing.assert_array_equal(result, [0xFF0, 0xC0000000])
