"""Two elements in one register."""

import ml_dtypes
import numpy as np
import pytest


def pairs(dtype, word):
    random = np.random.default_rng(0)
    values = [random.standard_normal(64).astype(dtype) for _ in range(3)]
    return values, [v.view(word) for v in values]


@pytest.mark.parametrize(
    "opcode, function", [("add", np.add), ("sub", np.subtract), ("mul", np.multiply)]
)
@pytest.mark.parametrize("format, dtype", [("f16x2", np.float16), ("bf16x2", ml_dtypes.bfloat16)])
def test_packed_half_arithmetic(compute, opcode, function, format, dtype):
    (a, b, _), (x, y, _) = pairs(dtype, np.uint32)
    result = compute(f"{opcode}.{format} %d, %a, %b;", x, y, out=np.uint32).view(dtype)
    expected = function(a.astype(np.float32), b.astype(np.float32)).astype(dtype)
    np.testing.assert_array_equal(result.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize(
    "opcode, function", [("add", np.add), ("sub", np.subtract), ("mul", np.multiply)]
)
def test_f32x2_arithmetic(compute, opcode, function):
    (a, b, _), (x, y, _) = pairs(np.float32, np.uint64)
    result = compute(f"{opcode}.rn.f32x2 %d, %a, %b;", x, y, out=np.uint64).view(np.float32)
    np.testing.assert_array_equal(result, function(a, b))


def test_f32x2_fma_rounds_once(compute):
    a = np.array([1 + 2.0**-12, 3.0], np.float32)
    c = np.array([2.0**-77, -9.0], np.float32)
    x, z = a.view(np.uint64), c.view(np.uint64)
    result = compute("fma.rn.f32x2 %d, %a, %a, %c;".replace("%c", "%b"), x, z, out=np.uint64)
    np.testing.assert_array_equal(result.view(np.float32), [np.float32(1 + 2.0**-11 + 2.0**-23), 0])


def test_f32x2_ftz(compute):
    a = np.array([2.0**-130, 1.0], np.float32).view(np.uint64)
    result = compute("add.rn.ftz.f32x2 %d, %a, %a;", a, out=np.uint64).view(np.float32)
    np.testing.assert_array_equal(result, [0.0, 2.0])


def test_packed_fma_with_relu(compute):
    a = np.array([1, -2], np.float16).view(np.uint32)
    b = np.array([3, 3], np.float16).view(np.uint32)
    result = compute("fma.rn.relu.f16x2 %d, %a, %b, %b;", a, b, out=np.uint32).view(np.float16)
    np.testing.assert_array_equal(result, [6, 0])


def test_packed_maximum(compute):
    a = np.array([1, np.nan], np.float16).view(np.uint32)
    b = np.array([-4, 2], np.float16).view(np.uint32)
    result = compute("max.f16x2 %d, %a, %b;", a, b, out=np.uint32).view(np.float16)
    np.testing.assert_array_equal(result, [1, 2])


def test_packed_integers_do_not_carry_over(compute):
    a = np.array([0xFFFF, 1], np.uint16).view(np.uint32)
    b = np.array([1, 2], np.uint16).view(np.uint32)
    result = compute("add.u16x2 %d, %a, %b;", a, b, out=np.uint32).view(np.uint16)
    np.testing.assert_array_equal(result, [0, 3])


def test_packed_set_fills_the_halves(compute):
    a = np.array([1, 5], np.float16).view(np.uint32)
    b = np.array([2, 2], np.float16).view(np.uint32)
    assert compute("set.lt.u32.f16x2 %d, %a, %b;", a, b, out=np.uint32)[0] == 0x0000FFFF
    assert compute("set.gt.f16x2.f16x2 %d, %a, %b;", a, b, out=np.uint32)[0] == 0x3C000000


def test_packed_comparison_sets_both_predicates(compute):
    a = np.array([1, 5], np.float16).view(np.uint32)
    b = np.array([2, 2], np.float16).view(np.uint32)
    body = "setp.lt.f16x2 %p1|%p2, %a, %b; selp.u32 %r1, 1, 0, %p1; selp.u32 %d, %r1, 7, %p2;"
    assert compute(body, a, b, out=np.uint32)[0] == 7
    body = "setp.lt.f16x2 %p1|%p2, %a, %b; selp.u32 %d, 1, 0, %p1;"
    assert compute(body, a, b, out=np.uint32)[0] == 1
