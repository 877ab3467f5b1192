"""How a reduction is cut: threads, vectors, CTAs, clusters, and how partial results meet.

A CTA has `threads[0]` threads along the reduced elements by `threads[1]` along the results. It
works on a strip of results: `threads[1]` of them where neighbours in memory are reduced
(`by_rows`), and `threads[1] * vector` neighbours otherwise. `split` CTAs share the elements of a
strip; their partial results meet

    direct      nowhere: `split` is 1
    dsmem       in the shared memory of a cluster that covers the split
    flagged     in words of memory that have a flag each; CTAs at the end of the grid wait for them
                and combine them in a fixed order
    last_block  in a workspace; the last CTA of a strip combines them in a fixed order
    atomic      in the result, which is zero before: sums of types that memory adds, whose order is
                then open

The plan is the candidate that a small model of time takes for the fastest (`model.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Literal

from .chip import Chip
from .problem import VECTOR, Problem

Combine = Literal["direct", "dsmem", "flagged", "last_block", "atomic"]

WARP = 32
MOST_SHARED = 4096
"""Strips that CTAs share at most: more of them fill every chip."""
MOST_ADDED = 300
"""CTAs that add to one result in any order at most: each addition rounds, and with so many of them
float32 sums of 2^28 elements stay within 1e-6."""
MOST_ALONE = 1 << 15
"""CTAs that work each for itself at most."""
MOST_WAITING = 64
"""CTAs that wait for flags at most."""
MOST_FLAGS = 1 << 18
"""Partial results with flags at most: 2 MB."""
SMALL = 4 << 20
"""Bytes of arrays for which a few warps are enough."""
LINE = 8
"""Vectors of a line of memory."""
AT_ONCE = 4096
"""Vectors of a row that a CTA reads at once: eight for each of 512 threads."""
LONG = 8192
"""Vectors of a row from which more than 512 threads may share it."""
HUGE = 6
"""How many times the size of the L2 cache an array has of which it does not matter what the cache
holds."""


@dataclass(frozen=True)
class Plan:
    """See above. `unroll` vectors are read by a thread before it combines them."""

    combine: Combine
    threads: tuple[int, int]
    vector: int
    unroll: int
    cluster: int
    split: int
    grid: int
    """CTAs: `split` for each strip, or fewer, which then take several strips in turn; and those
    that wait."""
    waiting: int = 0
    """CTAs at the end of the grid that only wait for the flags of the others."""
    streaming: bool = False
    """Vectors are read past the L1 cache."""
    fixed: bool = False
    """Sizes and strides are constants of the kernel, which serves this shape only."""

    @property
    def block(self) -> int:
        return self.threads[0] * self.threads[1]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan that `to_json` wrote; `ValueError` for any other text."""
        try:
            fields = json.loads(text)
            fields["threads"] = tuple(fields["threads"])
            return Plan(**fields)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a plan in JSON: {error}") from None


