"""The examples over the rows of a matrix: reference and simulator against the formula in float64.

Sums are in any order there (`fastmath<reassoc>`), so that reference and simulator may differ by
their rounding.
"""

from typing import Any

import numpy as np
import pytest

import row_examples
from pto import compiler

NEED_EVEN = ("rope", "rope_f16", "rope_values")
"""Their rows have two halves."""


def check(program: str, inputs: list[Any], grid: int) -> None:
    text = row_examples.path(program).read_text()
    expected, found = (np.full_like(inputs[0], 7) for _ in range(2))
    compiler.reference(text, kernel=None, arguments=[*inputs, expected], grid=grid)
    compiler.compile(text)(*inputs, found, grid=grid)
    for result in (expected, found):
        row_examples.check(program, inputs, result)


@pytest.mark.parametrize("program", row_examples.PROGRAMS)
@pytest.mark.parametrize(
    ("shape", "grid"),
    [((37, 300), 3), ((1, 2), 1), ((8, 256), 1), ((9, 258), 4), ((3, 14), 7), ((1, 254), 2)],
    ids=str,
)
def test_any_shape_and_grid(program: str, shape: tuple[int, int], grid: int) -> None:
    check(program, row_examples.arguments(program, shape), grid)


@pytest.mark.parametrize("program", [p for p in row_examples.PROGRAMS if p not in NEED_EVEN])
@pytest.mark.parametrize("shape", [(5, 1), (1, 1), (2, 3), (11, 37), (1, 257)], ids=str)
def test_columns_that_fill_no_vectors(program: str, shape: tuple[int, int]) -> None:
    check(program, row_examples.arguments(program, shape), grid=2)


@pytest.mark.parametrize("program", row_examples.PROGRAMS)
@pytest.mark.parametrize("columns", [4096, 4098, 9010])
def test_rows_wider_than_a_tile(program: str, columns: int) -> None:
    check(program, row_examples.arguments(program, (3, columns)), grid=2)


@pytest.mark.parametrize("program", ["softmax", "softmax_values"])
def test_softmax_of_large_numbers_does_not_overflow(program: str) -> None:
    x = np.array([[1e4, 1e4 - 1, -1e30, -np.inf], [3e38, -3e38, 3e38, 0]], np.float32)
    check(program, [x], grid=1)


@pytest.mark.parametrize("program", ["gelu", "gelu_buffers"])
def test_gelu_of_the_ends_of_the_range(program: str) -> None:
    x = np.array([[-3e38, -100, -0.0, 0.0, 100, 1e12]], np.float32)
    y = np.full_like(x, 7)
    compiler.compile(row_examples.path(program))(x, y, grid=1)
    np.testing.assert_array_equal(y, np.where(x > 1, x, 0))
