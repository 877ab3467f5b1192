"""Copies that run beside their thread; `..asynchronous` says when they land."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..asynchronous import Copy
from ..lanes import Lanes, first, indices
from ..mbarrier import MBARRIER_BYTES, Mbarrier
from ..memory import RANK_BITS, Access, Area
from ..program import Control, Next, Step
from ..site import PREDICATE, Read, Site
from ..syntax import Literal, Name
from ..types import TYPES, Array
from .mbarrier import mbarrier_access
from .memory import ELEMENTS, memory_access, vector_items
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

U32, U64 = TYPES["u32"], TYPES["b64"]
BULK_ALIGN = 16
COMPLETE_TX = "mbarrier::complete_tx::bytes"


@instruction("cp.async")
def copy_async(site: Site) -> Step | Control:
    site.mark_asynchronous()
    queue = "bulk" if site.flag("bulk") else "async"
    if site.flag("commit_group"):
        return lambda m, lanes: m.copies.commit(lanes, queue)
    if site.take("wait_group"):
        return _wait_group(site, queue)
    if queue == "bulk":
        return _prefetch(site) if site.flag("prefetch") else _bulk(site)
    if site.flag("wait_all"):

        def wait_all(m: Machine, lanes: Lanes) -> None:
            m.copies.commit(lanes, queue)
            m.copies.wait(lanes, queue, 0)

        return wait_all
    return _arrive(site) if site.flag("mbarrier") else _copy(site)


def _wait_group(site: Site, queue: str) -> Step:
    reading = queue == "bulk" and site.flag("read")
    but = site.literal(0)
    if but is None:
        raise site.error("a number of groups is expected")
    return lambda m, lanes: m.copies.wait(lanes, queue, but, read=reading)


# ---- bulk copies


def _prefetch(site: Site) -> Step:
    """Has no effect on values."""
    site.need("L2")
    site.need("global")
    site.pointer(0)
    site.read(1, U32)
    return lambda m, lanes: None


def _bulk(site: Site) -> Control:
    spaces = ("global", "shared::cta", "shared::cluster")
    target = site.need(*spaces)
    source = site.need(*spaces)
    if (target, source) not in {
        ("shared::cluster", "global"),
        ("shared::cta", "global"),
        ("shared::cluster", "shared::cta"),
        ("global", "shared::cta"),
    }:
        raise site.error(f"there is no bulk copy from .{source} to .{target}")
    grouped = target == "global"
    site.need("bulk_group" if grouped else COMPLETE_TX)
    multicast = site.flag("multicast::cluster")
    hint = site.flag("L2::cache_hint")
    where = site.where
    write = Access("write", _space(target), 1, 0, where, BULK_ALIGN)
    read = Access("read", _space(source), 1, 0, where, BULK_ALIGN)
    to, begin, size = _address(site, 0, target), _address(site, 1, source), site.read(2, U32)
    barrier = None if grouped else _address(site, 3, target)
    last = 3 if grouped else 4
    mask = None
    if multicast:
        if source != "global" or target != "shared::cluster":
            raise site.error("multicast goes from .global to .shared::cluster")
        mask = site.read(last, TYPES["b16"])
        last += 1
    if hint:
        site.read(last, U64)
    update = Access("atomic", write.space, MBARRIER_BYTES, 1, where, mbarrier=True)

    def one(m: Machine, lane: int) -> None:
        alone = slice(lane, lane + 1)
        length = int(size(m, alone)[0])
        if length == 0 or length % BULK_ALIGN:
            text = f"bulk copy of {length} bytes, not of a positive multiple of {BULK_ALIGN},"
            raise m.fault(lane, text, where)
        area, place = _locate(m, alone, begin(m, alone), read._replace(items=length))
        addresses = [to(m, alone)]
        barriers = [None if barrier is None else barrier(m, alone)]
        if mask is not None:
            ranks = _ranks(m, lane, int(mask(m, alone)[0]), where)
            addresses = [_in_cta(addresses[0], rank) for rank in ranks]
            barriers = [None if b is None else _in_cta(b, rank) for b in barriers for rank in ranks]
        for address, b in zip(addresses, barriers, strict=True):
            into, at = _locate(m, alone, address, write._replace(items=length))
            found = None if b is None else _barrier(m, alone, b, update, at)
            lanes, valid = np.array([lane]), np.array([length])
            m.copies.issue(
                Copy(
                    *("bulk copy", where, lanes, area, place, into, at, length, valid),
                    queue="bulk" if grouped else "",
                    barrier=found,
                    generic=False,
                )
            )

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        for lane in indices(lanes).tolist():
            one(m, lane)
        return pc + 1, lanes

    return Control(run)


def _space(name: str) -> str:
    return name.removesuffix("::cta")


def _address(site: Site, number: int, space: str) -> Read:
    pointer = site.pointer(number)
    if pointer.place is not None and pointer.place != space.split("::")[0]:
        raise site.error(f"a variable in {pointer.place} memory, accessed as {space}")
    return pointer.read


def _locate(m: Machine, lanes: Lanes, address: Array, access: Access) -> tuple[Area, Array]:
    """The area and the place of lanes that are known to name one area."""
    ((_, area, place),) = m.memory.locate(lanes, address, access)
    return area, place


def _barrier(m: Machine, lanes: Lanes, address: Array, access: Access, place: Array) -> Mbarrier:
    """The mbarrier of a copy, which must be in the CTA into which it copies."""
    ((_, barrier),) = m.mbarriers.at(lanes, address, access, asynchronous=True)
    cta = int(place[0]) // m.memory.shared.stride
    if barrier.cta != cta:
        text = (
            f"copy into shared memory of {m.chunk.cta_place(cta)} that completes on an mbarrier of "
            f"{m.chunk.cta_place(barrier.cta)}"
        )
        raise m.fault(first(lanes), text, access.where)
    return barrier


def _ranks(m: Machine, lane: int, mask: int, where: str) -> list[int]:
    ranks = [rank for rank in range(16) if mask >> rank & 1]
    size = m.chunk.grid.cluster_size
    if not ranks or ranks[-1] >= size:
        text = f"multicast to the CTAs of mask 0x{mask:x} in a cluster of {size}"
        raise m.fault(lane, text, where)
    return ranks


def _in_cta(address: Array, rank: int) -> Array:
    offset = address & np.uint64((1 << RANK_BITS) - 1)
    return offset | np.uint64((rank + 1) << RANK_BITS)


# ---- cp.async of a few bytes


def _copy(site: Site) -> Control:
    cache = site.need("ca", "cg")
    target = site.need("shared", "shared::cta")
    source = site.need("global")
    site.take("L2::64B", "L2::128B", "L2::256B")
    hint = site.flag("L2::cache_hint")
    where = site.where
    to, begin = _address(site, 0, target), _address(site, 1, source)
    size = site.literal(2)
    if size is None or size not in ((16,) if cache == "cg" else (4, 8, 16)):
        raise site.error(f"cp.async.{cache} copies 16 bytes" + ", or 4, or 8" * (cache == "ca"))
    extra = len(site.operands) - 3 - hint
    length = _source_size(site, size) if extra else None
    if hint:
        site.read(3 + extra, U64)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        lanes_ = indices(lanes)
        into, place = _locate(
            m, lanes, to(m, lanes), Access("write", "shared", 1, size, where, size)
        )
        addresses = begin(m, lanes)
        valid = np.full(lanes_.size, size) if length is None else length(m, lanes)
        if valid.max() > size:
            k = int(np.argmax(valid))
            text = f"cp.async of {size} bytes with a source of {valid[k]}"
            raise m.fault(int(lanes_[k]), text, where)
        for count in np.unique(valid).tolist():
            chosen = np.flatnonzero(valid == count)
            _copy_part(
                m, lanes_[chosen], addresses[chosen], into, place[chosen], size, count, where
            )
        return pc + 1, lanes

    return Control(run)


def _copy_part(
    m: Machine,
    lanes: Array,
    addresses: Array,
    into: Area,
    place: Array,
    size: int,
    count: int,
    where: str,
) -> None:
    """Issues a copy of `count` bytes, and of zeros behind them, for every area that is read."""
    if count == 0:
        zeros = np.zeros((lanes.size, size), np.uint8)
        parts = [(slice(None), zeros, np.zeros(lanes.size, np.int64))]
    else:
        access = Access("read", "global", 1, count, where, size)
        parts = list(m.memory.locate(lanes, addresses, access))
    for chosen, source, begin in parts:
        mine = lanes[chosen]
        valid = np.full(mine.size, count)
        m.copies.issue(
            Copy(
                *("cp.async", where, mine, source, begin, into, place[chosen], size, valid),
                queue="async",
            )
        )


def _source_size(site: Site, size: int) -> Read:
    """How many bytes are read: operand 3, or none where it is a true predicate."""
    operand = site.operand(3)
    if isinstance(operand, Name):
        number = site.scope.register(operand.text)
        if number is not None and site.translator.program.register_bits[number] == 1:
            ignore = site.read(3, PREDICATE)
            return lambda m, lanes: np.where(ignore(m, lanes), 0, size)
    return site.read(3, U32) if isinstance(operand, Name | Literal) else site.read(3, PREDICATE)


def _arrive(site: Site) -> Control:
    site.need("arrive")
    exact = site.flag("noinc")
    access, address = mbarrier_access(site, 0)
    site.type("b64")

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        for part, barrier in m.mbarriers.at(lanes, address(m, lanes), access, asynchronous=True):
            for lane in part.tolist():
                barrier.pending += not exact
                m.copies.arrive(lane, barrier, access.where)
        return pc + 1, lanes

    return Control(run)


# ---- st.async


@instruction("st.async")
def store_async(site: Site) -> Control:
    site.mark_asynchronous()
    site.flag("weak")
    site.need(COMPLETE_TX)
    access, pointer = memory_access(site, "write", 0)
    if access.space != "shared::cluster":
        raise site.error("st.async writes to .shared::cluster")
    type = TYPES[f"b{site.type(*(e for e in ELEMENTS if e[1:] in ('32', '64'))).bits}"]
    items = vector_items(site, type.bytes, 1)
    reads = [site.read_operand(item, type) for item in items]
    barrier = _address(site, 2, "shared::cluster")
    where, size = access.where, type.bytes * len(items)
    access = access._replace(width=1, items=size)
    update = Access("atomic", access.space, MBARRIER_BYTES, 1, where, mbarrier=True)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        values = np.stack([r(m, lanes) for r in reads], axis=1).view(np.uint8)
        addresses, barriers = pointer.read(m, lanes), barrier(m, lanes)
        for k, lane in enumerate(indices(lanes).tolist()):
            alone = slice(lane, lane + 1)
            into, at = _locate(m, alone, addresses[k : k + 1], access)
            found = _barrier(m, alone, barriers[k : k + 1], update, at)
            own, zero = np.array([lane]), np.zeros(1, np.int64)
            source = values[k : k + 1].copy()
            m.copies.issue(
                Copy(
                    *("st.async", where, own, source, zero, into, at, size, zero + size),
                    barrier=found,
                )
            )
        return pc + 1, lanes

    return Control(run)
