"""cp.async, bulk copies and st.async: what they do, when they land, and what goes wrong."""

import numpy as np
import pytest

from pto.errors import SimulationError

SEEDS = (None, *range(6))

# 512 bytes of shared memory at `s` (16 at %r2 for each thread), and an mbarrier `m` of count 1.
SETUP = """
.shared .align 128 .b8 s[512]; .shared .align 8 .b64 m;
mov.u32 %r9, s; mad.lo.u32 %r2, %t, 16, %r9; mad.wide.u32 %rd1, %t, 16, %x;
mov.u64 %rd3, s; setp.ne.u32 %p1, %t, 0; xor.b32 %r3, %t, 16; mad.lo.u32 %r3, %r3, 16, %r9;
mad.wide.u32 %rd2, %t, 16, %y; mov.u32 %r10, %cluster_ctarank;
@%p1 bra BEGIN; mbarrier.init.shared.b64 [m], 1; fence.mbarrier_init.release.cluster;
BEGIN: SYNC
"""
LOCAL = SETUP.replace("SYNC", "bar.sync 0;")
CLUSTER_SYNC = "barrier.cluster.arrive; barrier.cluster.wait;"
CLUSTER = SETUP.replace("SYNC", CLUSTER_SYNC)
OUT = "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2]; st.global.v4.b32 [%rd2], {%r4, %r5, %r6, %r7};"
OUT_OF_PEER = OUT.replace("[%r2]", "[%r3]")
TO_SHARED = "mbarrier::complete_tx::bytes"
WAIT = "{ LOOP: mbarrier.try_wait.parity.shared.b64 %p2, [m], 0; @%p2 bra DONE; bra LOOP; DONE: }"
LOAD = f"""
@%p1 bra WAIT; mbarrier.arrive.expect_tx.shared.b64 _, [m], 512;
cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 512, [m];
WAIT: {WAIT}
"""


def data():
    x = np.arange(128, dtype=np.uint32) + 1
    return x, np.zeros_like(x)


def check_copy(run, body, expected=None, **options):
    for seed in SEEDS:
        x, y = data()
        run(body, x=x, y=y, seed=seed, **options)
        np.testing.assert_array_equal(y, x if expected is None else expected(x))


def check_fault(run, body, match, **options):
    for seed in SEEDS:
        x, y = data()
        with pytest.raises(SimulationError, match=match):
            run(body, x=x, y=y, seed=seed, **options)


# ---- cp.async


@pytest.mark.parametrize(
    "wait",
    [
        "cp.async.commit_group; cp.async.wait_group 0;",
        "cp.async.wait_all;",
        "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;",
    ],
)
def test_cp_async(run, wait):
    body = f"{LOCAL} cp.async.cg.shared.global.L2::128B [%r2], [%rd1], 16; {wait} bar.sync 0;"
    check_copy(run, body + OUT)


@pytest.mark.parametrize(
    "copy, kept",
    [
        ("cp.async.ca.shared.global [%r2], [%rd1], 16, 4;", 1),
        ("mov.u32 %r8, 8; cp.async.ca.shared::cta.global [%r2], [%rd1], 16, %r8;", 2),
        ("mov.u64 %rd4, 0; cp.async.cg.shared.global [%r2], [%rd4], 16, 0;", 0),
        ("setp.lt.u32 %p3, %t, 99; cp.async.cg.shared.global [%r2], [%rd1], 16, %p3;", 0),
        ("cp.async.cg.shared.global.L2::cache_hint [%r2], [%rd1], 16, 12, %rd4;", 3),
    ],
)
def test_cp_async_fills_up_with_zeros(run, copy, kept):
    def expected(x):
        rows = x.reshape(32, 4).copy()
        rows[:, kept:] = 0
        return rows.ravel()

    ones = "mov.u32 %r4, -1; st.shared.v4.b32 [%r2], {%r4, %r4, %r4, %r4};"
    check_copy(run, f"{LOCAL} {ones} {copy} cp.async.wait_all; {OUT}", expected)


