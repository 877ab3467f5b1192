"""Bugs planted into correct kernels of two CTAs: each is reported in every order of execution."""

import numpy as np
import pytest

from planted_bugs import AT_END, AT_START, COPY, EXPECT, INIT_FENCE, PROXY_FENCE, WAIT, plant
from pto.errors import SimulationError
from pto.sim import Buffer, launch

SEEDS = [None, *range(6)]

MBARRIER = r"the mbarrier at byte 2048 of shared memory of CTA \(1,0,0\)"
RACE_WITH_COPY = (
    rf"race on byte \d+ of shared memory of CTA \(1,0,0\): the bulk copy issued by thread "
    rf"\(0,0,0\) of CTA \(0,0,0\) \(PTX line \d+.*\) writes it, and no wait on {MBARRIER} "
    r"orders that before the read by|"
    r"race on byte \d+ of shared memory of CTA \(1,0,0\): thread \(\d+,0,0\) of CTA \(1,0,0\) "
    r"read it .*, and no barrier orders that before the bulk copy writes it, as issued by"
)


def start(ptx, kernel, words, shared_bytes, seed):
    x = np.arange(words, dtype=np.uint32) + 1
    y = np.zeros_like(x)
    buffers = [Buffer("x", x.view(np.uint8)), Buffer("y", y.view(np.uint8))]
    launch(ptx, kernel, buffers, grid=(2, 1, 1), shared_bytes=shared_bytes, seed=seed)
    np.testing.assert_array_equal(y, x)


def exchange(ptx, seed=None):
    start(ptx, "exchange", 256, 2056, seed)


def ring(ptx, seed=None):
    start(ptx, "ring", 6 * 256, 2080, seed)


def check_reported(run, ptx, match):
    for seed in SEEDS:
        with pytest.raises(SimulationError, match=match):
            run(ptx, seed)


# ---- a tile that CTA 0 copies into the shared memory of CTA 1


def test_the_exchange_is_clean(ptx):
    for seed in [None, *range(100)]:
        exchange(ptx("dsmem_exchange"), seed)


def test_no_wait_is_a_race(ptx):
    bug = plant(ptx("dsmem_exchange"), WAIT, "setp.eq.u32 P1, 0, 0;")
    check_reported(exchange, bug, RACE_WITH_COPY)


def test_wait_that_is_not_repeated_is_a_race(ptx):
    bug = plant(ptx("dsmem_exchange"), "bra.uni     LAB_WAIT;", "")
    with pytest.raises(SimulationError, match=RACE_WITH_COPY):
        exchange(bug)


def test_wrong_parity_is_a_race(ptx):
    bug = plant(ptx("dsmem_exchange"), WAIT, WAIT.replace("], 0,", "], 1,"))
    check_reported(exchange, bug, rf"{RACE_WITH_COPY}|deadlock in .*parity 1 of the mbarrier")


def test_too_many_expected_bytes_are_a_deadlock(ptx):
    bug = plant(ptx("dsmem_exchange"), EXPECT, EXPECT.replace("1024", "1040"))
    text = (
        r"deadlock in CTA \(0,0,0\): 64 of 64 threads wait at PTX line .* where 64 threads of CTA "
        r"\(1,0,0\) have not arrived; in CTA \(1,0,0\): 64 of 64 threads wait at PTX line \d+: "
        r"mbarrier.try_wait.* for parity 0 of the mbarrier at byte 2048 of shared memory: 0 "
        r"arrivals and 16 bytes are missing"
    )
    check_reported(exchange, bug, text)


def test_too_few_expected_bytes_are_counted(ptx):
    bug = plant(ptx("dsmem_exchange"), EXPECT, EXPECT.replace("1024", "512"))
    check_reported(exchange, bug, f"512 more bytes have landed than phase 0 of {MBARRIER} expects")


def test_missing_proxy_fence(ptx):
    bug = plant(ptx("dsmem_exchange"), PROXY_FENCE, "")
    text = (
        r"missing fence.proxy.async: thread \(0,0,0\) of CTA \(0,0,0\) wrote byte 0 of shared "
        r"memory of CTA \(0,0,0\) \(PTX line \d+: st.shared.*\), and no such fence follows before "
        "the bulk copy reads it"
    )
    check_reported(exchange, bug, text)


def test_missing_fence_of_the_initialisation(ptx):
    bug = plant(ptx("dsmem_exchange"), INIT_FENCE, "")
    text = rf"missing fence.mbarrier_init: thread \(0,0,0\) of CTA \(1,0,0\) initialised {MBARRIER}"
    check_reported(exchange, bug, text)


def test_missing_cluster_barrier_at_the_start(ptx):
    bug = plant(ptx("dsmem_exchange"), AT_START, "READY:")
    text = (
        r"use of shared memory of CTA \(1,0,0\), which no cluster barrier shows to have started|"
        rf"use of {MBARRIER}, which was not initialised|"
        rf"use of {MBARRIER}, with no barrier after its initialisation"
    )
    check_reported(exchange, bug, text)


