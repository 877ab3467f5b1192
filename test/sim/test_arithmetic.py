"""Integer arithmetic and logic."""

import numpy as np
import pytest

from pto.errors import SimulationError

I32 = np.array([0, 1, -1, 7, -7, 2**31 - 1, -(2**31), 123456789, -987654321, 40], np.int32)
J32 = np.array([5, -1, -1, -2, 2, 2**31 - 1, -1, 987, 1000, -40], np.int32)
U32, V32 = I32.view(np.uint32), J32.view(np.uint32)
I64 = np.array(
    [0, 1, -1, 2**63 - 1, -(2**63), 1 << 40, -(1 << 40), 3, -3, 12345678901234], np.int64
)
J64 = np.array([9, -1, -1, 2**63 - 1, -1, 1 << 35, 77, -2, 2, -98765432109], np.int64)
U64, V64 = I64.view(np.uint64), J64.view(np.uint64)


def wrapped(values, dtype):
    """Python integers reduced to a numpy type."""
    bits = 8 * np.dtype(dtype).itemsize
    unsigned = np.array([int(v) & (1 << bits) - 1 for v in values], f"u{bits // 8}")
    return unsigned.view(dtype)


def ints(array):
    return [int(v) for v in array]


@pytest.mark.parametrize(
    "opcode, function",
    [
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("mul.lo", lambda a, b: a * b),
        ("min", min),
        ("max", max),
    ],
)
@pytest.mark.parametrize(
    "type, a, b", [("s32", I32, J32), ("u32", U32, V32), ("s64", I64, J64), ("u64", U64, V64)]
)
def test_wraps_at_the_width(compute, opcode, function, type, a, b):
    result = compute(f"{opcode}.{type} %d, %a, %b;", a, b, out=a.dtype)
    expected = wrapped(map(function, ints(a), ints(b)), a.dtype)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "type, a, b", [("s32", I32, J32), ("u32", U32, V32), ("s64", I64, J64), ("u64", U64, V64)]
)
def test_mul_hi_is_the_upper_half(compute, type, a, b):
    result = compute(f"mul.hi.{type} %d, %a, %b;", a, b, out=a.dtype)
    bits = 8 * a.itemsize
    expected = wrapped([x * y >> bits for x, y in zip(ints(a), ints(b), strict=True)], a.dtype)
    np.testing.assert_array_equal(result, expected)


def test_mul_wide_keeps_the_sign(compute):
    result = compute("mul.wide.s32 %d, %a, %b;", I32, J32, out=np.int64)
    np.testing.assert_array_equal(result, I32.astype(np.int64) * J32)


def test_mad_wide_adds_a_wide_number(compute):
    result = compute("mad.wide.u32 %d, %a, %b, %c;", U32, V32, U64, out=np.uint64)
    expected = [x * y + z for x, y, z in zip(ints(U32), ints(V32), ints(U64), strict=True)]
    np.testing.assert_array_equal(result, wrapped(expected, np.uint64))


def test_division_rounds_towards_zero(compute):
    a = np.array([7, -7, 7, -7, 1], np.int32)
    b = np.array([2, 2, -2, -2, 3], np.int32)
    np.testing.assert_array_equal(
        compute("div.s32 %d, %a, %b;", a, b, out=np.int32), [3, -3, -3, 3, 0]
    )
    np.testing.assert_array_equal(
        compute("rem.s32 %d, %a, %b;", a, b, out=np.int32), [1, -1, 1, -1, 1]
    )


def test_unsigned_division_of_a_large_number(compute):
    result = compute("div.u32 %d, %a, 10;", np.array([2**32 - 1], np.uint32), out=np.uint32)
    assert result[0] == 429496729


def test_saturating_add_stays_in_range(compute):
    a = np.array([2**31 - 1, -(2**31), 5], np.int32)
    b = np.array([1, -1, 6], np.int32)
    result = compute("add.sat.s32 %d, %a, %b;", a, b, out=np.int32)
    np.testing.assert_array_equal(result, [2**31 - 1, -(2**31), 11])


def test_add_with_carry_makes_a_wide_sum(compute):
    body = """
    mov.b64 {%r1, %r2}, %a; mov.b64 {%r3, %r4}, %b;
    add.cc.u32 %r5, %r1, %r3; addc.u32 %r6, %r2, %r4; mov.b64 %d, {%r5, %r6};
    """
    np.testing.assert_array_equal(compute(body, U64, V64, out=np.uint64), U64 + V64)


def test_subtract_with_borrow_makes_a_wide_difference(compute):
    body = """
    mov.b64 {%r1, %r2}, %a; mov.b64 {%r3, %r4}, %b;
    sub.cc.u32 %r5, %r1, %r3; subc.u32 %r6, %r2, %r4; mov.b64 %d, {%r5, %r6};
    """
    np.testing.assert_array_equal(compute(body, U64, V64, out=np.uint64), U64 - V64)


def test_mad_with_carry_makes_a_wide_product(compute):
    body = """
    mad.lo.cc.u32 %r5, %a, %b, 0; madc.hi.u32 %r6, %a, %b, 0; mov.b64 %d, {%r5, %r6};
    """
    expected = U32.astype(np.uint64) * V32
    np.testing.assert_array_equal(compute(body, U32, V32, out=np.uint64), expected)


@pytest.mark.parametrize("opcode, function", [("abs", np.abs), ("neg", np.negative)])
def test_abs_and_neg_of_the_least_number_wrap(compute, opcode, function):
    result = compute(f"{opcode}.s32 %d, %a;", I32, out=np.int32)
    np.testing.assert_array_equal(result, function(I32))