@dataclass(frozen=True)
class Work:
    """What is to be planned."""

    problem: Problem
    itemsize: int
    aligned: bool
    """Vectors can be read along the contiguous dimension."""
    adds: bool
    """It is a sum whose results memory adds, and the order of additions is open."""
    ordered: bool = False
    """Positions are reduced too, which takes twice the registers."""
    narrow: bool = False
    """A partial result has at most 32 bits, so that memory writes it together with a flag."""
    free: bool = False
    """Kernels for one shape may give other bits than those for all."""

    @property
    def by_rows(self) -> bool:
        return self.problem.case != "outer"

    @property
    def vector(self) -> int:
        """Elements that a thread reads at once."""
        return VECTOR // self.itemsize if self.aligned and self.problem.case != "general" else 1

    @property
    def bytes(self) -> int:
        """The size of the array."""
        return self.problem.outputs * self.problem.length * self.itemsize

    @property
    def row(self) -> int:
        """By rows: vectors that a result combines, as a power of two that is not less."""
        return _power_above(-(-self.problem.length // self.vector))

    def strips(self, threads: tuple[int, int]) -> int:
        """Into how many strips the results are cut."""
        if self.by_rows:
            return -(-self.problem.outputs // threads[1])
        *outer, last = self.problem.kept
        return math.prod(dim.size for dim in outer) * -(-last.size // (threads[1] * self.vector))

    def steps(self, threads: tuple[int, int]) -> int:
        """Reads of one thread if no other CTA shares its strip."""
        along = self.vector if self.by_rows else 1
        return -(-self.problem.length // (threads[0] * along))

    def partials(self, threads: tuple[int, int], split: int) -> int:
        """How many partial results there are, if `split` CTAs share each strip."""
        results = threads[1] * (1 if self.by_rows else self.vector)
        return self.strips(threads) * split * results


def candidates(work: Work, chip: Chip, *, fixed: bool) -> Iterator[Plan]:
    """All plans that make sense."""
    blocks = _blocks(work, chip)
    if _may_have_flags(work, fixed):
        yield from _flagged(work, blocks[-1], chip)
    for block in blocks:
        for threads in _alone(work, block, blocks[-1]):
            yield _plan("direct", threads, work, 1, chip)
        for threads in _together(work, block):
            strips, steps = work.strips(threads), work.steps(threads)
            if steps < 2 or strips > MOST_SHARED:
                continue
            for cluster in (2, 4, 8) if chip.has_clusters else ():
                if cluster <= steps:
                    yield _plan("dsmem", threads, work, cluster, chip)
            for split in _splits(work, strips, steps, chip):
                yield _plan("last_block", threads, work, split, chip)
                if work.adds and split <= MOST_ADDED:
                    yield _plan("atomic", threads, work, split, chip)


def _plan(combine: Combine, threads: tuple[int, int], work: Work, split: int, chip: Chip) -> Plan:
    steps = -(-work.steps(threads) // split)
    unroll = min(4 if work.ordered else 8, _power_above(steps))
    # To start very many CTAs takes time, so they take several strips in turn then.
    grid = min(work.strips(threads), MOST_ALONE) * split
    cluster = split if combine == "dsmem" else 1
    streaming = _streams(work, chip)
    return Plan(combine, threads, work.vector, unroll, cluster, split, grid, streaming=streaming)


def _blocks(work: Work, chip: Chip) -> list[int]:
    """Threads of a CTA. Small arrays have CTAs of one or two warps too."""
    least, most = 32 if work.bytes < SMALL else 128, max(128, chip.threads // 2)
    return [block for block in (32, 64, 128, 256, 512, 1024) if least <= block <= most]


def _alone(work: Work, block: int, most: int) -> Iterator[tuple[int, int]]:
    """Threads of a CTA that works on its results alone; `most` is the largest that CTAs have.

    By rows a thread reads two vectors, if that leaves whole warps or rows to neighbours in memory:
    short CTAs, which the chip starts in the order of memory, read faster than those that walk
    along. In small arrays a warp may have a short row to itself, and no barrier. By columns, enough
    neighbours for a memory transaction.
    """
    if not work.by_rows:
        yield from _columns(work, block)
        return
    row = work.row
    widths = [512, 1024] if row >= LONG else [min(512, max(row // 2, min(row, WARP)))]
    if work.bytes < SMALL and WARP < row <= 4 * WARP:
        widths.append(WARP)
    for along in sorted({min(width, most) for width in widths}):
        if along <= block:
            yield along, block // along


def _together(work: Work, block: int) -> Iterator[tuple[int, int]]:
    """Threads of a CTA that shares its results with others."""
    if not work.by_rows:
        yield from _columns(work, block)
        return
    along = min(block, work.row)
    yield along, block // along


def _columns(work: Work, block: int) -> Iterator[tuple[int, int]]:
    vectors = -(-work.problem.kept[-1].size // work.vector)
    for kept in (1, 2, 4, 8, 16, 32, 64, 128):
        if kept <= block and kept < 2 * vectors and (kept >= 8 or vectors < 8):
            yield block // kept, kept


def _may_have_flags(work: Work, fixed: bool) -> bool:
    """Whether short CTAs pay: they read whole vectors, and do not have to compute first where those
    are, as kernels for all shapes do unless all lie in one row. (Bytes take longer to combine.)"""
    wide = work.vector * work.itemsize == VECTOR
    flat = work.problem.case == "flat" and work.itemsize > 1
    return work.narrow and wide and (flat or (fixed and work.free))


def _flagged(work: Work, block: int, chip: Chip) -> Iterator[Plan]:
    """The plan in which so many large CTAs share a strip that each reads once, two vectors for each
    thread, leaves flags and ends. Of huge arrays each thread reads eight.

    A row that one CTA can read at once is not shared if there are enough for all multiprocessors;
    by columns nothing is, if strips occupy half of them. Nor is what only few CTAs would have.
    """
    huge = work.bytes > HUGE * chip.cache_bytes
    threads = (block, 1) if work.by_rows else (block // LINE, LINE)
    strips, steps = work.strips(threads), work.steps(threads)
    if work.by_rows:
        wanted = strips < 2 * chip.multiprocessors or steps * block > AT_ONCE
    else:
        fills_lines = work.problem.kept[-1].size >= LINE * work.vector
        wanted = fills_lines and not huge and 2 * strips <= chip.multiprocessors
    split = -(-steps // (8 if huge else 2))
    partials = work.partials(threads, split)
    few = 4 * strips * split < chip.multiprocessors
    if wanted and not few and split > 1 and partials <= MOST_FLAGS:
        waiting = min(-(-partials // block), MOST_WAITING, max(1, chip.multiprocessors // 2))
        found = _plan("flagged", threads, work, split, chip)
        yield replace(found, grid=strips * split + waiting, waiting=waiting)


def _splits(work: Work, strips: int, steps: int, chip: Chip) -> list[int]:
    """How many CTAs may share a strip: as many as are at work at once, or more, which start as
    others end and so even out how fast multiprocessors are. By columns powers of two: rows of a
    matrix often are a power of two of bytes, and then other strides meet in few channels of the
    memory."""
    found: set[int] = set()
    for many in (1, 2, 4, 8, 16, 32, 64):
        split = max(2, min(steps, many * chip.multiprocessors // strips))
        if many <= 8 or steps >= 8 * split:
            found.add(split)
    if not work.by_rows:
        found = {1 << (split.bit_length() - 1) for split in found}
    return sorted(found)


def _streams(work: Work, chip: Chip) -> bool:
    """Whether reads past the L1 cache are faster: measured on an H200 for arrays from about half to
    six times the size of the L2 cache. Larger ones take up to 5 % longer so, smaller ones as
    long."""
    return work.vector * work.itemsize == VECTOR and (
        chip.cache_bytes // 2 <= work.bytes <= HUGE * chip.cache_bytes
    )


def _power_above(number: int) -> int:
    return 1 << max(0, number - 1).bit_length()
