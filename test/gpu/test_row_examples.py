"""The examples over the rows of a matrix on the GPU, against the formula in float64."""

import numpy as np
import pytest

import row_examples
from cuda_device import TARGET, on_device, to_host
from pto import compiler


@pytest.mark.parametrize("program", row_examples.PROGRAMS)
@pytest.mark.parametrize("shape", [(37, 300), (1, 2), (300, 4098), (5, 9010)], ids=str)
def test_row_examples(program: str, shape: tuple[int, int]) -> None:
    inputs = row_examples.arguments(program, shape)
    kernel = compiler.compile(row_examples.path(program), target=TARGET)
    given = [on_device(value) if isinstance(value, np.ndarray) else value for value in inputs]
    result = on_device(np.full_like(inputs[0], 7))
    kernel(*given, result, grid=24)
    row_examples.check(program, inputs, to_host(result, inputs[0].dtype))