def test_sad_adds_the_distance(compute):
    result = compute("sad.s32 %d, %a, %b, 100;", I32, J32, out=np.int32)
    expected = [abs(x - y) + 100 for x, y in zip(ints(I32), ints(J32), strict=True)]
    np.testing.assert_array_equal(result, wrapped(expected, np.int32))


def test_dp4a_sums_signed_byte_products(compute):
    a = np.array([[1, -2, 3, -4], [127, -128, 127, -128]], np.int8)
    b = np.array([[5, 6, -7, 8], [-128, -128, 127, 127]], np.int8)
    result = compute(
        "dp4a.s32.s32 %d, %a, %b, 10;", a.view(np.int32)[:, 0], b.view(np.int32)[:, 0], out=np.int32
    )
    np.testing.assert_array_equal(result, (a.astype(int) * b).sum(axis=1) + 10)


@pytest.mark.parametrize(
    "opcode, function", [("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor)]
)
def test_bitwise_logic(compute, opcode, function):
    result = compute(f"{opcode}.b32 %d, %a, %b;", U32, V32, out=np.uint32)
    np.testing.assert_array_equal(result, function(U32, V32))


def test_not_and_cnot(compute):
    np.testing.assert_array_equal(compute("not.b32 %d, %a;", U32, out=np.uint32), ~U32)
    np.testing.assert_array_equal(compute("cnot.b32 %d, %a;", U32, out=np.uint32), U32 == 0)


@pytest.mark.parametrize("table", [0x96, 0xE8, 0x80, 0xCA])
def test_lop3_looks_up_each_bit(compute, table):
    c = np.arange(U32.size, dtype=np.uint32) * np.uint32(0x12345677)
    result = compute(f"lop3.b32 %d, %a, %b, %c, {table};", U32, V32, c, out=np.uint32)
    for a, b, z, d in zip(ints(U32), ints(V32), ints(c), ints(result), strict=True):
        for bit in range(32):
            row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (z >> bit & 1)
            assert d >> bit & 1 == table >> row & 1


def test_shift_amounts_beyond_the_width_are_clamped(compute):
    a = np.full(4, 0x80000001, np.uint32)
    n = np.array([0, 31, 32, 200], np.uint32)
    np.testing.assert_array_equal(
        compute("shl.b32 %d, %a, %b;", a, n, out=np.uint32), [0x80000001, 1 << 31, 0, 0]
    )
    np.testing.assert_array_equal(
        compute("shr.u32 %d, %a, %b;", a, n, out=np.uint32), [0x80000001, 1, 0, 0]
    )
    np.testing.assert_array_equal(
        compute("shr.s32 %d, %a, %b;", a, n, out=np.int32), [-(2**31) + 1, -1, -1, -1]
    )


def test_funnel_shift_wraps_or_clamps(compute):
    a, b = np.array([0x11223344], np.uint32), np.array([0x55667788], np.uint32)
    for text, expected in [
        ("shf.l.wrap.b32 %d, %a, %b, 40;", 0x66778811),
        ("shf.l.clamp.b32 %d, %a, %b, 40;", 0x11223344),
        ("shf.r.wrap.b32 %d, %a, %b, 8;", 0x88112233),
        ("shf.r.clamp.b32 %d, %a, %b, 32;", 0x55667788),
    ]:
        assert compute(text, a, b, out=np.uint32)[0] == expected


def test_unknown_instruction_is_named_with_its_line(run):
    with pytest.raises(
        SimulationError, match=r"frobnicate.*PTX line \d+: frobnicate.u32 %r1, %r2;"
    ):
        run("frobnicate.u32 %r1, %r2;")


def test_unknown_modifier_is_an_error(run):
    with pytest.raises(SimulationError, match=r"add with \.fancy is not known"):
        run("add.fancy.s32 %r1, %r2, %r3;")


def test_wrong_operand_count_is_an_error(run):
    with pytest.raises(SimulationError, match="takes 3 operands, not 4"):
        run("add.s32 %r1, %r2, %r3, %r4;")


def test_register_of_the_wrong_width_is_an_error(run):
    with pytest.raises(SimulationError, match=r"%rd1 has 64 bits, which does not fit \.s32"):
        run("add.s32 %r1, %rd1, %r3;")


def test_mul24_uses_the_low_24_bits(compute):
    a, b = np.array([0xFF800001], np.uint32), np.array([0x01000003], np.uint32)
    assert compute("mul24.lo.u32 %d, %a, %b;", a, b, out=np.uint32)[0] == 0x800001 * 3 & 0xFFFFFFFF
    result = compute("mul24.hi.s32 %d, %a, %b;", a, b, out=np.int32)
    assert result[0] == (0x800001 - 2**24) * 3 >> 16
    result = compute("mad24.lo.s32 %d, %a, %b, 7;", a, b, out=np.int32)
    assert result[0] == (0x800001 - 2**24) * 3 + 7


def test_dp2a_picks_two_of_the_bytes(compute):
    a = np.array([3, -2], np.int16).view(np.uint32)
    b = np.array([1, 10, 100, -5], np.int8).view(np.uint32)
    assert compute("dp2a.lo.s32.s32 %d, %a, %b, 0;", a, b, out=np.int32)[0] == 3 - 20
    assert compute("dp2a.hi.s32.s32 %d, %a, %b, 0;", a, b, out=np.int32)[0] == 300 + 10
