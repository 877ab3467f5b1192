"""mov and cvt."""

import ml_dtypes
import numpy as np
import pytest

from pto.errors import SimulationError

INF, NAN = np.inf, np.nan


def test_narrowing_integers_keeps_the_low_bits(compute):
    a = np.array([0x12345678, 0xFFFFFF80], np.uint32)
    np.testing.assert_array_equal(
        compute("cvt.u16.u32 %d, %a;", a, out=np.uint16), [0x5678, 0xFF80]
    )
    result = compute("cvt.s32.s8 %d, %a;", a, out=np.int32)
    np.testing.assert_array_equal(result, [0x78, -128])


def test_widening_integers_extends_by_sign(compute):
    a = np.array([-5, 5], np.int32)
    np.testing.assert_array_equal(compute("cvt.s64.s32 %d, %a;", a, out=np.int64), [-5, 5])
    np.testing.assert_array_equal(compute("cvt.u64.u32 %d, %a;", a, out=np.uint64), [2**32 - 5, 5])


def test_saturating_integer_conversion(compute):
    a = np.array([-500, 300, 7], np.int32)
    np.testing.assert_array_equal(
        compute("cvt.sat.s8.s32 %d, %a;", a, out=np.int32), [-128, 127, 7]
    )
    np.testing.assert_array_equal(compute("cvt.sat.u8.s32 %d, %a;", a, out=np.uint32), [0, 255, 7])


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("rni", [2, 2, -2, -2, 0]),
        ("rzi", [1, 2, -1, -2, 0]),
        ("rmi", [1, 2, -2, -3, -1]),
        ("rpi", [2, 3, -1, -2, 0]),
    ],
)
def test_float_to_integer_rounding(compute, mode, expected):
    a = np.array([1.5, 2.5, -1.5, -2.5, -0.25], np.float32)
    np.testing.assert_array_equal(compute(f"cvt.{mode}.s32.f32 %d, %a;", a, out=np.int32), expected)
    result = compute(f"cvt.{mode}.f32.f32 %d, %a;", a, out=np.float32)
    np.testing.assert_array_equal(result, expected)


def test_float_to_integer_clamps_and_nan_is_zero(compute):
    a = np.array([1e20, -1e20, INF, -INF, NAN, 3e9], np.float32)
    result = compute("cvt.rzi.s32.f32 %d, %a;", a, out=np.int32)
    np.testing.assert_array_equal(result, [2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 0, 2**31 - 1])
    result = compute("cvt.rzi.u32.f32 %d, %a;", a, out=np.uint32)
    np.testing.assert_array_equal(result, [2**32 - 1, 0, 2**32 - 1, 0, 0, 3000000000])


def test_nan_to_64_bits_sets_the_top_bit(compute):
    a = np.array([NAN], np.float64)
    assert compute("cvt.rzi.s64.f64 %d, %a;", a, out=np.int64)[0] == -(2**63)
    assert compute("cvt.rzi.u64.f64 %d, %a;", a, out=np.uint64)[0] == 2**63


def test_integer_to_float_rounding_modes(compute):
    a = np.array([2**24 + 1, -(2**24 + 1)], np.int32)
    for mode, expected in [
        ("rn", [2**24, -(2**24)]),
        ("rz", [2**24, -(2**24)]),
        ("rm", [2**24, -(2**24 + 2)]),
        ("rp", [2**24 + 2, -(2**24)]),
    ]:
        result = compute(f"cvt.{mode}.f32.s32 %d, %a;", a, out=np.float32)
        np.testing.assert_array_equal(result, expected)


def test_64_bit_integer_to_float_rounds_once(compute):
    # Rounding to float64 first would end in a tie and give the even neighbour.
    a = np.array([(1 << 60) + (1 << 36) + 1, 2**64 - 1], np.uint64)
    result = compute("cvt.rn.f32.u64 %d, %a;", a, out=np.float32)
    np.testing.assert_array_equal(result, np.float32([2**60 + 2**37, 2.0**64]))
    result = compute("cvt.rz.f64.u64 %d, %a;", a, out=np.float64)
    assert int(result[1]) == 2**64 - 2**11


def test_f32_to_f16_rounding_modes(compute):
    a = np.array([1 + 2.0**-11, -(1 + 2.0**-11), 65520.0, 1e-8], np.float32)
    for mode, expected in [
        ("rn", [1.0, -1.0, INF, 0.0]),
        ("rz", [1.0, -1.0, 65504.0, 0.0]),
        ("rm", [1.0, -1 - 2.0**-10, 65504.0, 0.0]),
        ("rp", [1 + 2.0**-10, -1.0, INF, 2.0**-24]),
    ]:
        result = compute(f"cvt.{mode}.f16.f32 %d, %a;", a, out=np.float16)
        np.testing.assert_array_equal(result, np.float16(expected))


def test_f32_to_bf16_agrees_with_ml_dtypes(compute):
    a = np.random.default_rng(1).standard_normal(512).astype(np.float32)
    result = compute("cvt.rn.bf16.f32 %d, %a;", a, out=np.uint16)
    np.testing.assert_array_equal(result, a.astype(ml_dtypes.bfloat16).view(np.uint16))


