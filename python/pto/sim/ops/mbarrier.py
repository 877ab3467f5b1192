"""mbarrier objects in shared memory; `..mbarrier` keeps their state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes, compact, indices
from ..mbarrier import MBARRIER_BYTES, PENDING_BITS, TEST_PATIENCE, TRY_PATIENCE, Waiting
from ..memory import Access
from ..program import Control, Next, Step
from ..site import PREDICATE, Read, Site
from ..types import TYPES, Array
from .memory import memory_access
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

U32, STATE = TYPES["u32"], TYPES["b64"]


def mbarrier_access(site: Site, number: int) -> tuple[Access, Read]:
    """The mbarrier in address operand `number`."""
    access, pointer = memory_access(site, "atomic", number)
    return access._replace(width=MBARRIER_BYTES, mbarrier=True), pointer.read


@instruction("mbarrier.init")
def initialise(site: Site) -> Step:
    site.mark_asynchronous()
    access, address = mbarrier_access(site, 0)
    site.type("b64")
    count = site.read(1, U32)

    def step(m: Machine, lanes: Lanes) -> None:
        counts = dict(zip(indices(lanes).tolist(), count(m, lanes).tolist(), strict=True))
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access, new=True):
            for lane in part.tolist():
                m.mbarriers.start(lane, barrier, counts[lane], access.where)

    return step


@instruction("mbarrier.inval")
def invalidate(site: Site) -> Step:
    access, address = mbarrier_access(site, 0)
    site.type("b64")

    def step(m: Machine, lanes: Lanes) -> None:
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access):
            m.mbarriers.end(int(part[0]), barrier, access.where)

    return step


@instruction("mbarrier.arrive", "mbarrier.arrive_drop")
def arrive(site: Site) -> Control:
    drop = "arrive_drop" in site.instruction.modifiers
    expecting, incomplete = site.flag("expect_tx"), site.flag("noComplete")
    relaxed = site.take("release", "relaxed") == "relaxed"
    site.take("cta", "cluster")
    access, address = mbarrier_access(site, 1)
    site.type("b64")
    slot = site.write_slot(site.operand(0), STATE)
    if access.space == "shared::cluster" and slot is not None:
        raise site.error("an arrival at .shared::cluster has no state, but the destination _")
    write = site.write(0, STATE)
    number = site.read(2, U32) if len(site.operands) > 2 or expecting or incomplete else None

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        given = np.ones(m.count(lanes), np.int64) if number is None else number(m, lanes)
        values = np.zeros(m.chunk.lanes, np.int64)
        values[lanes] = given
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access):
            numbers = values[part]
            if expecting:
                m.mbarriers.expect(int(part[0]), barrier, int(numbers.sum()), access.where)
                numbers = np.ones(part.size, np.int64)
            phase = barrier.phase
            state = m.mbarriers.arrive(
                part, barrier, numbers, access.where, drop=drop, relaxed=relaxed
            )
            if incomplete and barrier.phase > phase:
                text = f"an arrival with .noComplete completes the phase of {barrier.name}"
                raise m.fault(int(part[0]), text, access.where)
            write(m, compact(part), np.full(part.size, state, np.uint64))
        return pc + 1, lanes

    return Control(run)


@instruction("mbarrier.expect_tx", "mbarrier.complete_tx")
def transaction(site: Site) -> Control:
    completing = "complete_tx" in site.instruction.modifiers
    site.take("relaxed")
    site.take("cta", "cluster")
    access, address = mbarrier_access(site, 0)
    site.type("b64")
    size = site.read(1, U32)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        sizes = dict(zip(indices(lanes).tolist(), size(m, lanes).tolist(), strict=True))
        act = m.mbarriers.complete if completing else m.mbarriers.expect
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access):
            for lane in part.tolist():
                act(lane, barrier, sizes[lane], access.where)
        return pc + 1, lanes

    return Control(run)


@instruction("mbarrier.test_wait", "mbarrier.try_wait")
def wait(site: Site) -> Control:
    """A try_wait suspends its thread, which may time out; test_wait polls."""
    polling = "test_wait" in site.instruction.modifiers
    patience = TEST_PATIENCE if polling else TRY_PATIENCE
    parity = site.flag("parity")
    relaxed = site.take("acquire", "relaxed") == "relaxed"
    site.take("cta", "cluster")
    access, address = mbarrier_access(site, 1)
    site.type("b64")
    if access.space == "shared::cluster":
        raise site.error(f"mbarrier.{site.instruction.modifiers[0]} takes .shared::cta only")
    write = site.write(0, PREDICATE)
    token = site.read(2, U32 if parity else STATE)
    if len(site.operands) > 3 and not polling:
        site.read(3, U32)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        tokens = np.zeros(m.chunk.lanes, np.uint64)
        tokens[lanes] = token(m, lanes)
        going: list[Array] = []

        def finish(done: Array) -> None:
            write(m, compact(done), np.ones(done.size, np.bool_))

        write(m, lanes, np.zeros(m.count(lanes), np.bool_))
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access):
            for value in np.unique(tokens[part]).tolist():
                same = part[tokens[part] == value]
                phase = m.mbarriers.phase_of(barrier, int(same[0]), value, parity, access.where)
                waiting = Waiting(pc, same, phase, parity, relaxed, finish)
                if m.mbarriers.wait(barrier, waiting, patience=patience):
                    going.append(same)
        if not going:
            return None
        together = np.sort(np.concatenate(going))
        return pc + 1, lanes if together.size == m.count(lanes) else compact(together)

    return Control(run)


@instruction("mbarrier.pending_count")
def pending_count(site: Site) -> Step:
    site.type("b64")
    write, state = site.write(0, U32), site.read(1, STATE)
    mask = np.uint64((1 << PENDING_BITS) - 1)
    return lambda m, lanes: write(m, lanes, (state(m, lanes) & mask).astype(np.uint32))
