"""Where the elements of a distributed buffer lie: which lane, which warp, which register."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.dialects import tirx
from pto.lowering import emit, rules
from pto.lowering.emit import Index

WARP = 32


@dataclass(frozen=True)
class Shard:
    """A factor of a dimension (None: a replica), of `extent` steps of `stride` over `axis`."""

    dim: int | None
    extent: int
    stride: int
    axis: str


def shards(kind: Any) -> list[Shard]:
    """The shards of a buffer type with more than one step."""
    return [Shard(*shard) for shard in kind.shards if shard[1] > 1]


def replicas(kind: Any) -> list[Shard]:
    """The replicas of a buffer type with more than one step."""
    return [Shard(None, *replica[1:]) for replica in kind.replicas if replica[1] > 1]


def over(axis: str, group: Sequence[Shard]) -> list[Shard]:
    """Those over one axis: `m`, `laneid` or `warpid`."""
    return [shard for shard in group if shard.axis == axis]


def own(buffer: Any) -> ir.Value:
    """The part of a distributed buffer that this thread stores: a plain local buffer with one
    dimension per shard over its storage."""
    memory = over("m", shards(buffer.type))
    kind = tirx.BufferType.get(
        [shard.extent for shard in memory],
        buffer.type.element_type,
        "local",
        [shard.stride for shard in memory],
    )
    return tirx.own(kind, buffer)


def slots(kind: Any) -> list[tuple[int, ...]]:
    """The indices of all elements that a thread stores, in the buffer that `own` gives."""
    return list(product(*(range(shard.extent) for shard in over("m", shards(kind)))))


@dataclass(frozen=True)
class Place:
    """This thread's lane, and its warp in the scope that executes a primitive."""

    lane: Index
    warp: Index


def here(op: Any) -> Place:
    """Where this thread is."""
    thread = gpu.thread_id(gpu.Dimension.x)
    warp = emit.div(thread, WARP)
    scope = rules.scope_of(op)
    if scope == "warpgroup":
        warp = emit.rem(warp, 4)
    return Place(emit.rem(thread, WARP), 0 if scope == "warp" else warp)


def digit(place: Place, shard: Shard) -> Index:
    """Which step of a shard over lanes or warps this thread holds."""
    number = place.lane if shard.axis == "laneid" else place.warp
    return emit.rem(emit.div(number, shard.stride), shard.extent)


def coordinates(kind: Any, place: Place, slot: Sequence[int]) -> list[Index]:
    """The position in the whole buffer of the element that this thread stores at `slot`."""
    position: list[Index] = [0] * len(kind.shape)
    steps = iter(slot)
    for shard in shards(kind):
        assert shard.dim is not None
        step = next(steps) if shard.axis == "m" else digit(place, shard)
        position[shard.dim] = emit.add(emit.mul(position[shard.dim], shard.extent), step)
    return position


def is_first_replica(kind: Any, place: Place) -> emit.Condition:
    """Whether this thread holds the copy that is written to memory."""
    condition: emit.Condition = True
    for replica in replicas(kind):
        condition = emit.both(condition, emit.equal(digit(place, replica), 0))
    return condition