def test_bf16_to_f32_is_exact(compute):
    a = np.array([0x3FC0, 0xC000, 0x7F80, 0x0001], np.uint16)
    result = compute("cvt.f32.bf16 %d, %a;", a, out=np.float32)
    np.testing.assert_array_equal(result, a.view(ml_dtypes.bfloat16).astype(np.float32))


def test_f64_to_bf16_rounds_once(compute):
    # Half-way between two bf16 plus a little that float32 cannot hold.
    a = np.array([1 + 2.0**-8 + 2.0**-40], np.float64)
    body = "cvt.rn.bf16.f64 %d, %a;"
    assert compute(body, a, out=np.uint16)[0] == 0x3F81


def test_f64_to_f32_modes(compute):
    a = np.array([1 + 2.0**-24 + 2.0**-50, 1e300], np.float64)
    np.testing.assert_array_equal(
        compute("cvt.rn.f32.f64 %d, %a;", a, out=np.float32), np.float32([1 + 2.0**-23, INF])
    )
    result = compute("cvt.rz.f32.f64 %d, %a;", a, out=np.float32)
    np.testing.assert_array_equal(result, [np.float32(1), np.finfo(np.float32).max])


def test_pack_puts_the_first_source_in_the_upper_half(compute):
    a, b = np.array([1.0], np.float32), np.array([-2.0], np.float32)
    result = compute("cvt.rn.f16x2.f32 %d, %a, %b;", a, b, out=np.uint32)
    np.testing.assert_array_equal(result.view(np.float16), [-2.0, 1.0])
    result = compute("cvt.rn.relu.bf16x2.f32 %d, %a, %b;", a, b, out=np.uint32)
    assert result[0] == 0x3F800000


def test_saturating_float_conversion(compute):
    a = np.array([-2.0, 0.5, 7.0, NAN], np.float32)
    result = compute("cvt.sat.f32.f32 %d, %a;", a, out=np.float32)
    np.testing.assert_array_equal(result, [0.0, 0.5, 1.0, 0.0])


def test_conversion_leaves_its_source_alone(compute):
    a = np.array([0xFFC00001], np.uint32)
    assert compute("cvt.sat.f32.f32 %r1, %a; mov.b32 %d, %a;", a, out=np.uint32)[0] == 0xFFC00001
    assert compute("cvt.sat.f32.f32 %d, 0f7FC00000;", a, out=np.uint32)[0] == 0


def test_ftz_conversion_flushes(compute):
    a = np.array([2.0**-130, 2.0**-126], np.float32)
    result = compute("cvt.ftz.f64.f32 %d, %a;", a, out=np.float64)
    np.testing.assert_array_equal(result, [0.0, 2.0**-126])


def test_tf32_rounds_ties_away(compute):
    a = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11], np.float32)
    np.testing.assert_array_equal(
        compute("cvt.rna.tf32.f32 %d, %a;", a, out=np.float32), [1 + 2.0**-10, 1 + 2.0**-9]
    )
    np.testing.assert_array_equal(
        compute("cvt.rn.tf32.f32 %d, %a;", a, out=np.float32), [1.0, 1 + 2.0**-9]
    )


def test_mov_packs_and_unpacks(compute):
    a = np.array([0x1122334455667788], np.uint64)
    assert compute("mov.b64 {%r1, %r2}, %a; mov.b64 %d, {%r2, %r1};", a, out=np.uint64)[0] == (
        0x5566778811223344
    )
    assert compute("mov.b64 {_, %r2}, %a; mov.b32 %d, %r2;", a, out=np.uint32)[0] == 0x11223344
    body = "mov.b64 {%rs1, %rs2, %rs3, %rs4}, %a; mov.b32 %d, {%rs1, %rs4};"
    assert compute(body, a, out=np.uint32)[0] == 0x11227788


def test_float_immediates(compute):
    a = np.zeros(1, np.float32)
    assert compute("add.f32 %d, %a, 0f40490FDB;", a, out=np.float32)[0] == np.float32(np.pi)
    a = np.zeros(1, np.float64)
    assert compute("add.f64 %d, %a, 0d400921FB54442D18;", a, out=np.float64)[0] == np.pi


def test_special_registers(run):
    out = np.zeros((12, 4), np.uint32)
    body = """
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.y;
    mad.lo.u32 %r5, %r2, 3, %r1; mad.lo.u32 %r5, %r3, 6, %r5;
    mad.wide.u32 %rd1, %r5, 16, %out;
    mov.u32 %r6, %laneid;
    st.global.v4.u32 [%rd1], {%r1, %r2, %r6, %r4};
    """
    run(body, out=out, block=(3, 2, 1), grid=2)
    np.testing.assert_array_equal(out[:, 0], [0, 1, 2] * 4)
    np.testing.assert_array_equal(out[:, 1], [0, 0, 0, 1, 1, 1] * 2)
    np.testing.assert_array_equal(out[:, 2], list(range(6)) * 2)
    np.testing.assert_array_equal(out[:, 3], 2)


def test_narrowing_float_conversion_needs_a_rounding_mode(run):
    with pytest.raises(SimulationError, match=r"needs \.rn"):
        run("cvt.f16.f32 %rs1, %r1;")
