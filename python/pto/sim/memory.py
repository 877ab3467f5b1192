"""State spaces, addresses, and the checks of every access.

A 64-bit generic address is `region << 36 | offset`: shared memory, local memory, the kernel
parameters, and every variable and buffer have a region each. A buffer's first byte sits in the
middle of its region, so a wild address near it is still reported as an offset of that buffer.
Addresses in the shared, local and param spaces are offsets into their region. In shared memory the
bits from 24 on are 0 for the own CTA, or 1 + the rank of a CTA of the cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pto.errors import SimulationError

from .grid import Chunk
from .lanes import Lanes, first, indices
from .races import RaceDetector
from .types import Array, unsigned

REGION_BITS = 36
MIDDLE = 1 << (REGION_BITS - 1)
RANK_BITS = 24
SHARED, LOCAL, PARAM, FIRST_GLOBAL = 1, 2, 3, 8


def global_address(number: int) -> int:
    """The address of byte 0 of the `number`-th variable or buffer in global or const memory."""
    return (FIRST_GLOBAL + number) << REGION_BITS | MIDDLE


def window(space: str) -> int:
    """What `cvta` adds to an address of that state space to make it generic."""
    return _OFFSETS.get(space, 0) << REGION_BITS


# Spaces whose own addresses are offsets.
_OFFSETS = {"shared": SHARED, "shared::cluster": SHARED, "local": LOCAL, "param": PARAM}


class Access(NamedTuple):
    """How one instruction touches memory: `items` elements of `width` bytes from each lane."""

    kind: str  # read, write or atomic
    space: str  # global, const, shared (the own CTA's), shared::cluster, local, param, or generic
    width: int
    items: int
    where: str  # for messages: the PTX line and its text
    align: int = 0  # 0: as many bytes as there are
    mbarrier: bool = False  # whether it is an operation on an mbarrier object

    @property
    def bytes(self) -> int:
        return self.width * self.items


class Cluster:
    """Which CTA's shared memory an address means. `alive` counts each CTA's running threads."""

    def __init__(self, chunk: Chunk, alive: Array) -> None:
        self._chunk = chunk
        self._alive = alive

    def owner(self, lanes: Lanes, address: Array, access: Access) -> tuple[Array, Array]:
        """The CTA and the offset. Raises `_Bad` for another CTA's where that is not allowed."""
        size = self._chunk.grid.cluster_size
        own = self._chunk.cta[lanes]
        rank = (address >> np.uint64(RANK_BITS)).view(np.int64) - 1
        named = (rank >= 0) & (rank < size)
        owner = np.where(named, own - own % size + rank, own)
        offset = np.where(named, address & np.uint64((1 << RANK_BITS) - 1), address)
        remote = owner != own
        for bad, reason in (
            (remote & (access.space == "shared"), "which a .shared::cta address cannot mean,"),
            (remote & (self._alive[owner] == 0), "which has exited,"),
        ):
            if bad.any():
                place = self._chunk.cta_place(int(owner[bad][0]))
                text = f"{access.kind} of shared memory of {place}, {reason}"
                raise _Bad(_nth(lanes, bad), text)
        return owner, offset


