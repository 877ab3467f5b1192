"""The happens-before check of shared memory."""

import pytest

from pto.errors import SimulationError

SETUP = """
.shared .align 4 .b8 s[512];
mov.u32 %r9, s; mad.lo.u32 %r2, %t, 4, %r9; xor.b32 %r3, %t, 64; mad.lo.u32 %r3, %r3, 4, %r9;
xor.b32 %r4, %t, 1; mad.lo.u32 %r4, %r4, 4, %r9;
"""


def test_missing_barrier_is_a_race(run):
    body = f"{SETUP} st.shared.b32 [%r2], %t; ld.shared.b32 %r1, [%r3];"
    with pytest.raises(SimulationError) as error:
        run(body, block=128, check_races=True)
    text = str(error.value)
    assert (
        "race on byte" in text
        and "wrote it (PTX line" in text
        and "ld.shared.b32 %r1, [%r3];" in text
    )


def test_barrier_orders_the_accesses(run):
    body = f"{SETUP} st.shared.b32 [%r2], %t; bar.sync 0; ld.shared.b32 %r1, [%r3];"
    for seed in (None, 1):
        run(body, block=128, grid=2, check_races=True, seed=seed)


def test_write_after_read_needs_a_barrier_too(run):
    body = f"""{SETUP}
    st.shared.b32 [%r2], %t; bar.sync 0; ld.shared.b32 %r1, [%r3]; st.shared.b32 [%r2], %r1;
    """
    with pytest.raises(
        SimulationError, match=r"read it .*, and no barrier orders that before the write"
    ):
        run(body, block=128, check_races=True)


def test_second_reader_is_remembered(run):
    # Both threads 0 and 1 read the word that thread 1 then writes.
    body = f"""{SETUP}
    setp.gt.u32 %p1, %t, 1; @%p1 exit;
    ld.shared.b32 %r1, [s]; setp.eq.u32 %p2, %t, 1; @%p2 st.shared.b32 [s], %t;
    """
    with pytest.raises(SimulationError, match=r"thread \(0,0,0\) of CTA \(0,0,0\) read it"):
        run(body, block=32, check_races=True)


def test_lanes_of_a_warp_are_ordered_by_a_warp_barrier_only(run):
    body = f"{SETUP} st.shared.b32 [%r2], %t; ld.shared.b32 %r1, [%r4];"
    with pytest.raises(SimulationError, match="race on byte"):
        run(body, block=32, check_races=True)
    body = f"{SETUP} st.shared.b32 [%r2], %t; bar.warp.sync -1; ld.shared.b32 %r1, [%r4];"
    run(body, block=64, check_races=True)


def test_a_warp_barrier_does_not_order_other_warps(run):
    body = f"{SETUP} st.shared.b32 [%r2], %t; bar.warp.sync -1; ld.shared.b32 %r1, [%r3];"
    with pytest.raises(SimulationError, match="race on byte"):
        run(body, block=128, check_races=True)


def test_a_named_barrier_orders_those_who_meet_there(run):
    body = f"""{SETUP}
    setp.ge.u32 %p1, %t, 64; @%p1 exit;
    xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r9;
    st.shared.b32 [%r2], %t; bar.sync 2, 64; ld.shared.b32 %r1, [%r3];
    """
    run(body, block=96, check_races=True)


def test_atomics_do_not_race_with_each_other(run):
    run(f"{SETUP} red.shared.add.u32 [s], 1;", block=128, check_races=True)


def test_two_threads_that_write_one_byte_together(run):
    with pytest.raises(SimulationError, match="race on byte 0 of shared memory"):
        run(f"{SETUP} st.shared.b32 [s], 1;", block=64, check_races=True)


def test_ctas_do_not_share(run):
    body = f"{SETUP} setp.ne.u32 %p1, %t, 0; @%p1 exit; st.shared.b32 [s], 1;"
    run(body, block=32, grid=4, check_races=True)
