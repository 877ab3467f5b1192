"""bar.sync and its relatives, deadlocks, and the order of warps."""

import numpy as np
import pytest

from pto.errors import SimulationError

STORE = "mad.wide.u32 %rd9, %t, 4, %y; st.global.b32 [%rd9], %r1;"
EXCHANGE = """
.shared .align 4 .b8 s[512];
mov.u32 %r9, s; mad.lo.u32 %r2, %t, 4, %r9; xor.b32 %r3, %t, 64; mad.lo.u32 %r3, %r3, 4, %r9;
"""


def test_values_cross_warps_over_a_barrier(run):
    y = np.zeros(128, np.uint32)
    body = f"{EXCHANGE} st.shared.b32 [%r2], %t; barrier.sync 0; ld.shared.b32 %r1, [%r3]; {STORE}"
    for seed in (None, 0, 1, 2):
        y[:] = 0
        run(body, y=y, block=128, seed=seed)
        np.testing.assert_array_equal(y, np.arange(128) ^ 64)


def test_a_seed_brings_a_missing_barrier_to_light(run):
    y = np.zeros(128, np.uint32)
    body = f"{EXCHANGE} st.shared.b32 [%r2], %t; ld.shared.b32 %r1, [%r3]; {STORE}"
    run(body, y=y, block=128)
    np.testing.assert_array_equal(y, np.arange(128) ^ 64)
    run(body, y=y, block=128, seed=0)
    assert (y != np.arange(128) ^ 64).any()


def test_exited_threads_are_not_waited_for(run):
    y = np.zeros(64, np.uint32)
    run(f"setp.ge.u32 %p1, %t, 40; @%p1 ret; bar.sync 0; mov.u32 %r1, 1; {STORE}", y=y, block=64)
    np.testing.assert_array_equal(y, np.arange(64) < 40)


def test_named_barrier_of_some_warps(run):
    y = np.zeros(96, np.uint32)
    body = f"""
    mov.u32 %r1, 0; setp.ge.u32 %p1, %t, 64; @%p1 bra OUT;
    bar.sync 3, 64; mov.u32 %r1, 1;
    OUT: {STORE}
    """
    run(body, y=y, block=96)
    np.testing.assert_array_equal(y, np.arange(96) < 64)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("bar.red.popc.u32 %r1, 0, %p1;", 40),
        ("bar.red.and.pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2;", 0),
        ("bar.red.or.pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2;", 1),
    ],
)
def test_reducing_barrier(run, text, expected):
    y = np.zeros(64, np.uint32)
    run(f"setp.lt.u32 %p1, %t, 40; {text} {STORE}", y=y, block=64)
    np.testing.assert_array_equal(y, expected)


def test_barrier_that_some_threads_never_reach_is_a_deadlock(run):
    body = """
    setp.lt.u32 %p1, %t, 32; @%p1 bra FIRST;
    bar.sync 1; bra DONE;
    FIRST: bar.sync 0;
    DONE:
    """
    with pytest.raises(SimulationError) as error:
        run(body, block=96)
    text = str(error.value)
    assert "deadlock in CTA (0,0,0)" in text
    assert "64 of 96 threads wait at PTX line" in text and "bar.sync 1;" in text
    assert "32 of 96 threads wait at PTX line" in text and "bar.sync 0;" in text


def test_deadlock_tells_how_many_have_exited(run):
    body = "setp.lt.u32 %p1, %t, 32; @%p1 exit; bar.sync 0, 96;"
    with pytest.raises(SimulationError, match=r"64 of 96 threads wait at .*, 32 have exited"):
        run(body, block=96)


def test_too_many_threads_at_a_barrier(run):
    with pytest.raises(SimulationError, match="96 threads at barrier 1, which expects 64"):
        run("bar.sync 1, 64;", block=96)


def test_thread_count_must_be_whole_warps(run):
    with pytest.raises(SimulationError, match="barrier 1 with 40 threads"):
        run("bar.sync 1, 40;", block=64)


def test_one_warp_at_two_aligned_barriers(run):
    body = """
    setp.lt.u32 %p1, %t, 16; @%p1 bra FIRST;
    bar.sync 0; bra DONE;
    FIRST: bar.sync 0;
    DONE:
    """
    with pytest.raises(SimulationError, match="the threads of one warp are at different barriers"):
        run(body, block=32)
    run(body.replace("bar.sync", "barrier.sync"), block=32)


def test_warp_barrier_brings_diverged_lanes_together(run):
    y = np.zeros(32, np.uint32)
    body = f"""
    .shared .align 4 .b8 s[4];
    setp.eq.u32 %p1, %t, 31; @!%p1 bra WAIT;
    st.shared.b32 [s], 77;
    WAIT: bar.warp.sync -1; ld.shared.b32 %r1, [s]; {STORE}
    """
    run(body, y=y)
    np.testing.assert_array_equal(y, 77)


def test_warp_barrier_with_a_lane_that_never_comes(run):
    body = """
    setp.lt.u32 %p1, %t, 16; @%p1 bra OTHER;
    bar.warp.sync 0xFFFFFFFF; bra DONE;
    OTHER: bar.warp.sync 0xFFFFFFFF;
    DONE:
    """
    with pytest.raises(SimulationError, match=r"deadlock.*16 of 32 threads wait.*bar.warp.sync"):
        run(body)