class Area:
    """A stretch of memory: one block for all lanes, or one of `size` bytes for each owner.

    `owner` gives the lane's block (its CTA for shared memory, itself for local memory). `reserved`
    has a 1 for every byte of a live mbarrier.
    """

    def __init__(
        self,
        name: str,
        space: str,
        base: int,
        data: Array,
        size: int,
        *,
        owner: Array | None = None,
        stride: int = 0,
    ) -> None:
        self.name = name
        self.space = space
        self.base = np.uint64(base)
        self.data = data
        self.size = size
        self.owner = owner
        self.stride = stride
        self.written: Area | None = None
        self.reserved: Area | None = None
        self.cluster: Cluster | None = None
        self.races: RaceDetector | None = None
        self._views: dict[int, Array] = {}
        self._starts: dict[int, Array] = {}

    def track_writes(self) -> None:
        """Remember which bytes were written, to report reads of those that were not."""
        self.written = self.shadow()

    def shadow(self) -> Area:
        """A byte, at first 0, for every byte of this area."""
        return Area(self.name, self.space, int(self.base), np.zeros_like(self.data), self.size)

    def view(self, width: int) -> Array:
        """All whole elements of `width` bytes."""
        if width not in self._views:
            whole = self.data[: self.data.size // width * width]
            self._views[width] = whole.view(unsigned(8 * width))
        return self._views[width]

    def _block_starts(self, width: int) -> Array:
        """For every lane, the index in `view(width)` where its block begins."""
        if width not in self._starts:
            assert self.owner is not None
            self._starts[width] = self.owner * (self.stride // width)
        return self._starts[width]

    def locate(self, lanes: Lanes, offset: Array, access: Access) -> Array:
        """The index of every lane's first element in `view(access.width)`. Raises `_Bad`."""
        owner = None
        highest = offset.max()
        if self.cluster is not None and highest >> np.uint64(RANK_BITS):
            owner, offset = self.cluster.owner(lanes, offset, access)
            highest = offset.max()
        if self.size < access.bytes or highest > np.uint64(self.size - access.bytes):
            limit = np.uint64(max(self.size - access.bytes, 0))
            bad = (offset > limit) | (self.size < access.bytes)
            raise _Bad(_nth(lanes, bad), self.describe(access, int(offset[bad][0])))
        align = access.align or access.bytes
        if align > 1 and int(np.bitwise_or.reduce(offset)) & (align - 1):
            bad = (offset & np.uint64(align - 1)) != 0
            text = self.describe(access, int(offset[bad][0]))
            raise _Bad(_nth(lanes, bad), f"misaligned {text}")
        index = (offset >> np.uint64(access.width.bit_length() - 1)).view(np.int64)
        if owner is not None:
            index += owner * (self.stride // access.width)
        elif self.owner is not None:
            index += self._block_starts(access.width)[lanes]
        return index

    def describe(self, access: Access, offset: int) -> str:
        if offset >= 1 << 63:
            offset -= 1 << 64
        what = {"read": "read", "write": "write", "atomic": "atomic access"}[access.kind]
        return (
            f"{what} of {access.bytes} bytes at offset {offset} of {self.name} ({self.size} bytes)"
        )


class _Bad(Exception):
    def __init__(self, lane: int, text: str) -> None:
        super().__init__(text)
        self.lane = lane
        self.text = text


def _check_reserved(area: Area, reserved: Area, lanes: Lanes, index: Array, access: Access) -> None:
    bad = reserved.view(access.width)[index[:, None] + np.arange(access.items)] != 0
    if bad.any():
        lane, item = np.argwhere(bad)[0]
        byte = (int(index[lane]) + int(item)) * access.width % area.stride
        text = f"{access.kind} of {access.bytes} bytes that touches the mbarrier at byte "
        raise _Bad(int(indices(lanes)[lane]), f"{text}{byte & -8} of {area.name}")


def _nth(lanes: Lanes, bad: Array) -> int:
    return int(indices(lanes)[np.flatnonzero(bad)[0]])


@dataclass
class Memory:
    """Every area that the lanes of a chunk can reach. `place` names a lane's thread and CTA."""

    kernel: str
    place: Callable[[int], str]
    areas: dict[int, Area]

    @property
    def shared(self) -> Area:
        return self.areas[SHARED]

    @property
    def local(self) -> Area:
        return self.areas[LOCAL]

    def load(self, lanes: Lanes, address: Array, access: Access) -> list[Array]:
        """`access.items` arrays of unsigned values, one entry per lane. `address` is uint64."""
        parts = list(self._split(lanes, address, access))
        if len(parts) == 1:
            return self._load(*parts[0][1:], access)
        values = [np.empty(address.size, unsigned(8 * access.width)) for _ in range(access.items)]
        for chosen, area, part, where in parts:
            for value, loaded in zip(values, self._load(area, part, where, access), strict=True):
                value[chosen] = loaded
        return values

    def store(self, lanes: Lanes, address: Array, values: list[Array], access: Access) -> None:
        for chosen, area, part, where in self._split(lanes, address, access):
            index = self.touch(area, part, where, access)
            view = area.view(access.width)
            for k, value in enumerate(values):
                view[index + k if k else index] = value[chosen]

    def modify(
        self,
        lanes: Lanes,
        address: Array,
        access: Access,
        update: Callable[[Array, Array, Array | slice], None],
    ) -> None:
        """Calls `update(view, index, chosen)` for each area, with positions in `lanes`."""
        for chosen, area, part, where in self._split(lanes, address, access):
            update(area.view(access.width), self.touch(area, part, where, access), chosen)

    def _load(self, area: Area, lanes: Lanes, offset: Array, access: Access) -> list[Array]:
        index = self.touch(area, lanes, offset, access)
        view = area.view(access.width)
        return [view.take(index + k if k else index, mode="clip") for k in range(access.items)]

    def touch(self, area: Area, lanes: Lanes, offset: Array, access: Access) -> Array:
        """Checks an access and returns the element indices of `Area.locate`."""
        try:
            index = area.locate(lanes, offset, access)
            if area.reserved is not None:
                _check_reserved(area, area.reserved, lanes, index, access)
            if area.written is not None:
                self._check_written(area.written, lanes, index, access)
        except _Bad as bad:
            raise self.fault(bad.lane, bad.text, access.where) from None
        if area.races is not None:
            found = area.races.access(indices(lanes), index, access)
            if found is not None:
                raise self.fault(found.lane, found.text, access.where)
        return index

    def locate(
        self, lanes: Lanes, address: Array, access: Access
    ) -> Iterator[tuple[Array | slice, Area, Array]]:
        """Each area with its positions in `lanes` and the places in `data`, in elements, after a
        check of bounds, alignment and mbarriers only."""
        for chosen, area, part, offset in self._split(lanes, address, access):
            try:
                index = area.locate(part, offset, access)
                if area.reserved is not None and not access.mbarrier:
                    _check_reserved(area, area.reserved, part, index, access)
            except _Bad as bad:
                raise self.fault(bad.lane, bad.text, access.where) from None
            yield chosen, area, index

    def _check_written(self, written: Area, lanes: Lanes, index: Array, access: Access) -> None:
        view = written.view(access.width)
        whole = view.dtype.type(int.from_bytes(b"\1" * access.width, "little"))
        for k in range(access.items):
            if access.kind == "write":
                view[index + k] = whole
                continue
            bad = view[index + k] != whole
            if bad.any():
                text = f"read of {access.bytes} bytes of {written.name} that were never written"
                raise _Bad(_nth(lanes, bad), text)

    def _split(
        self, lanes: Lanes, address: Array, access: Access
    ) -> Iterator[tuple[Array | slice, Area, Lanes, Array]]:
        """The accessed areas, each with its positions in `lanes`, its lanes and their offsets."""
        if access.space in _OFFSETS:
            yield slice(None), self.areas[_OFFSETS[access.space]], lanes, address
            return
        low = int(address.min()) >> REGION_BITS
        if low == int(address.max()) >> REGION_BITS:
            area = self._area(low, lanes, address, access)
            yield slice(None), area, lanes, address - area.base
            return
        regions = address >> np.uint64(REGION_BITS)
        for region in np.unique(regions):
            chosen = np.flatnonzero(regions == region)
            part = indices(lanes)[chosen]
            area = self._area(int(region), part, address[chosen], access)
            yield chosen, area, part, address[chosen] - area.base

    def _area(self, region: int, lanes: Lanes, address: Array, access: Access) -> Area:
        area = self.areas.get(region)
        if area is None or access.space not in ("generic", area.space):
            at = f"address 0x{int(address[0]):x}"
            reason = "which is not allocated" if area is None else f"in {area.name}"
            text = (
                f"{access.kind} of {access.bytes} bytes in {access.space} memory at {at}, {reason},"
            )
            raise self.fault(first(lanes), text, access.where)
        if area.space in ("const", "param") and access.kind != "read":
            raise self.fault(
                first(lanes), f"{access.kind} to {area.name}, read only,", access.where
            )
        return area

    def fault(self, lane: int, text: str, where: str) -> SimulationError:
        return SimulationError(f"kernel '{self.kernel}': {text} by {self.place(lane)}; {where}")

    def bytes(self, lane: int, address: int, count: int) -> bytes:
        """What one lane finds at a generic address."""
        access = Access("read", "generic", 1, 1, "reading an argument of a runtime function")
        lanes = np.full(count, lane)
        found = self.load(lanes, np.arange(address, address + count, dtype=np.uint64), access)
        return found[0].tobytes()

    def string(self, lane: int, address: int) -> str:
        """The zero-terminated text at a generic address."""
        text = b""
        while not text.endswith(b"\0"):
            text += self.bytes(lane, address + len(text), 1)
        return text[:-1].decode(errors="replace")