def test_cp_async_that_an_mbarrier_tracks(run):
    body = f"""{LOCAL} cp.async.ca.shared.global [%r2], [%rd1], 16;
    cp.async.mbarrier.arrive.shared.b64 [m]; @!%p1 mbarrier.arrive.shared.b64 _, [m];
    {WAIT} {OUT_OF_PEER}
    """
    check_copy(run, body, lambda x: x.reshape(32, 4)[np.arange(32) ^ 16].ravel())


def test_cp_async_that_counts_as_an_expected_arrival(run):
    body = f"""{LOCAL.replace("[m], 1;", "[m], 32;")} cp.async.ca.shared.global [%r2], [%rd1], 16;
    cp.async.mbarrier.arrive.noinc.shared.b64 [m]; {WAIT} {OUT_OF_PEER}
    """
    check_copy(run, body, lambda x: x.reshape(32, 4)[np.arange(32) ^ 16].ravel())


def test_an_older_group_than_the_one_waited_for(run):
    body = f"""{LOCAL}
    cp.async.ca.shared.global [%r2], [%rd1], 8; cp.async.commit_group;
    cp.async.ca.shared.global [%r2+8], [%rd1+8], 8; cp.async.commit_group;
    cp.async.wait_group GROUPS; {OUT} cp.async.wait_all;
    """
    check_copy(run, body.replace("GROUPS", "0"))
    match = (
        r"race on byte \d+ .*: the cp.async issued by .* writes it, and its thread has not waited"
    )
    check_fault(run, body.replace("GROUPS", "1"), match)


# ---- bulk copies


@pytest.mark.parametrize(
    "copy",
    [
        f"cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 512, [m];",
        f"cp.async.bulk.shared::cta.global.{TO_SHARED} [s], [%x], 512, [m];",
        f"cp.async.bulk.shared::cta.global.{TO_SHARED}.L2::cache_hint [s], [%x], 512, [m], %rd8;",
        f"cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 256, [m];"
        f"cp.async.bulk.shared::cluster.global.{TO_SHARED} [s+256], [%x+256], 256, [m];",
        "cp.async.bulk.prefetch.L2.global [%x], 512;"
        f"cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 512, [m];",
    ],
)
def test_bulk_copy_to_shared_memory(run, copy):
    load = LOAD.splitlines()
    load[2] = copy
    check_copy(run, LOCAL + "\n".join(load) + OUT)


@pytest.mark.parametrize("wait", ["wait_group", "wait_group.read"])
def test_bulk_copy_to_global_memory(run, wait):
    body = f"""{LOCAL}
    ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%rd1]; st.shared.v4.b32 [%r2], {{%r4, %r5, %r6, %r7}};
    fence.proxy.async.shared::cta; bar.sync 0; @%p1 bra DONE;
    cp.async.bulk.global.shared::cta.bulk_group [%y], [s], 512;
    cp.async.bulk.commit_group; cp.async.bulk.{wait} 0;
    DONE: bar.sync 0; mov.u32 %r4, 0; st.shared.b32 [%r2], %r4;
    """
    check_copy(run, body)


def test_bulk_copy_in_and_out_needs_no_fence(run):
    body = f"""{LOCAL} {LOAD} @%p1 exit;
    cp.async.bulk.global.shared::cta.bulk_group [%y], [s], 512;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    """
    check_copy(run, body)


def test_multicast(run):
    body = f"""{CLUSTER} @%p1 bra WAIT; mbarrier.arrive.expect_tx.shared.b64 _, [m], 512;
    setp.ne.u32 %p3, %r10, 1; @%p3 bra WAIT; mov.b16 %rs1, 6;
    cp.async.bulk.shared::cluster.global.{TO_SHARED}.multicast::cluster [s], [%x], 512, [m], %rs1;
    WAIT: setp.eq.u32 %p4, %r10, 0; @%p4 bra END; {WAIT}
    setp.ne.u32 %p4, %r10, 2; @%p4 bra END; {OUT}
    END: {CLUSTER_SYNC}
    """
    check_copy(run, body, grid=3, cluster=3)


