"""The examples over the rows of a matrix: reference and simulator against the formula in float64.

Sums are in any order there (`fastmath<reassoc>`), so that reference and simulator may differ by
their rounding.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kernels
from pto import compiler
from pto.dtypes import DTYPES

EPSILON = np.float32(1e-5)


def softmax(x: np.ndarray) -> np.ndarray:
    power = np.exp(x - x.max(axis=1, keepdims=True))
    return power / power.sum(axis=1, keepdims=True)


def rmsnorm(x: np.ndarray, weight: np.ndarray, epsilon: Any) -> np.ndarray:
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * weight


def layernorm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, epsilon: Any) -> np.ndarray:
    centered = x - x.mean(axis=1, keepdims=True)
    return centered / np.sqrt(x.var(axis=1, keepdims=True) + epsilon) * weight + bias


def gelu(x: np.ndarray) -> np.ndarray:
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2


def rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    a, b = np.split(x, 2, axis=1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=1)


FORMULAS: dict[str, Callable[..., np.ndarray]] = {
    "softmax": softmax,
    "rmsnorm": rmsnorm,
    "layernorm": layernorm,
    "gelu": gelu,
    "rope": rope,
}


# Relative and absolute. Those of f16 compute in f32 and round once, by 2^-11 at most; what cancels
# is as inexact as sums of thousands of f32 in the order of the reference.
TOLERANCES = {"f32": (2e-5, 2e-6), "f16": (2e-5 + 2**-11, 1e-5)}
PROGRAMS = {"f32": "{}.pto", "f16": "{}_f16.pto"}


def arguments(name: str, shape: tuple[int, int], dtype: str = "f32") -> list[Any]:
    random, kind = np.random.default_rng(shape[1]), DTYPES[dtype]

    def normal(*sizes: int) -> np.ndarray:
        return random.normal(0, 2, sizes).astype(kind)

    x, line = normal(*shape), (1, shape[1])
    match name:
        case "rmsnorm":
            return [x, normal(*line), EPSILON]
        case "layernorm":
            return [x, normal(*line), normal(*line), EPSILON]
        case "rope":
            angles = random.uniform(0, 2 * np.pi, (shape[0], shape[1] // 2))
            return [x, np.cos(angles).astype(kind), np.sin(angles).astype(kind)]
        case _:
            return [x]


def program(name: str, dtype: str) -> Path:
    return kernels.EXAMPLES / PROGRAMS[dtype].format(name)


def simulated(name: str, inputs: list[Any], grid: int, dtype: str = "f32") -> np.ndarray:
    result = np.full_like(inputs[0], 7)
    compiler.compile(program(name, dtype))(*inputs, result, grid=grid)
    return result


def referred(name: str, inputs: list[Any], grid: int, dtype: str = "f32") -> np.ndarray:
    result = np.full_like(inputs[0], 7)
    given = [*inputs, result]
    compiler.reference(program(name, dtype).read_text(), kernel=None, arguments=given, grid=grid)
    return result


def check_close(name: str, inputs: list[Any], result: np.ndarray, dtype: str = "f32") -> None:
    exact = FORMULAS[name](*(np.asarray(value, np.float64) for value in inputs))
    rtol, atol = TOLERANCES[dtype]
    np.testing.assert_allclose(result.astype(np.float64), exact, rtol=rtol, atol=atol)


def check(name: str, inputs: list[Any], grid: int, dtype: str = "f32") -> None:
    for run in (referred, simulated):
        check_close(name, inputs, run(name, inputs, grid, dtype), dtype)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize(
    ("shape", "grid"),
    [((37, 300), 3), ((1, 2), 1), ((8, 256), 1), ((9, 258), 4), ((3, 14), 7), ((1, 254), 2)],
    ids=str,
)
def test_any_shape_and_grid(name: str, shape: tuple[int, int], grid: int, dtype: str) -> None:
    check(name, arguments(name, shape, dtype), grid, dtype)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", [name for name in FORMULAS if name != "rope"])
@pytest.mark.parametrize("shape", [(5, 1), (1, 1), (2, 3), (11, 37), (1, 257)], ids=str)
def test_columns_that_fill_no_vectors(name: str, shape: tuple[int, int], dtype: str) -> None:
    check(name, arguments(name, shape, dtype), 2, dtype)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("columns", [4096, 4098, 9010])
def test_rows_wider_than_a_tile(name: str, columns: int, dtype: str) -> None:
    check(name, arguments(name, (3, columns), dtype), grid=2, dtype=dtype)


def test_softmax_of_large_numbers_does_not_overflow() -> None:
    x = np.array([[1e4, 1e4 - 1, -1e30, -np.inf], [3e38, -3e38, 3e38, 0]], np.float32)
    check("softmax", [x], grid=1)


def test_gelu_of_the_ends_of_the_range() -> None:
    x = np.array([[-3e38, -100, -0.0, 0.0, 100, 1e12]], np.float32)
    y = np.full_like(x, 7)
    compiler.compile(kernels.EXAMPLES / "gelu.pto")(x, y, grid=1)
    np.testing.assert_array_equal(y, np.where(x > 1, x, 0))
