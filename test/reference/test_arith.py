"""Scalar arithmetic at the width of its type."""

import ml_dtypes
import numpy as np
import pytest

from pto.errors import CompileError, DeviceAssertion

bf16 = ml_dtypes.bfloat16


@pytest.fixture
def apply(evaluate):
    """`apply("arith.addi", "i8", *values)`: the result of an op on operands of one type."""

    def apply(op, type, *values, to=None, attribute=""):
        names = [f"%a{index}" for index in range(len(values))]
        arguments = ", ".join(f"{name}: {type}" for name in names)
        types = f"{type} to {to}" if to else type
        result = to or ("i1" if attribute else type)
        text = f"""func.func @f({arguments}) -> {result} {{
            %r = {op} {attribute} {", ".join(names)} : {types}
            return %r : {result}
        }}"""
        return evaluate(text, *values)

    return apply


# ---- constants


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("true", -1),
        ("false", 0),
        ("255 : i8", -1),
        ("-7 : i64", -7),
        ("9 : index", 9),
        ("1.5 : f16", np.float16(1.5)),
        ("1.5 : bf16", bf16(1.5)),
        ("0.1 : f32", np.float32(0.1)),
        ("0.1 : f64", np.float64(0.1)),
    ],
)
def test_constants(evaluate, literal, value):
    type = {"true": "i1", "false": "i1"}.get(literal, literal.split()[-1])
    got = evaluate(
        f"func.func @f() -> {type} {{\n%r = arith.constant {literal}\nreturn %r : {type}\n}}"
    )
    assert got == value
    assert got.__class__ is value.__class__


# ---- integers


@pytest.mark.parametrize(
    ("op", "operands", "result"),
    [
        ("addi", (100, 100), -56),
        ("subi", (-100, 100), 56),
        ("muli", (100, 3), 44),
        ("divsi", (-7, 2), -3),
        ("divsi", (-128, -1), -128),
        ("divui", (-1, 2), 127),
        ("remsi", (-7, 2), -1),
        ("remsi", (7, -2), 1),
        ("remui", (-1, 100), 55),
        ("ceildivsi", (7, 2), 4),
        ("ceildivsi", (-7, 2), -3),
        ("ceildivui", (-1, 2), -128),
        ("floordivsi", (-7, 2), -4),
        ("maxsi", (-1, 1), 1),
        ("maxui", (-1, 1), -1),
        ("minsi", (-1, 1), -1),
        ("minui", (-1, 1), 1),
        ("andi", (-4, 7), 4),
        ("ori", (-4, 1), -3),
        ("xori", (-1, 1), -2),
        ("shli", (3, 6), -64),
        ("shrsi", (-64, 3), -8),
        ("shrui", (-64, 3), 24),
    ],
)
def test_integer_arithmetic_in_8_bits(apply, op, operands, result):
    assert apply(f"arith.{op}", "i8", *operands) == result


@pytest.mark.parametrize(("type", "bits"), [("i16", 16), ("i32", 32), ("i64", 64), ("index", 64)])
def test_additions_wrap_at_the_width(apply, type, bits):
    assert apply("arith.addi", type, 2 ** (bits - 1) - 1, 1) == -(2 ** (bits - 1))


@pytest.mark.parametrize("op", ["divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi"])
def test_division_by_zero_is_a_fault(apply, op):
    with pytest.raises(DeviceAssertion, match=rf"^-:2:18: 'arith.{op}' op divides 7 by zero$"):
        apply(f"arith.{op}", "i32", 7, 0)


def test_a_shift_by_the_width_is_a_fault(apply):
    with pytest.raises(DeviceAssertion, match=r"'arith.shli' op shifts 32 bits by 32$"):
        apply("arith.shli", "i32", 1, 32)


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("eq", (False, True)),
        ("ne", (True, False)),
        ("slt", (True, False)),
        ("sle", (True, True)),
        ("sgt", (False, False)),
        ("sge", (False, True)),
        ("ult", (False, False)),
        ("ule", (False, True)),
        ("ugt", (True, False)),
        ("uge", (True, True)),
    ],
)
def test_integer_comparisons(apply, predicate, expected):
    got = [
        bool(apply("arith.cmpi", "i8", left, right, attribute=f"{predicate},"))
        for left, right in [(-1, 1), (1, 1)]
    ]
    assert tuple(got) == expected


@pytest.mark.parametrize(
    ("op", "source", "target", "value", "result"),
    [
        ("extsi", "i8", "i32", -1, -1),
        ("extui", "i8", "i32", -1, 255),
        ("extsi", "i1", "i8", -1, -1),
        ("extui", "i1", "i8", -1, 1),
        ("trunci", "i32", "i8", 384, -128),
        ("index_cast", "i32", "index", -1, -1),
        ("index_castui", "i32", "index", -1, 2**32 - 1),
        ("index_cast", "index", "i32", 2**31, -(2**31)),
    ],
)
def test_integer_conversions(apply, op, source, target, value, result):
    assert apply(f"arith.{op}", source, value, to=target) == result


def test_select(evaluate):
    text = """func.func @f(%c: i1, %a: f32, %b: f32) -> f32 {
        %r = arith.select %c, %a, %b : f32
        return %r : f32
    }"""
    assert evaluate(text, -1, 1.0, 2.0) == 1
    assert evaluate(text, 0, 1.0, 2.0) == 2


# ---- floats