def test_missing_cluster_barrier_at_the_end(ptx):
    bug = plant(ptx("dsmem_exchange"), AT_END, "DONE:")
    text = (
        r"CTA \(0,0,0\) exits without knowing that the bulk copy that reads its shared memory is "
        r"complete, as issued by thread \(0,0,0\) of CTA \(0,0,0\); PTX line \d+: cp.async.bulk"
    )
    check_reported(exchange, bug, text)


def test_source_overwritten_before_the_copy_is_complete(ptx):
    bug = plant(ptx("dsmem_exchange"), COPY, COPY + "st.shared.b32 [smem], %r1;\n")
    text = (
        r"race on byte 0 of shared memory of CTA \(0,0,0\): the bulk copy issued by thread "
        rf"\(0,0,0\) of CTA \(0,0,0\) .* reads it, and no wait on {MBARRIER} orders that before the"
        " write"
    )
    check_reported(exchange, bug, text)


def test_rank_outside_the_cluster(ptx):
    bug = plant(ptx("dsmem_exchange"), "%rd7, 1;", "%rd7, 2;")
    check_reported(exchange, bug, r"mapa to rank 2 in a cluster of 2 CTAs by thread \(0,0,0\)")


def test_arrival_twice(ptx):
    bug = plant(
        ptx("dsmem_exchange"), EXPECT, EXPECT + "mbarrier.arrive.shared.b64 _, [smem+2048];\n"
    )
    text = (
        rf"1 arrivals at {MBARRIER}, which waits for 0 more|"
        rf"arrival at {MBARRIER} that may fall into phase 0, since no wait shows that to be"
    )
    check_reported(exchange, bug, text)


def test_mbarrier_of_the_wrong_cta(ptx):
    bug = plant(ptx("dsmem_exchange"), "%rd7, 1;", "%rd7, 0;")
    text = (
        r"copy into shared memory of CTA \(1,0,0\) that completes on an mbarrier of CTA \(0,0,0\)"
    )
    check_reported(exchange, bug, text)


def test_one_thread_that_waits_for_its_warp_needs_a_warp_barrier(ptx):
    bug = plant(ptx("dsmem_exchange"), "\tadd.u32 \t%r10", "\t@%p1 bra READ;\n\tadd.u32 \t%r10")
    bug = plant(bug, "\t// end inline asm\n", "READ:\n")
    check_reported(exchange, bug, RACE_WITH_COPY)
    exchange(plant(bug, "READ:\n", "READ:\nbar.sync 1;\n"))


# ---- a ring of two stages, with full and empty mbarriers


def test_the_ring_is_clean(ptx):
    for seed in [None, *range(100)]:
        ring(ptx("dsmem_ring"), seed)


def test_consumer_that_waits_for_the_wrong_phase(ptx):
    bug = plant(ptx("dsmem_ring"), "[%r15], %r9,", "[%r15], %r18,")
    bug = plant(bug, "CONSUME:\n", "CONSUME:\nxor.b32 %r18, %r9, 1;\n")
    check_reported(ring, bug, "race on byte|which waits for 0 more|may fall into phase")


def test_consumer_one_use_of_the_stage_behind(ptx):
    # The parity of the use before, except in the first one, for which it is right.
    bug = plant(ptx("dsmem_ring"), "[%r15], %r9,", "[%r15], %r19,")
    bug = plant(
        bug,
        "CONSUME:\n",
        "CONSUME:\nmov.u32 %r19, %r9; setp.ge.u32 %p6, %r6, 2; @%p6 xor.b32 %r19, %r9, 1;\n",
    )
    check_reported(ring, bug, "race on byte|which waits for 0 more|may fall into phase|deadlock")


def test_producer_that_waits_for_the_wrong_phase_is_a_deadlock(ptx):
    bug = plant(ptx("dsmem_ring"), "xor.b32 \t%r18, %r9, 1;", "mov.u32 %r18, %r9;")
    text = (
        r"deadlock in CTA \(0,0,0\): 64 of 64 threads wait .* for parity 0 of the mbarrier at byte "
        "2064 of shared memory: 2 arrivals and 0 bytes are missing"
    )
    check_reported(ring, bug, text)


def test_producer_that_does_not_wait_for_empty_stages(ptx):
    wait = "mbarrier.try_wait.parity.shared.b64 P1, [%r16], %r18, 10000000;"
    bug = plant(ptx("dsmem_ring"), wait, "setp.eq.u32 P1, 0, 0;")
    check_reported(ring, bug, "race on byte .* reads it, and no wait on|that may fall into phase")


def test_stage_given_back_before_the_whole_warp_has_read_it(ptx):
    bug = plant(ptx("dsmem_ring"), "bar.warp.sync \t-1;", "")
    text = "race on byte .* read it .*, and no barrier orders that before the bulk copy writes it"
    check_reported(ring, bug, text)