# Every CTA of four sends its 32 words to the others, from and to where they are in the whole.
GATHER = f"""{CLUSTER}
    shl.b32 %r11, %r10, 7; add.u32 %r11, %r11, %r9; mad.lo.u32 %r12, %t, 4, %r11;
    mad.lo.u32 %r13, %r10, 32, %t; mad.wide.u32 %rd4, %r13, 4, %x;
    ld.global.b32 %r14, [%rd4]; st.shared.b32 [%r12], %r14;
    fence.proxy.async.shared::cta; bar.sync 0; @%p1 bra WAIT;
    mbarrier.arrive.expect_tx.shared.b64 _, [m], 384; mov.u32 %r15, 0;
    NEXT: setp.eq.u32 %p3, %r15, %r10; @%p3 bra SENT;
    mapa.shared::cluster.u32 %r16, %r11, %r15; mapa.shared::cluster.u32 %r17, m, %r15;
    cp.async.bulk.shared::cluster.shared::cta.{TO_SHARED} [%r16], [%r11], 128, [%r17];
    SENT: add.u32 %r15, %r15, 1; setp.lt.u32 %p3, %r15, 4; @%p3 bra NEXT; EARLY
    WAIT: {WAIT} setp.ne.u32 %p4, %r10, 2; @%p4 bra END; {OUT}
    END: LAST
"""


def test_all_gather(run):
    body = GATHER.replace("EARLY", "").replace("LAST", CLUSTER_SYNC)
    check_copy(run, body, grid=4, cluster=4)


def test_all_gather_whose_ctas_exit_at_once(run):
    body = GATHER.replace("EARLY", "").replace("LAST", "")
    match = "exits without knowing that the bulk copy that reads|exits while|which has exited"
    check_fault(run, body, match, grid=4, cluster=4)


def test_every_copy_of_a_source_is_remembered(run):
    body = GATHER.replace("EARLY", "st.shared.b32 [%r11], %t;").replace("LAST", CLUSTER_SYNC)
    check_fault(
        run, body, "race on byte .*: the bulk copy issued by .* reads it", grid=4, cluster=4
    )


def test_bulk_copy_initialises_its_destination(run):
    check_copy(run, f"{LOCAL} {LOAD} {OUT}", check_uninitialized=True)


def test_bulk_copy_of_bytes_that_were_never_written(run):
    body = f"""{LOCAL} @%p1 exit; cp.async.bulk.global.shared::cta.bulk_group [%y], [s], 512;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    """
    match = "bulk copy of bytes of shared memory that were never written"
    check_fault(run, body, match, check_uninitialized=True)


@pytest.mark.parametrize(
    "store",
    [
        "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd1];"
        f"st.async.weak.shared::cluster.{TO_SHARED}.v4.b32 [%r11], {{%r4, %r5, %r6, %r7}}, [%r12];",
        "ld.global.v2.u64 {%rd4, %rd5}, [%rd1];"
        f"st.async.shared::cluster.{TO_SHARED}.u64 [%r11], %rd4, [%r12];"
        f"st.async.shared::cluster.{TO_SHARED}.u64 [%r11+8], %rd5, [%r12];",
    ],
)
def test_st_async(run, store):
    body = f"""{CLUSTER} mapa.shared::cluster.u32 %r11, %r2, 1; mapa.shared::cluster.u32 %r12, m, 1;
    setp.eq.u32 %p3, %r10, 1; @%p3 bra RECEIVE; {store} bra END;
    RECEIVE: @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [m], 512; {WAIT} {OUT}
    END: {CLUSTER_SYNC}
    """
    check_copy(run, body, grid=2, cluster=2)


def test_copies_land_late_without_a_seed_and_at_random_with_one(run):
    body = f"{LOCAL} cp.async.ca.shared.global [%r2], [%rd1], 16; {OUT} cp.async.wait_all;"
    seen = []
    for seed in (None, *range(20)):
        x, y = data()
        run(body, x=x, y=y, seed=seed, check_races=False)
        seen.append((y == x).all())
        assert seen[-1] or (y == 0).all()
    assert not seen[0] and any(seen) and not all(seen[1:])


def test_the_source_is_read_when_a_copy_lands(run):
    body = f"""{LOCAL} cp.async.ca.shared.global [%r2], [%rd1], 16; mov.u32 %r4, 7;
    st.global.v4.b32 [%rd1], {{%r4, %r4, %r4, %r4}}; cp.async.wait_all; {OUT}
    """
    x, y = data()
    run(body, x=x, y=y)
    assert (y == 7).all()


