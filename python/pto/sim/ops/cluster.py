"""Addresses of other CTAs of a cluster, and the barrier of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes, indices
from ..memory import RANK_BITS, REGION_BITS, SHARED
from ..program import Control, Next, Step
from ..site import Site
from ..types import TYPES, Array, Type
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

OFFSET = (1 << RANK_BITS) - 1


@instruction("mapa")
def map_address(site: Site) -> Step:
    """The address, in the CTA of a given rank, of what `a` is in the own CTA."""
    site.mark_asynchronous()
    window = _window(site)
    type = site.type("u32", "u64")
    write, a, b = site.write(0, type), site.read(1, type), site.read(2, TYPES["u32"])
    where = site.where

    def step(m: Machine, lanes: Lanes) -> None:
        address, rank = a(m, lanes), b(m, lanes)
        _check_window(m, lanes, address, window, where)
        size = m.chunk.grid.cluster_size
        if rank.max() >= size:
            k = int(np.argmax(rank >= size))
            text = f"mapa to rank {rank[k]} in a cluster of {size} CTAs"
            raise m.fault(int(indices(lanes)[k]), text, where)
        high = (rank.astype(type.dtype) + type.dtype.type(1)) << type.dtype.type(RANK_BITS)
        write(m, lanes, address & _number(type, OFFSET) | high | _number(type, window))

    return step


@instruction("getctarank")
def cta_rank(site: Site) -> Step:
    window = _window(site)
    type = site.type("u32", "u64")
    write, a = site.write(0, TYPES["u32"]), site.read(1, type)
    where = site.where

    def step(m: Machine, lanes: Lanes) -> None:
        address = a(m, lanes)
        _check_window(m, lanes, address, window, where)
        rank = (address & _number(type, (1 << REGION_BITS) - 1)) >> type.dtype.type(RANK_BITS)
        own = m.chunk.cta[lanes] % m.chunk.grid.cluster_size
        write(m, lanes, np.where(rank == 0, own, rank.astype(np.int64) - 1).astype(np.uint32))

    return step


def _window(site: Site) -> int:
    """What a generic address of shared memory has above the address in its window."""
    return 0 if site.take("shared::cluster", "shared::cta") else SHARED << REGION_BITS


def _check_window(m: Machine, lanes: Lanes, address: Array, window: int, where: str) -> None:
    bad = address >> address.dtype.type(REGION_BITS) != window >> REGION_BITS
    if address.itemsize == 8 and bad.any():
        k = int(np.argmax(bad))
        text = f"address 0x{int(address[k]):x}, which is not in shared memory,"
        raise m.fault(int(indices(lanes)[k]), text, where)


def _number(type: Type, value: int) -> np.generic:
    return type.dtype.type(value & (1 << type.bits) - 1)


@instruction("barrier.cluster")
def cluster_barrier(site: Site) -> Step | Control:
    site.mark_asynchronous()
    kind = site.need("arrive", "wait")
    aligned = site.flag("aligned")
    if kind == "wait":
        site.flag("acquire")

        def run(m: Machine, pc: int, lanes: Lanes) -> Next:
            return m.cluster_barrier.wait(lanes, pc)

        return Control(run)
    relaxed = site.take("release", "relaxed") == "relaxed"

    def arrive(m: Machine, pc: int, lanes: Lanes) -> Next:
        m.cluster_barrier.arrive(lanes, pc, aligned=aligned, relaxed=relaxed)
        return pc + 1, lanes

    return Control(arrive)
