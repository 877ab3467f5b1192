"""mbarrier objects: arrivals, transaction bytes, waits, and what goes wrong with them."""

import numpy as np
import pytest

from pto.errors import SimulationError

# `m` is an mbarrier that thread 0 initialises with a count of COUNT.
SETUP = """
.shared .align 8 .b64 m; .shared .align 16 .b8 s[512];
mov.u32 %r9, s; mad.lo.u32 %r2, %t, 4, %r9; xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r9;
setp.ne.u32 %p1, %t, 0; @%p1 bra BEGIN; mbarrier.init.shared::cta.b64 [m], COUNT;
BEGIN: bar.sync 0;
"""
STORE = "mad.wide.u32 %rd9, %t, 4, %y; st.global.b32 [%rd9], %r1;"
WAIT = (
    "{{ LOOP: mbarrier.try_wait.parity.shared.b64 %p2, [m], {}; @%p2 bra DONE; bra LOOP; DONE: }}"
)


def setup(count):
    return SETUP.replace("COUNT", str(count))


def check_fault(run, body, match, **options):
    for seed in (None, 1, 2, 3):
        with pytest.raises(SimulationError, match=match):
            run(body, seed=seed, **{"block": 64, **options})


@pytest.mark.parametrize(
    "arrive, count",
    [
        ("mbarrier.arrive.shared.b64 %rd1, [m];", 64),
        ("mbarrier.arrive.release.cta.shared::cta.b64 _, [m], 2;", 128),
        (
            "mbarrier.arrive.noComplete.shared.b64 %rd2, [m], 1;mbarrier.arrive.shared.b64 _, [m];",
            128,
        ),
        ("mbarrier.arrive_drop.shared.b64 _, [m];", 64),
        ("mbarrier.arrive.b64 _, [%rd3];", 64),
    ],
)
def test_all_arrivals_complete_a_phase(run, arrive, count):
    y = np.zeros(64, np.uint32)
    generic = "mov.u64 %rd3, m; cvta.shared.u64 %rd3, %rd3;"
    body = f"""{setup(count)} {generic} st.shared.b32 [%r2], %t; {arrive} {WAIT.format(0)}
    ld.shared.b32 %r1, [%r3]; {STORE}
    """
    for seed in (None, 1, 2):
        y[:] = 0
        run(body, y=y, block=64, seed=seed)
        np.testing.assert_array_equal(y, np.arange(64) ^ 32)


@pytest.mark.parametrize("wait", ["test_wait", "try_wait"])
def test_wait_by_state(run, wait):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(64)} st.shared.b32 [%r2], %t; mbarrier.arrive.shared.b64 %rd1, [m];
    LOOP: mbarrier.{wait}.acquire.cta.shared::cta.b64 %p2, [m], %rd1; @!%p2 bra LOOP;
    ld.shared.b32 %r1, [%r3]; {STORE}
    """
    for seed in (None, 1, 2):
        run(body, y=y, block=64, seed=seed)
        np.testing.assert_array_equal(y, np.arange(64) ^ 32)


def test_test_wait_does_not_wait(run):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(65)} mbarrier.arrive.shared.b64 %rd1, [m];
    mbarrier.test_wait.shared.b64 %p2, [m], %rd1; selp.u32 %r1, 1, 2, %p2; {STORE}
    """
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y, 2)


def test_pending_count_is_that_before_the_arrival(run):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(100)} mbarrier.arrive.shared.b64 %rd1, [m], 1;
    mbarrier.pending_count.b64 %r1, %rd1; {STORE}
    """
    run(body, y=y, block=32)
    np.testing.assert_array_equal(y[:32], 100)


def test_phases_follow_each_other(run):
    y = np.zeros(64, np.uint32)
    turn = "mbarrier.arrive.shared.b64 _, [m];" + WAIT
    body = f"""{setup(64)} {turn.format(0)} {turn.format(1)} {turn.format(0)}
    mov.u32 %r1, 3; {STORE}
    """
    for seed in (None, 1, 2):
        run(body, y=y, block=64, seed=seed)
        np.testing.assert_array_equal(y, 3)


def test_dropped_threads_are_not_expected_again(run):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(64)}
    setp.lt.u32 %p3, %t, 32; @%p3 bra STAY; mbarrier.arrive_drop.shared.b64 _, [m]; exit;
    STAY: mbarrier.arrive.shared.b64 _, [m]; {WAIT.format(0)}
    mbarrier.arrive.shared.b64 _, [m]; {WAIT.format(1)} mov.u32 %r1, 1; {STORE}
    """
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y, np.arange(64) < 32)