# ---- faults


@pytest.mark.parametrize(
    "operands, match",
    [
        ("[s], [%x], 24, [m]", "bulk copy of 24 bytes, not of a positive multiple of 16"),
        ("[s], [%x], 0, [m]", "bulk copy of 0 bytes"),
        ("[s+8], [%x], 16, [m]", "misaligned write of 16 bytes at offset 8 of shared memory"),
        ("[s], [%x+8], 16, [m]", "misaligned read of 16 bytes at offset 8 of buffer 'x'"),
        ("[s], [%x+256], 512, [m]", r"read of 512 bytes at offset 256 of buffer 'x' \(512 bytes\)"),
        ("[s+256], [%x], 272, [m]", "write of 272 bytes at offset 256 .*touches the mbarrier"),
        ("[s+256], [%x], 512, [m]", r"write of 512 bytes at offset 256 of shared memory \(528"),
        ("[s], [%x], 16, [m+4]", "misaligned atomic access of 8 bytes"),
        ("[s], [%x], 16, [s]", "use of the mbarrier at byte 0 .* was not initialised"),
    ],
)
def test_operands_of_a_bulk_copy(run, operands, match):
    body = f"{LOCAL} @%p1 exit; cp.async.bulk.shared::cluster.global.{TO_SHARED} {operands};"
    check_fault(run, body, match.replace("at offset 256 .*touches", "that touches"))


def test_multicast_beyond_the_cluster(run):
    body = f"""{CLUSTER} @%p1 bra END; mov.b16 %rs1, 5;
    cp.async.bulk.shared::cluster.global.{TO_SHARED}.multicast::cluster [s], [%x], 16, [m], %rs1;
    END: {CLUSTER_SYNC}
    """
    check_fault(run, body, "multicast to the CTAs of mask 0x5 in a cluster of 2", grid=2, cluster=2)


def test_misaligned_cp_async(run):
    body = f"{LOCAL} cp.async.ca.shared.global [%r2], [%rd1+4], 8;"
    check_fault(run, body, "misaligned read of 8 bytes at offset 4 of buffer 'x'")


def test_sizes_of_cp_async(run):
    body = f"{LOCAL} cp.async.cg.shared.global [%r2], [%rd1], 8;"
    check_fault(run, body, "cp.async.cg copies 16 bytes")


def test_bulk_copy_between_spaces_that_have_none(run):
    body = f"cp.async.bulk.shared::cta.shared::cta.{TO_SHARED} [%r1], [%r2], 16, [%r3];"
    check_fault(run, body, "there is no bulk copy from .shared::cta to .shared::cta")


@pytest.mark.parametrize(
    "copy",
    [
        "cp.async.ca.shared.global [%r2], [%rd1], 16;",
        "cp.async.ca.shared.global [%r2], [%rd1], 16; cp.async.commit_group;",
        "cp.async.ca.shared.global [%r2], [%rd1], 16; cp.async.wait_group 0;",
        "@!%p1 cp.async.bulk.global.shared::cta.bulk_group [%y], [s], 512;",
    ],
)
def test_exit_without_a_wait_for_a_copy(run, copy):
    check_fault(
        run, f"{LOCAL} {copy}", "exit without a wait for the (cp.async|bulk copy) by thread"
    )


def test_exit_while_a_bulk_copy_writes(run):
    body = f"""{LOCAL} @%p1 exit; mbarrier.arrive.expect_tx.shared.b64 _, [m], 512;
    cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 512, [m];
    """
    check_fault(run, body, "CTA .* exits without knowing that the bulk copy that writes its shared")
    for check in (True, False):
        x, y = data()
        with pytest.raises(SimulationError, match="exits"):
            run(body, x=x, y=y, check_races=check)


def test_copies_of_one_phase_that_expects_the_bytes_of_the_first(run):
    body = f"""{LOCAL} @%p1 exit; mbarrier.arrive.expect_tx.shared.b64 _, [m], 256;
    cp.async.bulk.shared::cluster.global.{TO_SHARED} [s], [%x], 256, [m];
    cp.async.bulk.shared::cluster.global.{TO_SHARED} [s+256], [%x+256], 256, [m]; {WAIT}
    """
    match = "lands in phase 1 of .*, but was issued in phase 0|may fall into phase 0|exits while"
    check_fault(run, body, match)


