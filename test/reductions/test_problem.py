"""The canonical form finds the elements of every result, and tells cases apart."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pto.reductions.axes import normalise
from pto.reductions.problem import canonical, row_major
from reduction_arrays import arrays, axes


def form(x, axis, *, ordered=False):
    reduced = normalise(axis, x.ndim)
    kept = [size for dim, size in enumerate(x.shape) if dim not in reduced]
    strides = [stride // x.itemsize for stride in x.strides]
    return canonical(x.shape, strides, reduced, row_major(kept), ordered=ordered)


def places(loops):
    """The distances from the first element, for source and result, in the order of the loops."""
    for at in product(*(range(dim.size) for dim in loops)):
        yield (
            sum(i * dim.source for i, dim in zip(at, loops, strict=True)),
            sum(i * dim.result for i, dim in zip(at, loops, strict=True)),
        )


def elements(x, problem):
    """The elements of every result, by walking the loops over the memory of `x`."""
    memory = np.lib.array_utils.byte_bounds(x)[0]
    first = (x.__array_interface__["data"][0] - memory) // x.itemsize + problem.x_offset
    size = np.lib.array_utils.byte_bounds(x)[1] - memory
    flat = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint8 * size).from_address(memory))
    flat = flat.view(x.dtype)
    return {
        problem.y_offset + y: [flat[first + k + r] for r, _ in places(problem.reduced)]
        for k, y in places(problem.kept)
    }


@given(st.data(), st.booleans())
def test_every_result_gets_its_elements(data, ordered):
    x = data.draw(arrays(dtypes=[np.dtype(np.int64)]))
    x = np.arange(x.size).reshape(x.shape) + 0 * x if data.draw(st.booleans()) else x
    axis = data.draw(axes(x.ndim))
    reduced = normalise(axis, x.ndim)
    found = elements(x, form(x, axis, ordered=ordered))
    kept = [dim for dim in range(x.ndim) if dim not in reduced]
    rows = x.transpose([*kept, *sorted(reduced)])
    rows = rows.reshape(int(np.prod(rows.shape[: len(kept)])), -1)
    assert sorted(found) == list(range(len(rows)))
    for place, row in enumerate(rows):
        if ordered:
            assert found[place] == list(row)
        else:
            assert sorted(found[place]) == sorted(row)


@given(st.data())
def test_no_neighbours_are_left_that_are_one_dimension(data):
    x = data.draw(arrays())
    problem = form(x, data.draw(axes(x.ndim)))
    assert problem.length == 1 or all(dim.size > 1 for dim in problem.reduced)
    assert all(dim.size > 1 for dim in problem.kept)
    for loops in (problem.kept, problem.reduced):
        for a, b in pairwise(loops):
            assert (a.source, a.result) != (b.size * b.source, b.size * b.result)


X = np.zeros((4, 6, 8), np.float32)


@pytest.mark.parametrize(
    ("x", "axis", "case", "kept", "reduced"),
    [
        (X, None, "flat", [], [(192, 1)]),
        (X, (0, 1, 2), "flat", [], [(192, 1)]),
        (X.T, None, "flat", [], [(192, 1)]),
        (X[::-1, ::-1, ::-1], None, "flat", [], [(192, 1)]),
        (X, 2, "inner", [(24, 8)], [(8, 1)]),
        (X.T, 0, "inner", [(4, 48), (6, 8)], [(8, 1)]),
        (X[:, ::-1], -1, "inner", [(4, 48), (6, 8)], [(8, 1)]),
        (X[:, :, :5], None, "inner", [], [(24, 8), (5, 1)]),
        (X, 0, "outer", [(48, 1)], [(4, 48)]),
        (X, 1, "outer", [(4, 48), (8, 1)], [(6, 8)]),
        (X[:, :, ::-1], 1, "outer", [(4, 48), (8, 1)], [(6, 8)]),
        (X[:, :1], 0, "outer", [(8, 1)], [(4, 48)]),
        (X[:, :, ::2], 1, "general", [(4, 48), (4, 2)], [(6, 8)]),
        (X[..., 0], None, "general", [], [(24, 8)]),
        (np.broadcast_to(X[0, 0], (5, 8)), 1, "inner", [(5, 0)], [(8, 1)]),
        (np.broadcast_to(X[0, 0], (5, 8)), 0, "outer", [(8, 1)], [(5, 0)]),
    ],
)
def test_cases(x, axis, case, kept, reduced):
    problem = form(x, axis)
    assert problem.case == case
    assert [dim[:2] for dim in problem.kept] == kept
    assert [dim[:2] for dim in problem.reduced] == reduced


def test_the_order_of_elements_is_kept_where_it_counts():
    turned = form(np.zeros((4, 6), np.float32)[::-1], None, ordered=True)
    assert [dim[:2] for dim in turned.reduced] == [(4, -6), (6, 1)]
    assert turned.x_offset == 0


@pytest.mark.parametrize(
    ("x", "address", "aligned"),
    [
        (X, 0x1000, True),
        (X, 0x1004, False),
        (X[:, :, :5], 0x1000, True),
        (np.zeros((4, 6), np.float32), 0x1000, True),
        (np.zeros((4, 6), np.float32)[:, :4], 0x1000, False),
        (np.zeros((4, 6), np.float16)[:, :5], 0x1000, False),
    ],
)
def test_alignment_is_that_of_every_contiguous_run(x, address, aligned):
    assert form(x, None).aligned(address, x.itemsize) == aligned


def test_vectors_do_not_reach_beyond_the_last_result():
    assert form(X, 0).aligned(0x1000, 4)
    assert not form(X[:, :, :6], (0, 1)).aligned(0x1000, 4)


def test_a_reversed_array_is_aligned_where_its_last_element_begins():
    problem = form(np.zeros(8, np.float32)[::-1], None)
    assert problem.aligned(0x1000 + 7 * 4, 4)
    assert not problem.aligned(0x1000, 4)
