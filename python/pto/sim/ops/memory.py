"""Loads, stores, and addresses of state spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes
from ..memory import RANK_BITS, REGION_BITS, Access, window
from ..program import Step
from ..site import Pointer, Site
from ..syntax import Operand, Vector
from ..types import TYPES, Array
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

SPACES = ("global", "shared", "shared::cta", "shared::cluster", "local", "param", "const")
ORDERS = ("weak", "volatile", "relaxed", "acquire", "release", "acq_rel")
SCOPES = ("cta", "cluster", "gpu", "sys")
CACHE = ("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc")
HINTS = tuple(
    f"{level}::{hint}"
    for level in ("L1", "L2")
    for hint in (
        *("evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate"),
        *("64B", "128B", "256B"),
    )
)
ELEMENTS = (*(f"{kind}{bits}" for kind in "bus" for bits in (8, 16, 32, 64)), "f32", "f64")


@instruction("ld", "ldu")
def load(site: Site) -> Step:
    access, pointer = _access(site, "read", 1)
    type = site.type(*ELEMENTS)
    access, items = _elements(site, access, type.bytes, 0)
    writes = [site.write_operand(item, type, wide=True) for item in items]
    address = pointer.read

    def step(m: Machine, lanes: Lanes) -> None:
        values = m.memory.load(lanes, address(m, lanes), access)
        for write, value in zip(writes, values, strict=True):
            write(m, lanes, value.view(type.dtype))

    return step


@instruction("st")
def store(site: Site) -> Step:
    access, pointer = _access(site, "write", 0)
    type = TYPES[f"b{site.type(*ELEMENTS).bits}"]
    access, items = _elements(site, access, type.bytes, 1)
    reads = [site.read_operand(item, type, wide=True) for item in items]
    address = pointer.read

    def step(m: Machine, lanes: Lanes) -> None:
        m.memory.store(lanes, address(m, lanes), [r(m, lanes) for r in reads], access)

    return step


def _access(site: Site, kind: str, number: int) -> tuple[Access, Pointer]:
    """The access, its element yet unknown, and the address in operand `number`."""
    for group in (ORDERS, SCOPES, CACHE):
        site.take(*group)
    while site.take(*HINTS):
        pass
    return memory_access(site, kind, number)


def memory_access(site: Site, kind: str, number: int) -> tuple[Access, Pointer]:
    """Takes the state space; a named variable's own place wins over `.param`, since the parameters
    of a device function lie in local memory."""
    space = (site.take(*SPACES) or "generic").replace("shared::cta", "shared")
    pointer = site.pointer(number)
    if pointer.place is not None and pointer.place != space.removesuffix("::cluster"):
        if space not in ("generic", "param"):
            raise site.error(f"a variable in {pointer.place} memory, accessed as {space}")
        space = pointer.place
    return Access(kind, space, 0, 1, site.where), pointer


def _elements(
    site: Site, access: Access, width: int, number: int
) -> tuple[Access, tuple[Operand, ...]]:
    items = vector_items(site, width, number)
    return access._replace(width=width, items=len(items)), items


def vector_items(site: Site, width: int, number: int) -> tuple[Operand, ...]:
    """The registers of operand `number`: as many as the modifier .v2, .v4 or .v8 says."""
    count = int((site.take("v2", "v4", "v8") or "v1")[1:])
    operand = site.operand(number)
    items = operand.items if isinstance(operand, Vector) else (operand,)
    if len(items) != count or width * count > 32:
        raise site.error(f"{len(items)} registers for .v{count} elements of {width} bytes")
    return items


@instruction("cvta")
def convert_address(site: Site) -> Step:
    back = site.flag("to")
    space = site.need(*SPACES)
    type = site.type("u64", "b64")
    base = np.uint64(window(space.replace("shared::cta", "shared")))

    def shift(address: Array) -> Array:
        return address - base if back else address + base

    return site.compute(shift, type, type)


@instruction("isspacep")
def is_space(site: Site) -> Step:
    space = site.need(*SPACES).replace("shared::cta", "shared")
    region = window(space) >> REGION_BITS

    def test(m: Machine, lanes: Lanes) -> None:
        found = address(m, lanes)
        regions = found >> np.uint64(REGION_BITS)
        if region:
            inside = regions == region
            if space == "shared":
                rank = (found >> np.uint64(RANK_BITS)) & np.uint64(0xFFF)
                own = m.chunk.cta[lanes] % m.chunk.grid.cluster_size + 1
                inside &= (rank == 0) | (rank == own.astype(np.uint64))
            write(m, lanes, inside)
            return
        spaces = {number for number, area in m.memory.areas.items() if area.space == space}
        write(m, lanes, np.isin(regions, np.array(sorted(spaces), np.uint64)))

    write = site.write(0, TYPES["pred"])
    address = site.read(1, TYPES["u64"])
    return test


@instruction("prefetch", "prefetchu")
def prefetch(site: Site) -> Step:
    """Has no effect on values; the address may lie outside of every buffer."""
    site.take("global", "local", "const", "param")
    site.need("L1", "L2", *HINTS)
    site.pointer(0)
    return lambda m, lanes: None