# ---- the order of accesses


def test_generic_write_of_the_destination_needs_a_fence(run):
    body = f"{LOCAL} @!%p1 st.shared.b32 [s+16], %t; FENCE {LOAD} {OUT}"
    match = "missing fence.proxy.async: .* wrote byte 16 of .* before the bulk copy writes it"
    check_fault(run, body.replace("FENCE", ""), match)
    check_fault(run, body.replace("FENCE", "fence.proxy.async.global;"), match)
    check_copy(run, body.replace("FENCE", "fence.proxy.async;"))


def test_fence_before_the_write_does_not_count(run):
    body = f"{LOCAL} fence.proxy.async; @!%p1 st.shared.b32 [s+16], %t; {LOAD} {OUT}"
    check_fault(run, body, "missing fence.proxy.async")


def test_fence_of_one_thread_covers_what_it_has_synchronised_with(run):
    body = (
        f"{LOCAL} st.shared.b32 [%r2], %t; SYNC @!%p1 fence.proxy.async.shared::cta; {LOAD} {OUT}"
    )
    check_fault(run, body.replace("SYNC", ""), "race on byte 16 .* before the bulk copy writes it")
    check_copy(run, body.replace("SYNC", "bar.warp.sync -1;"))


def test_cp_async_needs_no_fence(run):
    body = f"{LOCAL} st.shared.b32 [%r2], %t; cp.async.ca.shared.global [%r2], [%rd1], 16;"
    check_copy(run, f"{body} cp.async.wait_all; {OUT}")


def test_cp_async_orders_for_its_own_thread_only(run):
    copy = "cp.async.ca.shared.global [%r2], [%rd1], 16; cp.async.wait_all;"
    body = f"{LOCAL} {copy} SYNC {OUT_OF_PEER}"
    match = (
        "the cp.async issued by .* writes it, and after its thread's wait no barrier orders that"
    )
    check_fault(run, body.replace("SYNC", ""), match)
    run(body.replace("SYNC", "bar.sync 0;"), **dict(zip("xy", data(), strict=True)))


def test_source_of_a_bulk_copy_overwritten_before_the_wait(run):
    body = f"""{LOCAL} @%p1 exit; cp.async.bulk.global.shared::cta.bulk_group [%y], [s], 512;
    cp.async.bulk.commit_group; st.shared.b32 [s+4], %t; cp.async.bulk.wait_group 0;
    """
    match = "race on byte 4 .*: the bulk copy issued by .* reads it, and its thread has not waited"
    check_fault(run, body, match)


def test_copies_into_one_place_in_one_phase(run):
    body = LOCAL + LOAD.replace("[m], 512;\n", "[m], 528;\n").replace(
        "WAIT:", f"cp.async.bulk.shared::cta.global.{TO_SHARED} [s+16], [%x], 16, [m];\nWAIT:"
    )
    check_fault(run, body, "race on byte 16 .* before the bulk copy writes it")


def test_initialisation_without_a_fence(run):
    body = LOCAL.replace("fence.mbarrier_init.release.cluster;", "INIT") + LOAD + OUT
    check_fault(run, body.replace("INIT", ""), "missing fence.mbarrier_init")
    check_copy(run, body.replace("INIT", "fence.proxy.async;"))


def test_wait_on_an_earlier_mbarrier_of_the_same_place_does_not_count(run):
    again = """
    bar.sync 0; @%p1 bra AGAIN; mbarrier.inval.shared.b64 [m]; mbarrier.init.shared.b64 [m], 1;
    fence.mbarrier_init.release.cluster; AGAIN: bar.sync 0;
    """
    second = LOAD.replace("WAIT:", "WAIT_AGAIN:").replace("bra WAIT;", "bra WAIT_AGAIN;")
    body = f"{LOCAL} {LOAD} {again} {second}"
    check_copy(run, body + OUT)
    check_fault(run, body.replace(WAIT, "").replace("WAIT:", f"WAIT: {WAIT}") + OUT, "race on byte")
