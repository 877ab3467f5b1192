"""Shuffles, votes, matches and reductions of a warp."""

import numpy as np
import pytest

from pto.errors import SimulationError

STORE = "mad.wide.u32 %rd9, %t, 4, %y; st.global.b32 [%rd9], %r1;"
LANE = np.arange(64) % 32
T = np.arange(64)


@pytest.mark.parametrize(
    "mode, b, c, source, valid",
    [
        ("bfly", 5, 31, LANE ^ 5, LANE >= 0),
        ("down", 3, 31, LANE + 3, LANE + 3 < 32),
        ("up", 3, 0, LANE - 3, LANE >= 3),
        ("idx", 7, 31, 0 * LANE + 7, LANE >= 0),
        # width 8: the segment mask is 0b11000, the clamp 7
        ("down", 2, 0x1807, LANE + 2, LANE % 8 < 6),
        ("up", 2, 0x1800, LANE - 2, LANE % 8 >= 2),
        ("idx", 1, 0x1807, LANE // 8 * 8 + 1, LANE >= 0),
        ("bfly", 8, 0x1807, LANE ^ 8, (LANE ^ 8) <= LANE // 8 * 8 + 7),
    ],
)
def test_shuffle(run, mode, b, c, source, valid):
    y = np.zeros((64, 2), np.uint32)
    body = f"""
    add.u32 %r2, %t, 100;
    shfl.sync.{mode}.b32 %r1|%p1, %r2, {b}, {c}, -1;
    selp.u32 %r3, 1, 0, %p1; mad.wide.u32 %rd9, %t, 8, %y; st.global.v2.b32 [%rd9], {{%r1, %r3}};
    """
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y[:, 1], valid)
    np.testing.assert_array_equal(y[:, 0], 100 + T - LANE + np.where(valid, source, LANE))


def test_shuffle_with_a_source_per_lane(run):
    y = np.zeros(32, np.uint32)
    run(f"mul.lo.u32 %r2, %t, 7; shfl.sync.idx.b32 %r1, %t, %r2, 31, -1; {STORE}", y=y)
    np.testing.assert_array_equal(y, np.arange(32) * 7 % 32)


def test_shuffle_from_an_absent_lane(run):
    with pytest.raises(SimulationError, match="shuffle from a lane that does not take part"):
        run("setp.ge.u32 %p1, %t, 16; @%p1 exit; shfl.sync.bfly.b32 %r1, %t, 16, 31, -1;")


def test_shuffle_does_not_cross_into_the_next_cta(run):
    with pytest.raises(SimulationError, match=r"thread \(20,0,0\).*|does not take part"):
        run("shfl.sync.bfly.b32 %r1, %t, 16, 31, -1;", block=24, grid=2)


def test_lane_outside_its_own_member_mask(run):
    with pytest.raises(SimulationError, match="leaves out its own thread"):
        run("shfl.sync.bfly.b32 %r1, %t, 1, 31, 0xFFFF;")


def test_half_warps_shuffle_on_their_own(run):
    y = np.zeros(32, np.uint32)
    body = f"""
    setp.lt.u32 %p1, %t, 16; @%p1 bra LOW;
    shfl.sync.bfly.b32 %r1, %t, 1, 31, 0xFFFF0000; bra DONE;
    LOW: shfl.sync.bfly.b32 %r1, %t, 2, 31, 0xFFFF;
    DONE: {STORE}
    """
    run(body, y=y)
    t = np.arange(32)
    np.testing.assert_array_equal(y, np.where(t < 16, t ^ 2, t ^ 1))


def test_votes(run):
    y = np.zeros((64, 4), np.uint32)
    body = """
    setp.lt.u32 %p1, %t, 40;
    vote.sync.ballot.b32 %r1, %p1, -1; vote.sync.all.pred %p2, %p1, -1;
    vote.sync.any.pred %p3, !%p1, -1; vote.sync.uni.pred %p4, %p1, -1;
    selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, %p3; selp.u32 %r4, 1, 0, %p4;
    mad.wide.u32 %rd9, %t, 16, %y; st.global.v4.b32 [%rd9], {%r1, %r2, %r3, %r4};
    """
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y[:32], [[0xFFFFFFFF, 1, 0, 1]] * 32)
    np.testing.assert_array_equal(y[32:], [[0xFF, 0, 1, 0]] * 32)


def test_active_mask_of_a_diverged_warp(run):
    y = np.zeros(32, np.uint32)
    run(f"mov.u32 %r1, 0; setp.lt.u32 %p1, %t, 4; @%p1 activemask.b32 %r1; {STORE}", y=y)
    np.testing.assert_array_equal(y, np.where(np.arange(32) < 4, 15, 0))


def test_elect_picks_the_lowest_lane(run):
    y = np.zeros(64, np.uint32)
    run(f"elect.sync _|%p1, -1; selp.u32 %r1, 1, 0, %p1; {STORE}", y=y, block=64)
    np.testing.assert_array_equal(y, LANE == 0)


def test_match_any_groups_equal_values(run):
    y = np.zeros(32, np.uint32)
    run(f"and.b32 %r2, %t, 1; match.any.sync.b32 %r1, %r2, -1; {STORE}", y=y)
    np.testing.assert_array_equal(y, [0x55555555, 0xAAAAAAAA] * 16)


def test_match_all_needs_one_value(run):
    y = np.zeros(64, np.uint32)
    body = f"shr.u32 %r2, %t, 4; min.u32 %r2, %r2, 2; match.all.sync.b32 %r1|%p1, %r2, -1; {STORE}"
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y, np.where(T < 32, 0, 0xFFFFFFFF))


@pytest.mark.parametrize(
    "text, function",
    [
        ("add.s32", np.add),
        ("min.s32", np.minimum),
        ("max.u32", np.maximum),
        ("xor.b32", np.bitwise_xor),
    ],
)
def test_redux(run, text, function):
    y = np.zeros(64, np.uint32)
    run(f"mul.lo.u32 %r2, %t, 3; redux.sync.{text} %r1, %r2, -1; {STORE}", y=y, block=64)
    expected = function.reduce((3 * T).reshape(2, 32), axis=1)
    np.testing.assert_array_equal(y, np.repeat(expected, 32))


def test_redux_of_floats(run):
    y = np.zeros(32, np.float32)
    body = f"cvt.rn.f32.u32 %r2, %t; neg.f32 %r2, %r2; redux.sync.min.f32 %r1, %r2, -1; {STORE}"
    run(body, y=y)
    np.testing.assert_array_equal(y, -31.0)
