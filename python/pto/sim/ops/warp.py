"""What the lanes of a warp tell each other: shuffles, votes, matches and reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..grid import WARP
from ..lanes import Lanes, indices, uniform
from ..program import Control, Step
from ..site import PREDICATE, Site
from ..sync import masks_by_warp
from ..types import TYPES, Array
from .control import converged
from .float import absolute_value, number_extremum
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

U32 = TYPES["u32"]


@instruction("shfl")
def shuffle(site: Site) -> Control:
    """`d|p`: p tells whether the source is within the segment; if not, d is the lane's own a."""
    site.need("sync")
    mode = site.need("up", "down", "bfly", "idx")
    type = site.type("b32")
    first, second = site.write_pair(0)
    write = site.write_operand(first, type)
    other = None if second is None else site.write_operand(second, PREDICATE)
    a, b, c = site.read(1, type), site.read(2, U32), site.read(3, U32)
    where = site.where

    def step(m: Machine, lanes: Lanes) -> None:
        values, offsets, controls = a(m, lanes), b(m, lanes), c(m, lanes)
        offset, control = uniform(offsets), uniform(controls)
        if offset is None or control is None or not _whole_warps(m, lanes):
            lane = m.chunk.lane_in_warp[lanes]
            source, valid = _source(mode, lane, offsets, controls)
            _require_present(m, lanes, source, where)
            source += m.chunk.warp_start[lanes]
            full = np.empty(m.chunk.lanes, np.uint32)
            full[lanes] = values
            write(m, lanes, full[source])
        else:
            # One permutation for all warps.
            source, valid = _source(mode, np.arange(WARP), offsets[:1], controls[:1])
            write(m, lanes, values.reshape(-1, WARP).take(source, axis=1).ravel())
            valid = np.tile(valid, values.size // WARP) if other is not None else valid
        if other is not None:
            other(m, lanes, valid)

    return converged(site.read(4, U32), step)


def _whole_warps(m: Machine, lanes: Lanes) -> bool:
    return (
        isinstance(lanes, slice)
        and m.chunk.grid.threads_per_cta % WARP == 0
        and lanes.start % WARP == 0
        and lanes.stop % WARP == 0
    )


def _source(mode: str, lane: Array, offset: Array, control: Array) -> tuple[Array, Array]:
    """The lane to read from and whether it is within the segment; if not, it is the own lane."""
    b, control = offset.astype(np.int64) & 31, control.astype(np.int64)
    clamp, segment = control & 31, (control >> 8) & 31
    low, high = lane & segment, (lane & segment) | (clamp & ~segment)
    if mode == "up":
        source = lane - b
        valid = source >= high
    else:
        source = {"down": lane + b, "bfly": lane ^ b, "idx": low | (b & ~segment)}[mode]
        valid = source <= high
    return np.where(valid, source, lane), valid


def _require_present(m: Machine, lanes: Lanes, source: Array, where: str) -> None:
    """A shuffle from a lane that does not take part is undefined."""
    here = _ballot(m, lanes, np.ones(m.count(lanes), np.bool_))
    absent = ((here >> source.astype(np.uint32)) & np.uint32(1)) == 0
    if absent.any():
        lane = int(indices(lanes)[np.flatnonzero(absent)[0]])
        raise m.fault(lane, "shuffle from a lane that does not take part", where)


@instruction("vote")
def vote(site: Site) -> Control:
    site.need("sync")
    kind = site.need("all", "any", "uni", "ballot")
    type = site.type("b32" if kind == "ballot" else "pred")
    write = site.write(0, type)
    predicate = site.read(1, PREDICATE)
    mask = site.read(2, U32)

    def step(m: Machine, lanes: Lanes) -> None:
        true = _ballot(m, lanes, predicate(m, lanes)) & mask(m, lanes)
        here = _ballot(m, lanes, np.ones(m.count(lanes), np.bool_)) & mask(m, lanes)
        results = {
            "ballot": true,
            "all": true == here,
            "any": true != 0,
            "uni": (true == here) | (true == 0),
        }
        write(m, lanes, results[kind])

    return converged(mask, step)


@instruction("elect")
def elect(site: Site) -> Control:
    """`d|p`: p is true in the lowest lane of the member mask, whose number is d."""
    site.need("sync")
    first, second = site.write_pair(0)
    if second is None:
        raise site.error("elect.sync needs two destinations d|p")
    write, chosen = site.write_operand(first, TYPES["b32"]), site.write_operand(second, PREDICATE)
    mask = site.read(1, U32)

    def step(m: Machine, lanes: Lanes) -> None:
        masks = mask(m, lanes)
        lowest = np.bitwise_count((masks & (~masks + np.uint32(1))) - np.uint32(1))
        write(m, lanes, lowest)
        chosen(m, lanes, lowest == m.chunk.lane_in_warp[lanes])

    return converged(mask, step)


@instruction("activemask")
def active_mask(site: Site) -> Step:
    write = site.write(0, site.type("b32"))
    return lambda m, lanes: write(m, lanes, _ballot(m, lanes, np.ones(m.count(lanes), np.bool_)))


def _ballot(m: Machine, lanes: Lanes, true: Array) -> Array:
    """For every lane, the mask of its warp's lanes where `true` holds."""
    bits = np.where(true, m.chunk.lane_bit[lanes], np.uint32(0))
    return masks_by_warp(m.chunk, lanes, bits)[m.chunk.warp[lanes]]


@instruction("match")
def match(site: Site) -> Control:
    """The mask of the lanes that hold this lane's value; `.all`: the whole mask or 0."""
    kind = site.need("any", "all")
    site.need("sync")
    type = site.type("b32", "b64")
    first, second = site.write_pair(0)
    write = site.write_operand(first, TYPES["b32"])
    other = None if second is None else site.write_operand(second, PREDICATE)
    a, mask = site.read(1, type), site.read(2, U32)

    def step(m: Machine, lanes: Lanes) -> None:
        values, masks = a(m, lanes), mask(m, lanes)
        group = np.stack([m.chunk.warp[lanes].astype(np.uint64), masks, values.astype(np.uint64)])
        _, same = np.unique(group, axis=1, return_inverse=True)
        found = np.zeros(values.size, np.uint32)
        np.bitwise_or.at(found, same.ravel(), m.chunk.lane_bit[lanes])
        result = found[same.ravel()]
        if kind == "all":
            here = _ballot(m, lanes, np.ones(values.size, np.bool_)) & masks
            result = np.where(result == here, result, np.uint32(0))
        write(m, lanes, result)
        if other is not None:
            other(m, lanes, result != 0)

    return converged(mask, step)


@instruction("redux")
def reduce(site: Site) -> Control:
    """Combines the values of all lanes of the member mask; each of them gets the result."""
    site.need("sync")
    operation = site.need("add", "min", "max", "and", "or", "xor")
    magnitude, nan = site.flag("abs"), site.flag("NaN")
    type = site.type("u32", "s32", "b32", "f32")
    write, a, mask = site.write(0, type), site.read(1, type), site.read(2, U32)
    functions = {
        "add": np.add,
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
    if type.is_float and operation not in ("min", "max"):
        raise site.error(f"redux.sync.{operation} of .f32 is not known to the simulator")
    if not type.is_float and (magnitude or nan):
        raise site.error("redux.sync has .abs and .NaN for .f32 only")

    def step(m: Machine, lanes: Lanes) -> None:
        values, masks = a(m, lanes), mask(m, lanes)
        group = m.chunk.warp[lanes].astype(np.uint64) << np.uint64(32) | masks
        order = np.argsort(group, kind="stable")
        starts = np.flatnonzero(np.diff(group[order], prepend=~group[order[:1]]))
        if type.is_float:
            total = _float_extrema(values[order], starts, operation == "min", magnitude, nan)
        else:
            total = functions[operation].reduceat(values[order], starts)
        sizes = np.diff(starts, append=values.size)
        result = np.empty_like(values)
        result[order] = np.repeat(total, sizes)
        write(m, lanes, result)

    return converged(mask, step)


def _float_extrema(
    values: Array, starts: Array, smaller: bool, magnitude: bool, nan: bool
) -> Array:
    """The extremum of each run of `values`."""
    type = TYPES["f32"]
    if magnitude:
        values = absolute_value(values, type)
    sizes = np.diff(starts, append=values.size)
    result = values[starts]
    for turn in range(1, int(sizes.max())):
        more = np.flatnonzero(sizes > turn)
        part = number_extremum(
            result[more], values[starts[more] + turn], type, smaller=smaller, nan=nan
        )
        result[more] = part
    return result