DTYPES = {"f16": np.float16, "bf16": bf16, "f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(
    ("op", "result"),
    [("addf", 4.5), ("subf", 1.5), ("mulf", 4.5), ("divf", 2), ("maximumf", 3), ("minimumf", 1.5)],
)
def test_float_arithmetic(apply, op, type, result):
    dtype = DTYPES[type]
    got = apply(f"arith.{op}", type, dtype(3), dtype(1.5))
    assert got == result
    assert got.__class__ is dtype
    assert apply("arith.negf", type, dtype(1.5)) == -1.5


@pytest.mark.filterwarnings("error")
def test_float_arithmetic_rounds_to_its_type(apply):
    assert apply("arith.addf", "bf16", bf16(256), bf16(1)) == 256
    assert apply("arith.mulf", "f16", np.float16(60000), np.float16(2)) == np.inf
    assert apply("arith.divf", "f32", np.float32(1), np.float32(0)) == np.inf


@pytest.mark.parametrize("type", DTYPES)
def test_maximumf_keeps_nan_and_maxnumf_drops_it(apply, type):
    nan, one = DTYPES[type](np.nan), DTYPES[type](1)
    for op in ("arith.maximumf", "arith.minimumf"):
        assert np.isnan(apply(op, type, nan, one))
        assert np.isnan(apply(op, type, one, nan))
    for op in ("arith.maxnumf", "arith.minnumf"):
        assert apply(op, type, nan, one) == 1
        assert apply(op, type, one, nan) == 1


def test_signed_zeros_are_ordered(apply):
    zeros = np.float32(0), np.float32(-0.0)
    assert not np.signbit(apply("arith.maximumf", "f32", *zeros))
    assert np.signbit(apply("arith.minimumf", "f32", *zeros))
    assert np.signbit(apply("arith.negf", "f32", zeros[0]))


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        # for 1 < 2, 1 = 1, 2 > 1, 1 ? NaN
        ("false", "----"),
        ("oeq", "-=--"),
        ("ogt", "-->-"),
        ("oge", "-=>-"),
        ("olt", "<---"),
        ("ole", "<=--"),
        ("one", "<->-"),
        ("ord", "<=>-"),
        ("ueq", "-=-?"),
        ("ugt", "-->?"),
        ("uge", "-=>?"),
        ("ult", "<--?"),
        ("ule", "<=-?"),
        ("une", "<->?"),
        ("uno", "---?"),
        ("true", "<=>?"),
    ],
)
def test_float_comparisons(apply, predicate, holds):
    pairs = [(1, 2), (1, 1), (2, 1), (1, np.nan)]
    got = [
        apply("arith.cmpf", "f32", *map(np.float32, pair), attribute=f"{predicate},")
        for pair in pairs
    ]
    assert [bool(result) for result in got] == [outcome != "-" for outcome in holds]


def test_extf_is_exact(apply):
    assert apply("arith.extf", "f16", np.float16(0.1), to="f64") == float(np.float16(0.1))


@pytest.mark.parametrize(
    ("source", "target", "value", "result"),
    [
        ("f32", "f16", np.float32(1 + 2**-11), 1),
        ("f32", "f16", np.float32(1e6), np.inf),
        ("f64", "f32", np.float64(1 + 2**-24), 1),
        ("f32", "bf16", np.float32(1 + 2**-8), 1),
        # By way of f32 these would round to the tie, and then to even.
        ("f64", "bf16", np.float64(1 + 2**-8 + 2**-40), 1 + 2**-7),
        ("f64", "bf16", np.float64(1 + 2**-7 + 2**-8 - 2**-40), 1 + 2**-7),
        ("f64", "f16", np.float64(1 + 2**-11 + 2**-40), 1 + 2**-10),
    ],
)
def test_truncf_rounds_once_to_nearest_even(apply, source, target, value, result):
    assert apply("arith.truncf", source, value, to=target) == result


@pytest.mark.parametrize(
    ("op", "source", "value", "target", "result"),
    [
        ("sitofp", "i8", -3, "f16", -3),
        ("uitofp", "i8", -1, "f32", 255),
        ("sitofp", "i64", 2**53 + 1, "f64", 2**53),
        # By way of f64 these would round to the tie, and then to even.
        ("sitofp", "i64", 2**60 + 2**36 + 1, "f32", 2**60 + 2**37),
        ("sitofp", "i64", -(2**60 + 2**52 + 1), "bf16", -(2**60 + 2**53)),
        ("sitofp", "i32", 70000, "f16", np.inf),
    ],
)
def test_integer_to_float_rounds_once(apply, op, source, value, target, result):
    got = apply(f"arith.{op}", source, value, to=target)
    assert got == result
    assert got.__class__ is DTYPES[target]


@pytest.mark.parametrize(
    ("op", "value", "result"),
    [
        ("fptosi", -2.9, -2),
        ("fptosi", 1000, 127),
        ("fptosi", -np.inf, -128),
        ("fptosi", np.nan, 0),
        ("fptoui", 200.9, 200 - 256),
        ("fptoui", -5, 0),
        ("fptoui", np.inf, -1),
    ],
)
def test_float_to_integer_truncates_and_saturates(apply, op, value, result):
    assert apply(f"arith.{op}", "f32", np.float32(value), to="i8") == result


# ---- faults


def test_a_vector_is_named(apply):
    text = r"'arith.addi' op has no reference meaning with type vector<4xi32>$"
    with pytest.raises(CompileError, match=text):
        apply("arith.addi", "vector<4xi32>", 0, 0)


def test_a_rounding_mode_is_named(evaluate):
    text = """func.func @f(%x: f64) -> f32 {
        %r = arith.truncf %x toward_zero : f64 to f32
        return %r : f32
    }"""
    with pytest.raises(CompileError, match=r"no reference meaning with a rounding mode$"):
        evaluate(text, np.float64(1))
