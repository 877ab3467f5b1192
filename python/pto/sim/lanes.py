"""Sets of lanes: a slice where they are neighbours, else an ascending index array.

A slice reads and writes registers without a copy; an index array compacts them.
"""

from __future__ import annotations

import numpy as np

from .types import Array

Lanes = slice | Array


def count(lanes: Lanes) -> int:
    return lanes.stop - lanes.start if isinstance(lanes, slice) else lanes.size


def first(lanes: Lanes) -> int:
    return int(lanes.start if isinstance(lanes, slice) else lanes[0])


def indices(lanes: Lanes) -> Array:
    return np.arange(lanes.start, lanes.stop) if isinstance(lanes, slice) else lanes


def compact(index: Array) -> Lanes:
    """An ascending, non-empty index array as a slice where that is possible."""
    start, last = int(index[0]), int(index[-1])
    return slice(start, last + 1) if last - start + 1 == index.size else index


def select(lanes: Lanes, mask: Array) -> Lanes | None:
    """The lanes whose entry in `mask` (one for each of them) is true; None if there are none."""
    chosen = np.count_nonzero(mask)
    if chosen == 0:
        return None
    if chosen == mask.size:
        return lanes
    if isinstance(lanes, slice):
        return compact(np.flatnonzero(mask) + lanes.start)
    return compact(lanes[mask])


def uniform(values: Array) -> int | None:
    """The value that all of them have, if they are one; quick for constants."""
    value = values[0]
    return int(value) if values.strides[0] == 0 or (values == value).all() else None


def merge(a: Lanes, b: Lanes) -> Lanes:
    """The union of two disjoint sets."""
    if isinstance(a, slice) and isinstance(b, slice):
        if a.stop == b.start:
            return slice(a.start, b.stop)
        if b.stop == a.start:
            return slice(b.start, a.stop)
    return compact(np.sort(np.concatenate((indices(a), indices(b))), kind="stable"))
