"""Which thread sits in which lane: the CTAs that are simulated together, and what they can ask.

A chunk is a run of whole clusters of the grid, CTA after CTA, thread after thread (x fastest), one
lane per thread. Lanes are not padded to whole warps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .types import Array

Dim = tuple[int, int, int]
WARP = 32


@dataclass(frozen=True)
class Grid:
    """A launch: extents in CTAs, threads per CTA, and CTAs per cluster."""

    ctas: Dim
    threads: Dim
    cluster: Dim = (1, 1, 1)

    @property
    def threads_per_cta(self) -> int:
        return self.threads[0] * self.threads[1] * self.threads[2]

    @property
    def cluster_size(self) -> int:
        return self.cluster[0] * self.cluster[1] * self.cluster[2]

    @property
    def clusters(self) -> int:
        return self.ctas[0] * self.ctas[1] * self.ctas[2] // self.cluster_size

    def chunks(self, clusters: int) -> list[Chunk]:
        """The grid in chunks of at most that many clusters."""
        starts = range(0, self.clusters, clusters)
        return [Chunk(self, first, min(clusters, self.clusters - first)) for first in starts]


@dataclass(frozen=True)
class Chunk:
    """`count` clusters of a grid from cluster number `first` on.

    The arrays have one entry per lane, unless their name says otherwise.
    """

    grid: Grid
    first: int
    count: int

    @cached_property
    def ctas(self) -> int:
        return self.count * self.grid.cluster_size

    @cached_property
    def lanes(self) -> int:
        return self.ctas * self.grid.threads_per_cta

    @cached_property
    def warps_per_cta(self) -> int:
        return -(-self.grid.threads_per_cta // WARP)

    @cached_property
    def cta_ids(self) -> Array:
        """[ctas, 3]: the place of every CTA of the chunk in the grid."""
        per = [n // c for n, c in zip(self.grid.ctas, self.grid.cluster, strict=True)]
        cluster = np.arange(self.first, self.first + self.count)[:, None]
        rank = np.arange(self.grid.cluster_size)[None, :]
        ids = [
            outer * c + inner
            for outer, inner, c in zip(
                _split(cluster, per),
                _split(rank, self.grid.cluster),
                self.grid.cluster,
                strict=True,
            )
        ]
        return np.stack([np.broadcast_to(i, (self.count, rank.size)).ravel() for i in ids], axis=1)

    @cached_property
    def cta(self) -> Array:
        """The lane's CTA, counted within the chunk."""
        return np.repeat(np.arange(self.ctas), self.grid.threads_per_cta)

    @cached_property
    def thread(self) -> Array:
        """The lane's number in its CTA."""
        return np.tile(np.arange(self.grid.threads_per_cta), self.ctas)

    @cached_property
    def lane_in_warp(self) -> Array:
        return self.thread % WARP

    @cached_property
    def lane_bit(self) -> Array:
        """The lane's bit in masks of its warp."""
        return np.left_shift(np.uint32(1), self.lane_in_warp.astype(np.uint32))

    @cached_property
    def warp(self) -> Array:
        """The lane's warp, counted within the chunk."""
        return self.cta * self.warps_per_cta + self.thread // WARP

    @cached_property
    def warp_start(self) -> Array:
        """The lane of this lane's warp that has `%laneid` 0."""
        return np.arange(self.lanes) - self.lane_in_warp

    def place(self, lane: int) -> str:
        """`thread (x,y,z) of CTA (x,y,z)`."""
        number = lane % self.grid.threads_per_cta
        x, y, z = (int(i) for i in _split(np.asarray(number), self.grid.threads))
        return f"thread ({x},{y},{z}) of {self.cta_place(lane // self.grid.threads_per_cta)}"

    def cta_place(self, cta: int) -> str:
        x, y, z = self.cta_ids[cta]
        return f"CTA ({x},{y},{z})"


def _split(number: Array, extents: tuple[int, ...] | list[int]) -> tuple[Array, Array, Array]:
    """x, y, z of a linear number, x fastest."""
    x, y, _ = extents
    return number % x, number // x % y, number // (x * y)


def _by_axis(
    name: str, function: Callable[[Chunk, int], Array | int]
) -> dict[str, Callable[[Chunk], Array | int]]:
    def at(axis: int) -> Callable[[Chunk], Array | int]:
        return lambda chunk: function(chunk, axis)

    return {f"%{name}.{letter}": at(axis) for axis, letter in enumerate("xyz")}


def _mask(chunk: Chunk, relation: str) -> Array:
    bit = np.left_shift(np.uint64(1), chunk.lane_in_warp.astype(np.uint64))
    below, through = bit - np.uint64(1), (bit << np.uint64(1)) - np.uint64(1)
    return {"eq": bit, "lt": below, "le": through, "gt": ~through, "ge": ~below}[relation]


# Special registers that do not change while a kernel runs. All of them read as 32 bits.
SPECIAL: dict[str, Callable[[Chunk], Array | int]] = {
    **_by_axis("tid", lambda c, axis: _split(c.thread, c.grid.threads)[axis]),
    **_by_axis("ntid", lambda c, axis: c.grid.threads[axis]),
    **_by_axis("ctaid", lambda c, axis: c.cta_ids[c.cta, axis]),
    **_by_axis("nctaid", lambda c, axis: c.grid.ctas[axis]),
    **_by_axis("cluster_ctaid", lambda c, axis: c.cta_ids[c.cta, axis] % c.grid.cluster[axis]),
    **_by_axis("cluster_nctaid", lambda c, axis: c.grid.cluster[axis]),
    **_by_axis("clusterid", lambda c, axis: c.cta_ids[c.cta, axis] // c.grid.cluster[axis]),
    **_by_axis("nclusterid", lambda c, axis: c.grid.ctas[axis] // c.grid.cluster[axis]),
    "%cluster_ctarank": lambda c: c.cta % c.grid.cluster_size,
    "%cluster_nctarank": lambda c: c.grid.cluster_size,
    "%laneid": lambda c: c.lane_in_warp,
    "%warpid": lambda c: c.thread // WARP,
    "%nwarpid": lambda c: c.warps_per_cta,
    "%smid": lambda c: c.cta_ids[c.cta, 0],
    "%nsmid": lambda c: c.grid.ctas[0],
    "%gridid": lambda c: 0,
    "WARP_SZ": lambda c: WARP,
    **{f"%lanemask_{r}": lambda c, r=r: _mask(c, r) for r in ("eq", "lt", "le", "gt", "ge")},
}
