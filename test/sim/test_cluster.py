"""Shared memory of other CTAs of a cluster, and the barrier of a cluster."""

import numpy as np
import pytest

from pto.errors import SimulationError

# The thread's word of `s` is at %r2; rank in %r9; the rank of the other CTA of two in %r8.
SETUP = """
.shared .align 8 .b8 s[512];
mov.u32 %r10, s; mad.lo.u32 %r2, %t, 4, %r10; mov.u32 %r9, %cluster_ctarank; xor.b32 %r8, %r9, 1;
mov.u32 %r11, %ctaid.x; mov.u32 %r12, %ntid.x; mad.lo.u32 %r13, %r11, %r12, %t;
"""
STORE = "mad.wide.u32 %rd9, %r13, 4, %y; st.global.b32 [%rd9], %r1;"
SYNC = "barrier.cluster.arrive; barrier.cluster.wait;"
OWN = "mad.lo.u32 %r3, %r9, 100, %t; st.shared.b32 [%r2], %r3;"


@pytest.mark.parametrize(
    "read",
    [
        "mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cluster.b32 %r1, [%r4];",
        "cvt.u64.u32 %rd1, %r2; mapa.shared::cluster.u64 %rd2, %rd1, %r8;"
        "ld.shared::cluster.u32 %r1, [%rd2];",
        "cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, %r8;"
        "ld.b32 %r1, [%rd2];",
        "cvt.u64.u32 %rd1, %r2; mapa.shared::cluster.u64 %rd2, %rd1, %r8;"
        "cvta.shared::cluster.u64 %rd2, %rd2; ld.u32 %r1, [%rd2];",
        "mapa.shared::cluster.u32 %r4, s, %r8; mad.lo.u32 %r4, %t, 4, %r4;"
        "ld.shared::cluster.b32 %r1, [%r4];",
    ],
)
@pytest.mark.parametrize("seed", [None, 1])
def test_load_from_the_other_cta(run, read, seed):
    y = np.zeros((2, 2, 64), np.uint32)
    run(f"{SETUP} {OWN} {SYNC} {read} {STORE} {SYNC}", y=y, grid=4, block=64, cluster=2, seed=seed)
    np.testing.assert_array_equal(y, [[np.arange(64) + 100, np.arange(64)]] * 2)


def test_store_and_atomic_on_the_other_cta(run):
    y = np.zeros((2, 32), np.uint32)
    body = f"""{SETUP} {SYNC}
    mapa.shared::cluster.u32 %r4, %r2, %r8; add.u32 %r5, %r9, 7; st.shared::cluster.b32 [%r4], %r5;
    bar.sync 0; red.shared::cluster.add.u32 [%r4], 10; {SYNC} ld.shared.b32 %r1, [%r2]; {STORE}
    """
    run(body, y=y, grid=2, cluster=2)
    np.testing.assert_array_equal(y, [[18] * 32, [17] * 32])


def test_address_of_the_own_cta_by_its_rank(run):
    y = np.zeros((2, 32), np.uint32)
    body = f"""{SETUP} {OWN}
    mapa.shared::cluster.u32 %r4, %r2, %r9; ld.shared::cta.b32 %r1, [%r4]; {STORE}
    """
    run(body, y=y, grid=2, cluster=2)
    np.testing.assert_array_equal(y, np.arange(32) + np.array([[0], [100]]))


@pytest.mark.parametrize(
    "text",
    [
        "mapa.shared::cluster.u32 %r4, %r2, 2; getctarank.shared::cluster.u32 %r1, %r4;",
        "cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd1, %rd1, 2;"
        "getctarank.u64 %r1, %rd1;",
    ],
)
def test_rank_of_an_address(run, text):
    y = np.zeros((4, 32), np.uint32)
    run(f"{SETUP} {text} {STORE}", y=y, grid=4, cluster=4)
    np.testing.assert_array_equal(y, 2)


def test_rank_of_a_plain_address_is_the_own(run):
    y = np.zeros((4, 32), np.uint32)
    body = f"{SETUP} getctarank.shared::cluster.u32 %r1, %r2; {STORE}"
    run(body, y=y, grid=4, cluster=4)
    np.testing.assert_array_equal(y[:, 0], range(4))


def test_spaces_of_a_cluster_address(run):
    y = np.zeros((2, 32), np.uint32)
    body = f"""{SETUP}
    cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, 1;
    isspacep.shared::cluster %p1, %rd2; isspacep.shared::cta %p2, %rd2; isspacep.global %p3, %rd2;
    selp.u32 %r1, 1, 0, %p1; @%p2 add.u32 %r1, %r1, 2; @%p3 add.u32 %r1, %r1, 4; {STORE}
    """
    run(body, y=y, grid=2, cluster=2)
    np.testing.assert_array_equal(y[:, 0], [1, 3])


def test_exited_threads_are_not_waited_for_at_the_cluster_barrier(run):
    y = np.zeros((2, 64), np.uint32)
    body = f"{SETUP} setp.ge.u32 %p1, %t, 40; @%p1 exit; {SYNC} mov.u32 %r1, 1; {STORE}"
    for seed in (None, 1):
        run(body, y=y, grid=2, block=64, cluster=2, seed=seed)
        np.testing.assert_array_equal(y, [np.arange(64) < 40] * 2)


