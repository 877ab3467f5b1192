"""How bulk copies are cut, against the offsets of all elements (see `tirx_layouts`)."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from pto import target
from pto.lowering import chunks
from tirx_layouts import BYTES, Factors, Side, copy, dtypes, pairs, swizzled, swizzles

CHIP = target.find("sm_90a")

patient = settings(deadline=None)


def starts(found: chunks.Chunks, src: Side, dst: Side) -> np.ndarray:
    """Where the chunks begin on both sides, one row each."""
    rows = np.array([[src.offsets()[0], dst.offsets()[0]]])
    for step in found.loops:
        steps = np.arange(step.extent)[:, None] * np.array([step.src, step.dst])
        rows = (rows[:, None] + steps).reshape(-1, 2)
    return swizzled(rows, src.swizzle) if found.swizzled else rows


def copied(found: chunks.Chunks, src: Side, dst: Side) -> np.ndarray:
    """Source and destination of every element that the chunks copy, in order of the source."""
    return ordered(
        (starts(found, src, dst)[:, None] + np.arange(found.elements)[:, None]).reshape(-1, 2)
    )


def wanted(src: Side, dst: Side) -> np.ndarray:
    """The same of the copy."""
    return ordered(np.stack([src.places(), dst.places()], axis=1))


def ordered(rows: np.ndarray) -> np.ndarray:
    return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def runs(rows: np.ndarray) -> list[int]:
    """The lengths of the longest runs that are contiguous on both sides."""
    breaks = np.flatnonzero((np.diff(rows, axis=0) != 1).any(axis=1)) + 1
    return np.diff([0, *breaks, len(rows)]).tolist()


def has_common_split(src: Factors, dst: Factors) -> bool:
    """Whether the places at which two dimensions are split divide one another in turn."""
    edges = sorted({*_edges(src), *_edges(dst)})
    return all(b % a == 0 for a, b in pairwise(edges))


def _edges(parts: Factors) -> Iterator[int]:
    length = 1
    for extent, _ in reversed(parts):
        length *= extent
        yield length


@patient
@given(pairs(st.none()), dtypes)
def test_chunks_are_the_longest_common_runs(both: tuple[Side, Side], dtype: str) -> None:
    """They cover every element once, each contiguous on both sides. Where all runs have one length
    there are as many chunks as runs, or the reason that there are none is true."""
    with copy(*both, dtype) as op:
        found = chunks.of(op)
    expected = wanted(*both)
    lengths = runs(expected)
    event("chunks" if isinstance(found, chunks.Chunks) else "none")
    if isinstance(found, chunks.Chunks):
        np.testing.assert_array_equal(copied(found, *both), expected)
        assert found.elements * BYTES[dtype] % 16 == 0
        assert len(set(lengths)) > 1 or found.count == len(lengths)
    elif "no common split" in found:
        assert not all(map(has_common_split, *(side.kept() for side in both)))
    elif len(set(lengths)) == 1:
        assert lengths[0] * BYTES[dtype] % 16
        assert found.startswith(f"chunks of {lengths[0] * BYTES[dtype]} bytes")


@patient
@given(pairs(st.none()), dtypes)
def test_chunks_are_aligned_or_one_begins_beside_a_multiple_of_16(
    both: tuple[Side, Side], dtype: str
) -> None:
    with copy(*both, dtype) as op:
        found, objection = chunks.of(op), chunks.aligned(op, CHIP)
    if isinstance(found, str):
        assert objection is None, "the rule `contiguous` objects"
        return
    begins = starts(found, *both) * BYTES[dtype] % 16
    assert (objection is None) == (not begins.any())
    if objection is not None and "begins" in objection:
        name, residue = ("source", begins[0, 0]) if begins[0, 0] else ("destination", begins[0, 1])
        assert objection == f"aligned: the {name} begins {residue} bytes after a multiple of 16"


@patient
@given(pairs(swizzles), dtypes)
def test_chunks_of_one_swizzle_copy_what_the_formula_says(
    both: tuple[Side, Side], dtype: str
) -> None:
    with copy(*both, dtype) as op:
        found, objection = chunks.of(op), chunks.aligned(op, CHIP)
    event("chunks" if isinstance(found, chunks.Chunks) and objection is None else "none")
    if isinstance(found, str) or objection is not None:
        return
    assert found.elements * BYTES[dtype] % 16 == 0
    assert not (starts(found, *both) * BYTES[dtype] % 16).any()
    np.testing.assert_array_equal(copied(found, *both), wanted(*both))
