"""Fences. Memory is sequentially consistent here, so they matter to the order check alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lanes import Lanes, indices
from ..program import Step
from ..site import Site
from .memory import SCOPES
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine


@instruction("membar", "fence")
def fence(site: Site) -> Step:
    if site.opcode == "membar":
        site.need("cta", "gl", "sys")
        order = "sc"
    else:
        order = site.take("sc", "acq_rel", "acquire", "release")
        site.need(*SCOPES)
    if order == "acquire":
        return lambda m, lanes: None
    return _entering("memory")


@instruction("fence.proxy")
def fence_proxy(site: Site) -> Step:
    if site.take("alias"):
        return lambda m, lanes: None
    site.need("async")
    space = site.take("global", "shared::cta", "shared::cluster")
    # Global memory is not watched.
    if space == "global":
        return lambda m, lanes: None
    return _entering("cta" if space == "shared::cta" else "cluster")


def _entering(scope: str) -> Step:
    def step(m: Machine, lanes: Lanes) -> None:
        if m.protocol is not None:
            m.protocol.fence(indices(lanes), scope)

    return step


@instruction("fence.mbarrier_init")
def fence_mbarrier_init(site: Site) -> Step:
    site.need("release")
    site.need("cluster")

    def step(m: Machine, lanes: Lanes) -> None:
        if m.protocol is not None:
            m.protocol.fence_initialisations(indices(lanes))

    return step