def test_work_between_arrival_and_wait(run):
    y = np.zeros((2, 32), np.uint32)
    body = f"""{SETUP} {OWN} barrier.cluster.arrive.release.aligned; mov.u32 %r1, 5;
    barrier.cluster.wait.acquire.aligned; {STORE}
    """
    run(body, y=y, grid=2, cluster=2)
    np.testing.assert_array_equal(y, 5)


# ---- faults


def check_fault(run, body, match, **options):
    for seed in (None, 1, 2, 3):
        with pytest.raises(SimulationError, match=match):
            run(SETUP + body, grid=2, cluster=2, seed=seed, **options)


def test_rank_outside_the_cluster(run):
    check_fault(run, "mapa.shared::cluster.u32 %r4, %r2, 2;", "mapa to rank 2 in a cluster of 2")


def test_mapa_of_a_global_address(run):
    with pytest.raises(SimulationError, match="is not in shared memory"):
        run("mapa.u64 %rd1, %x, 0;", x=np.zeros(4, np.uint32))


def test_shared_cta_load_of_another_ctas_address(run):
    body = "mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cta.b32 %r1, [%r4];"
    match = r"read of shared memory of CTA \([01],0,0\), which a .shared::cta address cannot mean"
    check_fault(run, body, match)


def test_remote_access_is_checked_for_bounds(run):
    body = f"{SYNC} mapa.shared::cluster.u32 %r4, s, %r8; ld.shared::cluster.b32 %r1, [%r4+512];"
    check_fault(run, body, r"read of 4 bytes at offset 512 of shared memory \(512 bytes\)")


def test_access_of_a_cta_that_has_exited(run):
    body = f"""{SYNC} setp.eq.u32 %p1, %r9, 1; @%p1 exit; bar.sync 0;
    mapa.shared::cluster.u32 %r4, %r2, 1; ld.shared::cluster.b32 %r1, [%r4];
    """
    match = r"read of shared memory of CTA \(1,0,0\), which has exited|CTA \(1,0,0\) exits, and no"
    check_fault(run, body, match)


def test_second_arrival_without_a_wait(run):
    body = "barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;"
    check_fault(run, body, "a second arrival at the cluster barrier")


def test_wait_without_an_arrival(run):
    check_fault(run, "barrier.cluster.wait;", "a wait at the cluster barrier without an arrival")


def test_cluster_barrier_that_a_cta_never_reaches_is_a_deadlock(run):
    body = """
    setp.eq.u32 %p1, %r9, 1; @%p1 bra OTHER; barrier.cluster.arrive; barrier.cluster.wait; exit;
    OTHER: bar.sync 0, 64;
    """
    match = (
        r"deadlock in CTA \(0,0,0\): 32 of 32 threads wait at PTX line \d+: barrier.cluster.wait; "
        r"where 32 threads of CTA \(1,0,0\) have not arrived; in CTA \(1,0,0\): 32 of 32 threads "
        r"wait at PTX line \d+: bar.sync 0, 64;"
    )
    check_fault(run, body, match)


def test_aligned_arrivals_of_a_warp_in_two_places(run):
    body = """
    setp.lt.u32 %p1, %t, 16; @%p1 bra FIRST;
    barrier.cluster.arrive.aligned; bra DONE;
    FIRST: barrier.cluster.arrive.aligned;
    DONE: barrier.cluster.wait;
    """
    check_fault(run, body, "the threads of one warp arrive at the cluster barrier in different")


# ---- the order of accesses


def test_no_cluster_barrier_before_a_remote_access(run):
    body = f"mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cluster.b32 %r1, [%r4]; {SYNC}"
    check_fault(run, body, "which no cluster barrier shows to have started|which has exited")


def test_no_cluster_barrier_after_a_remote_access(run):
    body = f"{SYNC} mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cluster.b32 %r1, [%r4];"
    match = (
        "exits, and no cluster barrier orders that after the use of its shared memory|has exited"
    )
    check_fault(run, body, match)


def test_no_cluster_barrier_between_a_write_and_a_remote_read(run):
    body = f"""{SYNC} {OWN} bar.sync 0;
    mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cluster.b32 %r1, [%r4]; {SYNC}
    """
    match = r"race on byte \d+ of shared memory of CTA .*, and no barrier orders that before"
    check_fault(run, body, match)


def test_relaxed_arrival_does_not_release(run):
    body = f"""{OWN} barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mapa.shared::cluster.u32 %r4, %r2, %r8; ld.shared::cluster.b32 %r1, [%r4]; {SYNC}
    """
    check_fault(run, body, "race on byte")
    fenced = body.replace(OWN, OWN + "fence.acq_rel.cluster;")
    run(SETUP + fenced, grid=2, cluster=2)


def test_clusters_do_not_share(run):
    y = np.zeros((4, 2, 32), np.uint32)
    body = f"""{SETUP} {OWN} {SYNC}
    mapa.shared::cluster.u32 %r4, %r2, 0; ld.shared::cluster.b32 %r1, [%r4];
    add.u32 %r1, %r1, %r11; {SYNC} {STORE}
    """
    run(body, y=y, grid=8, cluster=2)
    np.testing.assert_array_equal(y[:, :, 0], np.arange(8).reshape(4, 2))