def test_transaction_bytes_hold_a_phase_back(run):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(1)} @%p1 bra WAIT;
    mbarrier.arrive.expect_tx.shared.b64 %rd1, [m], 48;
    mbarrier.test_wait.shared.b64 %p3, [m], %rd1; selp.u32 %r1, 1, 0, %p3;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 16;
    mbarrier.complete_tx.shared::cta.b64 [m], 64;
    WAIT: {WAIT.format(0)} add.u32 %r1, %r1, 7; {STORE}
    """
    run(body, y=y, block=64)
    np.testing.assert_array_equal(y, 7)


def test_remote_arrivals(run):
    y = np.zeros((2, 32), np.uint32)
    body = f"""
    .shared .align 8 .b64 m;
    setp.ne.u32 %p1, %t, 0; mov.u32 %r9, %cluster_ctarank; setp.ne.u32 %p3, %r9, 0;
    @%p1 bra BEGIN; mbarrier.init.shared::cta.b64 [m], 64; fence.mbarrier_init.release.cluster;
    BEGIN: barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mapa.shared::cluster.u32 %r4, m, 0;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
    @%p3 bra END; {WAIT.format(0)} mov.u32 %r1, 9; {STORE}
    END: barrier.cluster.arrive; barrier.cluster.wait;
    """
    for seed in (None, 1, 2):
        run(body, y=y, block=32, grid=2, cluster=2, seed=seed)
        np.testing.assert_array_equal(y[0], 9)


def test_invalidated_memory_is_ordinary_again(run):
    y = np.zeros(64, np.uint32)
    body = f"""{setup(1)} @%p1 exit;
    mbarrier.inval.shared.b64 [m]; mov.u64 %rd1, 5; st.shared.b64 [m], %rd1;
    ld.shared.b32 %r1, [m]; {STORE}
    """
    run(body, y=y, block=64)
    assert y[0] == 5


# ---- faults


def test_use_before_the_initialisation(run):
    body = ".shared .align 8 .b64 m; mbarrier.arrive.shared.b64 _, [m];"
    match = r"use of the mbarrier at byte 0 of shared memory of CTA \(0,0,0\), which was not initi"
    check_fault(run, body, match)


def test_count_out_of_range(run):
    check_fault(run, setup(0), "mbarrier with a count of 0, not 1 to 1048575")


def test_misaligned_mbarrier(run):
    check_fault(run, ".shared .align 8 .b8 m[16]; mbarrier.init.shared.b64 [m+4], 1;", "misaligned")


def test_second_initialisation(run):
    check_fault(run, setup(1) + "mbarrier.init.shared.b64 [m], 1;", "is initialised again")


def test_arrivals_beyond_the_count(run):
    body = setup(32) + "mbarrier.arrive.shared.b64 _, [m];"
    match = (
        r"32 arrivals at .* which waits for 0|64 arrivals at .* which waits for 32 more|may fall"
    )
    check_fault(run, body, match)


def test_transaction_bytes_out_of_range(run):
    body = f"{setup(1)} @%p1 exit; mbarrier.expect_tx.shared.b64 [m], 1048576;"
    check_fault(run, body, "1048576 transaction bytes at the mbarrier .*: at most 1048575 fit")


@pytest.mark.parametrize("access", ["ld.shared.b32 %r1, [m+4];", "st.shared.b64 [m], %rd1;"])
def test_access_of_a_live_mbarrier(run, access):
    check_fault(run, setup(1) + access, "that touches the mbarrier at byte 0 of shared memory")


def test_arrival_that_must_not_complete_the_phase(run):
    body = f"{setup(1)} @%p1 exit; mbarrier.arrive.noComplete.shared.b64 %rd1, [m], 1;"
    check_fault(run, body, "an arrival with .noComplete completes the phase")


def test_state_that_is_too_old(run):
    body = f"""{setup(1)} @%p1 exit; mbarrier.arrive.shared.b64 %rd1, [m];
    mbarrier.arrive.shared.b64 _, [m]; mbarrier.test_wait.shared.b64 %p2, [m], %rd1;
    """
    check_fault(run, body, "wait for phase 0 of .*, which is in phase 2")


def test_remote_arrival_has_no_state(run):
    body = "mbarrier.arrive.shared::cluster.b64 %rd1, [%r1];"
    check_fault(run, body, "an arrival at .shared::cluster has no state")


@pytest.mark.parametrize("wait", ["try_wait", "test_wait"])
def test_wait_that_never_ends_is_a_deadlock(run, wait):
    body = f"""{setup(3)} @%p1 bra WAIT; mbarrier.arrive.expect_tx.shared.b64 _, [m], 64;
    WAIT: {WAIT.format(0).replace("try_wait", wait)}
    """
    match = (
        r"deadlock in CTA \(0,0,0\): 64 of 64 threads wait at PTX line \d+: mbarrier.*; for parity "
        "0 of the mbarrier at byte 0 of shared memory: 2 arrivals and 64 bytes are missing"
    )
    check_fault(run, body, match)


# ---- the order of accesses


def test_relaxed_arrival_does_not_release(run):
    body = f"""{setup(64)} st.shared.b32 [%r2], %t; mbarrier.arrive.relaxed.cta.shared.b64 _, [m];
    {WAIT.format(0)} ld.shared.b32 %r1, [%r3];
    """
    check_fault(run, body, "race on byte")
    run(body.replace("mbarrier.arrive", "fence.acq_rel.cta; mbarrier.arrive"), block=64)


def test_one_thread_that_arrives_for_its_warp_needs_a_warp_barrier(run):
    body = f"""{setup(2)} st.shared.b32 [%r2], %t; SYNC
    and.b32 %r4, %t, 31; setp.ne.u32 %p3, %r4, 0; @!%p3 mbarrier.arrive.shared.b64 _, [m];
    {WAIT.format(0)} ld.shared.b32 %r1, [%r3];
    """
    check_fault(run, body.replace("SYNC", ""), "race on byte")
    run(body.replace("SYNC", "bar.warp.sync -1;"), block=64)


def test_use_without_a_barrier_after_the_initialisation(run):
    body = setup(64).replace("bar.sync 0;", "") + "mbarrier.arrive.shared.b64 _, [m];"
    check_fault(run, body, "with no barrier after its initialisation|which was not initialised")
