"""Strategies for arrays of all element types, ranks and strides, and for their axes."""

from itertools import chain, combinations

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

DTYPES = [
    *(np.dtype(kind) for kind in "?bhilBHILefd"),
    np.dtype(ml_dtypes.bfloat16),
]


@st.composite
def arrays(draw, dtypes=DTYPES, smallest=1, largest=6, special=False):
    """An array of rank 0 to 4: part of a larger one, with gaps, turned around, repeated."""
    dtype = draw(st.sampled_from(dtypes))
    rank = draw(st.integers(0, 4))
    shape = [draw(st.integers(smallest, largest)) for _ in range(rank)]
    steps = [draw(st.sampled_from([1, 1, 1, 2, -1, -2])) for _ in shape]
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    whole = values(random, [max(n * abs(s), 1) for n, s in zip(shape, steps, strict=True)], dtype)
    if special and dtype.kind not in "biu":
        mask = random.random(whole.shape) < draw(st.sampled_from([0, 0.1]))
        whole[mask] = np.nan
    slices = (slice(None, None, step) for step in steps)
    array = whole[tuple(slices)][tuple(slice(0, size) for size in shape)]
    array = array.transpose(draw(st.permutations(range(rank))))
    if rank and draw(st.booleans()):
        axis = draw(st.integers(0, rank - 1))
        first = array[(slice(None),) * axis + (slice(0, 1),)]
        if first.size:
            array = np.broadcast_to(first, array.shape)
    return array


def values(random, shape, dtype):
    """Numbers of which short sums are exact and products do not overflow floats."""
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    low, high = (0, 7) if dtype.kind == "u" else (-3, 4)
    return random.integers(low, high, shape).astype(dtype)


def axes(rank):
    """All axis arguments of an array: None, each axis from both ends, and every set of them."""
    alone = [*range(-rank, rank)]
    sets = chain.from_iterable(combinations(range(rank), n) for n in range(rank + 1))
    return st.sampled_from([None, *alone, *sets])
