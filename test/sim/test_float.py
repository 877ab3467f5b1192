"""Floating-point arithmetic, against exact rational arithmetic rounded once."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

FORMATS = {
    # significand bits, least exponent of a normal number, greatest exponent
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}
DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def rounded(exact: Fraction, format: str, mode: str, zero: float = 0.0) -> float:
    """`exact` in a binary format; `zero` is what an exact zero becomes."""
    precision, least, greatest = FORMATS[format]
    if exact == 0:
        return zero
    sign, magnitude = (-1, -exact) if exact < 0 else (1, exact)
    exponent = max(magnitude.numerator.bit_length() - magnitude.denominator.bit_length(), least)
    while exponent > least and magnitude < Fraction(2) ** exponent:
        exponent -= 1
    while magnitude >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - precision + 1)
    steps, rest = divmod(magnitude, unit)
    away = {
        "rn": rest > unit / 2 or (rest == unit / 2 and steps % 2 == 1),
        "rz": False,
        "rm": rest > 0 and sign < 0,
        "rp": rest > 0 and sign > 0,
    }[mode]
    value = (steps + away) * unit
    if value >= Fraction(2) ** (greatest + 1):
        largest = (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** greatest
        to_largest = mode == "rz" or (mode == "rm" and sign > 0) or (mode == "rp" and sign < 0)
        return sign * (float(largest) if to_largest else math.inf)
    return sign * float(value)


def samples(format: str, count: int, seed: int) -> np.ndarray:
    """Numbers of mixed size, with many short significands, so that ties and cancellations occur."""
    random = np.random.default_rng(seed)
    precision, least, greatest = FORMATS[format]
    digits = random.integers(0, 1 << min(precision, 30), count)
    short = random.random(count) < 0.5
    digits = np.where(short, digits >> (min(precision, 30) // 2), digits)
    span = min(30, greatest // 2)
    exponents = random.integers(-span, span, count)
    extreme = random.random(count) < 0.15
    exponents = np.where(extreme, random.integers(least - 5, least + 20, count), exponents)
    values = np.ldexp(digits / 2.0 ** (min(precision, 30) - 1), exponents)
    return (values * random.choice([-1, 1], count)).astype(DTYPES[format])


def check(compute, text, format, mode, exact, *inputs):
    got = compute(text, *inputs, out=DTYPES[format])
    for k in range(inputs[0].size):
        numbers = [Fraction(float(x[k])) for x in inputs]
        value = exact(*numbers)
        if value is None or value == 0:
            continue
        expected = rounded(value, format, mode)
        assert float(got[k]) == expected, (text, [float(x[k]) for x in inputs])


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else None,
}


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("opcode", OPERATIONS)
@pytest.mark.parametrize("format", ["f32", "f64"])
def test_every_rounding_mode(compute, format, opcode, mode):
    a, b = samples(format, 512, 1), samples(format, 512, 2)
    text = f"{opcode}.{mode}.{format} %d, %a, %b;"
    check(compute, text, format, mode, OPERATIONS[opcode], a, b)


@pytest.mark.parametrize("format", ["f16", "bf16"])
@pytest.mark.parametrize("opcode", ["add", "sub", "mul"])
def test_half_precision_rounds_once(compute, format, opcode):
    a, b = samples(format, 1024, 3), samples(format, 1024, 4)
    check(compute, f"{opcode}.{format} %d, %a, %b;", format, "rn", OPERATIONS[opcode], a, b)


@pytest.mark.parametrize(
    "format, mode",
    [(f, m) for f in ("f32", "f64") for m in ("rn", "rz", "rm", "rp")]
    + [("f16", "rn"), ("bf16", "rn")],
)
def test_fma_rounds_once(compute, format, mode):
    a, b, c = (samples(format, 1024, seed) for seed in (5, 6, 7))
    c[::3] = (-(a.astype(np.float64) * b.astype(np.float64)))[::3].astype(c.dtype)
    text = f"fma.{mode}.{format} %d, %a, %b, %c;"
    check(compute, text, format, mode, lambda x, y, z: x * y + z, a, b, c)


def test_fma_of_f32_does_not_round_the_product_to_double(compute):
    # The exact sum lies just beyond half-way between two float32; as a float64 it is the tie.
    a, b = np.array([1 + 2**-12], np.float32), np.array([1 + 2**-12], np.float32)
    c = np.array([2.0**-77], np.float32)
    got = compute("fma.rn.f32 %d, %a, %b, %c;", a, b, c, out=np.float32)
    assert float(got[0]) == rounded(Fraction(float(a[0])) ** 2 + Fraction(2) ** -77, "f32", "rn")
    assert float(got[0]) != float(np.float32(float(a[0]) * float(b[0]) + float(c[0])))


def test_fma_of_f64_at_extreme_exponents(compute):
    a = np.array([1.5 * 2.0**1000, 2.0**-600, 1 + 2.0**-52, 2.0**700], np.float64)
    b = np.array([2.0**20, 1.25 * 2.0**-480, 1 - 2.0**-52, -(2.0**400)], np.float64)
    c = np.array([-(2.0**1019), 2.0**-1074, -1.0, 1.0], np.float64)
    check(compute, "fma.rn.f64 %d, %a, %b, %c;", "f64", "rn", lambda x, y, z: x * y + z, a, b, c)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("format", ["f32", "f64"])
def test_sqrt_brackets_the_root(compute, format, mode):
    a = np.abs(samples(format, 256, 8))
    a = a[a > 0]
    root = compute(f"sqrt.{mode}.{format} %d, %a;", a, out=DTYPES[format])
    for x, r in zip(a, root, strict=True):
        above, below = np.nextafter(r, r.dtype.type(np.inf)), np.nextafter(r, r.dtype.type(0))
        x, r, above, below = (Fraction(float(v)) for v in (x, r, above, below))
        if mode == "rn":
            assert ((r + below) / 2) ** 2 <= x <= ((r + above) / 2) ** 2
        elif mode == "rp":
            assert below**2 < x <= r**2
        else:
            assert r**2 <= x < above**2


def test_nan_results_are_canonical(compute):
    nan = np.array([0xFFC12345], np.uint32)
    one = np.array([1.0], np.float32).view(np.uint32)
    for text in ("add.f32 %d, %a, %b;", "fma.rn.f32 %d, %a, %b, %b;", "div.rn.f32 %d, %b, %a;"):
        assert compute(text, nan, one, out=np.uint32)[0] == 0x7FFFFFFF
    wide = np.array([0xFFF8000000000123], np.uint64)
    assert compute("add.f64 %d, %a, %a;", wide, out=np.uint64)[0] == 0x7FF8000000000000
    half = np.array([0xFE01], np.uint16)
    assert compute("add.f16 %d, %a, %a;", half, out=np.uint16)[0] == 0x7FFF
    assert (
        compute("fma.rn.bf16 %d, %a, %a, %a;", np.array([0xFFC1], np.uint16), out=np.uint16)[0]
        == 0x7FFF
    )


def test_infinity_minus_infinity_is_nan(compute):
    a = np.array([np.inf], np.float32)
    assert compute("sub.f32 %d, %a, %a;", a, out=np.uint32)[0] == 0x7FFFFFFF


def test_ftz_flushes_inputs_and_results_keeping_the_sign(compute):
    tiny = np.array([2.0**-130, -(2.0**-130), 2.0**-126, 2.0**-126], np.float32)
    other = np.array([1.0, 1.0, 0.5, -0.5], np.float32)
    result = compute("mul.ftz.f32 %d, %a, %b;", tiny, other, out=np.uint32)
    np.testing.assert_array_equal(result, [0, 0x80000000, 0, 0x80000000])
    kept = compute("mul.f32 %d, %a, %b;", tiny, other, out=np.float32)
    np.testing.assert_array_equal(kept, tiny * other)


def test_sat_clamps_to_the_unit_interval(compute):
    a = np.array([-1.0, 0.25, 3.0, np.nan], np.float32)
    result = compute("add.sat.f32 %d, %a, 0f00000000;", a, out=np.float32)
    np.testing.assert_array_equal(result, [0.0, 0.25, 1.0, 0.0])


@pytest.mark.parametrize("format", ["f32", "f64", "f16", "bf16"])
def test_min_and_max_return_the_number_and_order_zeros(compute, format):
    nan = np.nan
    a = np.array([1.0, nan, 2.0, nan, -0.0, 0.0], np.float64).astype(DTYPES[format])
    b = np.array([2.0, 5.0, nan, nan, 0.0, -0.0], np.float64).astype(DTYPES[format])
    least = compute(f"min.{format} %d, %a, %b;", a, b, out=DTYPES[format]).astype(np.float64)
    most = compute(f"max.{format} %d, %a, %b;", a, b, out=DTYPES[format]).astype(np.float64)
    np.testing.assert_array_equal(least, [1.0, 5.0, 2.0, nan, -0.0, -0.0])
    np.testing.assert_array_equal(np.signbit(least[4:]), [True, True])
    np.testing.assert_array_equal(most, [2.0, 5.0, 2.0, nan, 0.0, 0.0])
    np.testing.assert_array_equal(np.signbit(most[4:]), [False, False])


def test_min_nan_prefers_the_nan(compute):
    a, b = np.array([np.nan, 1.0], np.float32), np.array([5.0, 2.0], np.float32)
    result = compute("min.NaN.f32 %d, %a, %b;", a, b, out=np.uint32)
    np.testing.assert_array_equal(result, [0x7FFFFFFF, 0x3F800000])


def test_max_of_three(compute):
    a, b, c = (np.array(v, np.float32) for v in ([1, np.nan, 3], [5, 2, np.nan], [4, 1, 2]))
    result = compute("max.f32 %d, %a, %b, %c;", a, b, c, out=np.float32)
    np.testing.assert_array_equal(result, [5, 2, 3])


def test_max_xorsign_abs(compute):
    a, b = np.array([-3.0, 2.0], np.float32), np.array([1.0, 4.0], np.float32)
    result = compute("max.xorsign.abs.f32 %d, %a, %b;", a, b, out=np.float32)
    np.testing.assert_array_equal(result, [-3.0, 4.0])


def test_abs_neg_and_copysign(compute):
    a, b = np.array([-1.5, 0.0, 2.0], np.float32), np.array([9.0, 8.0, -7.0], np.float32)
    np.testing.assert_array_equal(compute("abs.f32 %d, %a;", a, out=np.float32), np.abs(a))
    np.testing.assert_array_equal(compute("neg.f32 %d, %a;", a, out=np.float32), -a)
    result = compute("copysign.f32 %d, %a, %b;", a, b, out=np.float32)
    np.testing.assert_array_equal(result, np.copysign(b, a))


@pytest.mark.parametrize(
    "text, function",
    [
        ("rcp.approx.f32", lambda x: 1 / x),
        ("rsqrt.approx.f32", lambda x: 1 / np.sqrt(x)),
        ("sqrt.approx.f32", np.sqrt),
        ("ex2.approx.f32", np.exp2),
        ("lg2.approx.f32", np.log2),
        ("sin.approx.f32", np.sin),
        ("cos.approx.f32", np.cos),
        ("tanh.approx.f32", np.tanh),
    ],
)
def test_approximate_functions_are_exact_to_a_float(compute, text, function):
    a = np.linspace(0.1, 9, 64, dtype=np.float32)
    expected = function(a.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(compute(f"{text} %d, %a;", a, out=np.float32), expected)


def test_ex2_of_f16(compute):
    a = np.array([-1, 0, 0.5, 3], np.float16)
    result = compute("ex2.approx.f16 %d, %a;", a, out=np.float16)
    np.testing.assert_array_equal(result, np.exp2(a.astype(np.float64)).astype(np.float16))
