"""The examples over the rows of a matrix: reference and simulator against the formula in float64.

Sums are in any order there (`fastmath<reassoc>`), so that reference and simulator may differ by
their rounding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kernels
from pto import compiler

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


def arguments(name: str, shape: tuple[int, int]) -> list[Any]:
    random = np.random.default_rng(shape[1])

    def normal(*sizes: int) -> np.ndarray:
        return random.normal(0, 2, sizes).astype(np.float32)

    x, line = normal(*shape), (1, shape[1])
    match name:
        case "rmsnorm":
            return [x, normal(*line), EPSILON]
        case "layernorm":
            return [x, normal(*line), normal(*line), EPSILON]
        case "rope":
            angles = random.uniform(0, 2 * np.pi, (shape[0], shape[1] // 2))
            return [x, np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)]
        case _:
            return [x]


def check(name: str, inputs: list[Any], grid: int) -> None:
    exact = FORMULAS[name](*(np.asarray(value, np.float64) for value in inputs))
    program = kernels.EXAMPLES / f"{name}.pto"
    results = [np.full_like(inputs[0], 7) for _ in range(2)]
    compiler.reference(program, kernel=None, arguments=[*inputs, results[0]], grid=grid)
    compiler.compile(program)(*inputs, results[1], grid=grid)
    for result in results:
        np.testing.assert_allclose(result, exact, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize(
    ("shape", "grid"), [((37, 600), 3), ((1, 2), 1), ((8, 256), 1), ((9, 258), 4)], ids=str
)
def test_any_shape_and_grid(name: str, shape: tuple[int, int], grid: int) -> None:
    check(name, arguments(name, shape), grid)


def test_softmax_of_large_numbers_does_not_overflow() -> None:
    x = np.array([[1e4, 1e4 - 1, -1e30, -np.inf], [3e38, -3e38, 3e38, 0]], np.float32)
    check("softmax", [x], grid=1)


def test_gelu_of_the_ends_of_the_range() -> None:
    x = np.array([[-3e38, -100, -0.0, 0.0, 100, 1e12]], np.float32)
    y = np.full_like(x, 7)
    compiler.compile(kernels.EXAMPLES / "gelu.pto")(x, y, grid=1)
    np.testing.assert_array_equal(y, np.where(x > 1, x, 0))
