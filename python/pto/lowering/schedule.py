"""How a reduction by a grid or a cluster is cut: what its attributes say, and what they leave open.

A CTA has `threads.reduced` x `threads.kept` threads. Where neighbours in memory are reduced (by
rows), neighbouring threads are too, and a strip has `threads.kept` results. Otherwise (by columns)
neighbouring threads hold neighbouring results, `vector` each.
"""

from dataclasses import dataclass
from typing import Any

from mlir import ir

from pto.lowering import cluster, emit, region
from pto.target import Target

WARP = 32
UNROLL = 8
"""Vectors in flight: with `RESIDENT` threads, 128 KB for each multiprocessor."""
RESIDENT = 1024
"""Threads for which a multiprocessor has registers, 64 each."""


@dataclass(frozen=True)
class Threads:
    """A CTA's threads: `reduced` along what is combined, by `kept` along results, of which each
    thread has `own`. Thread numbers run along the reduced first if `by_rows`."""

    reduced: int
    kept: int
    by_rows: bool
    own: int = 1

    @property
    def count(self) -> int:
        return self.reduced * self.kept

    @property
    def results(self) -> int:
        """Results that the CTA works on at once."""
        return self.kept * self.own


@dataclass(frozen=True)
class Schedule:
    """What the op's attributes say."""

    along: int
    """The dimension of the source along which neighbours in memory lie."""
    threads: Threads
    vector: int
    unroll: int
    cluster: int
    """CTAs of a cluster, which share every strip."""
    split: int | None

    @property
    def by_rows(self) -> bool:
        return self.threads.by_rows


def of(op: Any) -> Schedule:
    """The schedule of a reduction."""
    along = _along(op)
    by_rows = along in region.reduced(op)
    block = emit.block_size(op)
    vector = _value(op.vector, 1)
    if op.threads is not None:
        reduced, kept = list(op.threads)
    else:
        kept = 1 if by_rows else min(block, WARP)
        reduced = block // kept
    threads = Threads(reduced, kept, by_rows, 1 if by_rows else vector)
    split = None if op.split is None else op.split.value
    # Under `split = 1` the CTAs of a cluster work each for itself.
    ctas = 1 if split == 1 else cluster.size(emit.kernel_of(op))
    return Schedule(along, threads, vector, _value(op.unroll, UNROLL), ctas, split)


def limit_registers(op: Any, resident: int = RESIDENT) -> None:
    """Leaves room for so many threads, unless the kernel says how many CTAs it wants."""
    attributes = emit.kernel_of(op).operation.attributes
    if "nvvm.minctasm" not in attributes:
        ctas = max(1, resident // emit.block_size(op))
        attributes["nvvm.minctasm"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), ctas)


def _value(attribute: Any, default: int) -> int:
    return default if attribute is None else attribute.value


def _along(op: Any) -> int:
    """The dimension with the smallest step that is known; the last that is reduced, if none. Where
    the stride is 0 there are no neighbours."""
    strides = op.src.type.strides
    known = [(abs(stride), dim) for dim, stride in enumerate(strides) if stride]
    return min(known)[1] if known else region.reduced(op)[-1]


def _is_power_of_two(value: int) -> bool:
    return value > 0 and not value & (value - 1)


def fits(op: Any, _: Target) -> str | None:
    """The threads are those of the CTA, in whole warps, and vectors have neighbours to read."""
    plan, block = of(op), emit.block_size(op)
    reduced, kept = plan.threads.reduced, plan.threads.kept
    if reduced * kept != block:
        return f"fits: {reduced} x {kept} threads, but the CTA has {block}"
    if block % WARP or not _is_power_of_two(reduced) or not _is_power_of_two(kept):
        return f"fits: {reduced} x {kept} threads are no powers of two of whole warps"
    if plan.vector > 1 and op.src.type.strides[plan.along] != 1:
        return f"fits: vectors of {plan.vector} along dimension {plan.along} of {op.src.type}"
    if plan.split is not None and plan.split > 1 and plan.split % plan.cluster:
        return f"fits: {plan.split} CTAs share a strip, which clusters of {plan.cluster} do not"
    return None


def all_work(op: Any, _: Target) -> str | None:
    """No CTAs only wait for the others."""
    return None if op.waiting is None else f"all_work: {op.waiting.value} CTAs wait for flags"


def is_alone(op: Any, _: Target) -> str | None:
    """No other CTA works on the same results."""
    plan = of(op)
    if plan.split == 1 and plan.cluster == 1:
        return None
    if plan.cluster > 1:
        return f"is_alone: clusters of {plan.cluster} CTAs share their strips"
    return f"is_alone: up to {plan.split or 'all'} CTAs share a strip"
