"""Comparison, selection and predicates."""

import operator

import numpy as np
import pytest

from pto.errors import SimulationError

FLAG = "selp.u32 %d, 1, 0, %p1;"
NAN = np.nan
X = np.array([1, 2, 2, NAN, 1, NAN], np.float32)
Y = np.array([2, 1, 2, 1, NAN, NAN], np.float32)
RELATIONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


@pytest.mark.parametrize("name", RELATIONS)
def test_ordered_comparisons_are_false_for_nan(compute, name):
    result = compute(f"setp.{name}.f32 %p1, %a, %b; {FLAG}", X, Y, out=np.uint32)
    ordered = ~(np.isnan(X) | np.isnan(Y))
    np.testing.assert_array_equal(result, RELATIONS[name](X, Y) & ordered)


@pytest.mark.parametrize("name", RELATIONS)
def test_unordered_comparisons_are_true_for_nan(compute, name):
    result = compute(f"setp.{name}u.f32 %p1, %a, %b; {FLAG}", X, Y, out=np.uint32)
    unordered = np.isnan(X) | np.isnan(Y)
    np.testing.assert_array_equal(result, RELATIONS[name](X, Y) | unordered)


def test_num_and_nan(compute):
    unordered = np.isnan(X) | np.isnan(Y)
    result = compute(f"setp.nan.f32 %p1, %a, %b; {FLAG}", X, Y, out=np.uint32)
    np.testing.assert_array_equal(result, unordered)
    result = compute(f"setp.num.f32 %p1, %a, %b; {FLAG}", X, Y, out=np.uint32)
    np.testing.assert_array_equal(result, ~unordered)


def test_signed_and_unsigned_comparisons_differ(compute):
    a, b = np.array([-1], np.int32), np.array([1], np.int32)
    assert compute(f"setp.lt.s32 %p1, %a, %b; {FLAG}", a, b, out=np.uint32)[0] == 1
    assert compute(f"setp.lt.u32 %p1, %a, %b; {FLAG}", a, b, out=np.uint32)[0] == 0
    assert compute(f"setp.hi.u32 %p1, %a, %b; {FLAG}", a, b, out=np.uint32)[0] == 1


def test_setp_combines_with_a_predicate_and_gives_the_opposite(compute):
    a = np.array([1, 3, 1, 3], np.int32)
    b = np.array([0, 0, 1, 1], np.int32)
    body = """
    setp.ne.s32 %p3, %b, 0;
    setp.lt.and.s32 %p1|%p2, %a, 2, !%p3;
    selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %d, %r1, %r2;
    """
    np.testing.assert_array_equal(compute(body, a, b, out=np.uint32), [1, 2, 0, 0])


def test_predicate_logic(compute):
    a = np.array([0, 1, 2, 3], np.int32)
    body = """
    setp.gt.s32 %p2, %a, 0; setp.lt.s32 %p3, %a, 3; and.pred %p1, %p2, %p3; not.pred %p4, %p1;
    selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p4; or.b32 %d, %r1, %r2;
    """
    np.testing.assert_array_equal(compute(body, a, out=np.uint32), [2, 1, 1, 2])


def test_set_gives_all_ones_or_one(compute):
    a = np.array([1, 5], np.float32)
    result = compute("set.lt.u32.f32 %d, %a, 0f40000000;", a, out=np.uint32)
    np.testing.assert_array_equal(result, [0xFFFFFFFF, 0])
    result = compute("set.lt.f32.f32 %d, %a, 0f40000000;", a, out=np.float32)
    np.testing.assert_array_equal(result, [1.0, 0.0])


def test_slct_follows_the_sign(compute):
    a, b = np.array([1, 1, 1], np.int32), np.array([2, 2, 2], np.int32)
    c = np.array([-1, 0, 1], np.int32)
    result = compute("slct.s32.s32 %d, %a, %b, %c;", a, b, c, out=np.int32)
    np.testing.assert_array_equal(result, [2, 1, 1])


def test_testp(compute):
    a = np.array([1.0, np.inf, NAN, 1e-40, 0.0], np.float32)
    for name, expected in [
        ("finite", [1, 0, 0, 1, 1]),
        ("infinite", [0, 1, 0, 0, 0]),
        ("notanumber", [0, 0, 1, 0, 0]),
        ("subnormal", [0, 0, 0, 1, 0]),
        ("normal", [1, 0, 0, 0, 0]),
    ]:
        result = compute(f"testp.{name}.f32 %p1, %a; {FLAG}", a, out=np.uint32)
        np.testing.assert_array_equal(result, expected)


def test_comparison_of_bits_has_no_order(run):
    with pytest.raises(SimulationError, match=r"no comparison \.lt of \.b32"):
        run("setp.lt.b32 %p1, %r1, %r2;")
