"""The examples over the rows of a matrix: what they compute, and arguments for them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kernels
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


PROGRAMS = sorted(
    path.stem for path in kernels.EXAMPLES.iterdir() if path.stem.partition("_")[0] in FORMULAS
)
"""`softmax`, and `softmax_f16`, which stores f16; `softmax_values`, which is written in tile values
where `softmax` has tile buffers."""

# Relative and absolute. Those of f16 compute in f32 and round once, by 2^-11 at most; what cancels
# is as inexact as sums of thousands of f32 in the order of the reference.
_TOLERANCES = {"f32": (2e-5, 2e-6), "f16": (2e-5 + 2**-11, 1e-5)}


def path(program: str) -> Path:
    return kernels.EXAMPLES / f"{program}.pto"


def dtype(program: str) -> str:
    return "f16" if program.endswith("_f16") else "f32"


def arguments(program: str, shape: tuple[int, int]) -> list[Any]:
    """All but the result."""
    random, kind = np.random.default_rng(shape[1]), DTYPES[dtype(program)]

    def normal(*sizes: int) -> np.ndarray:
        return random.normal(0, 2, sizes).astype(kind)

    x, line = normal(*shape), (1, shape[1])
    match program.partition("_")[0]:
        case "rmsnorm":
            return [x, normal(*line), EPSILON]
        case "layernorm":
            return [x, normal(*line), normal(*line), EPSILON]
        case "rope":
            angles = random.uniform(0, 2 * np.pi, (shape[0], shape[1] // 2))
            return [x, np.cos(angles).astype(kind), np.sin(angles).astype(kind)]
        case _:
            return [x]


def check(program: str, inputs: list[Any], result: np.ndarray) -> None:
    """Compares a result with the formula in float64."""
    formula = FORMULAS[program.partition("_")[0]]
    exact = formula(*(np.asarray(value, np.float64) for value in inputs))
    rtol, atol = _TOLERANCES[dtype(program)]
    np.testing.assert_allclose(result.astype(np.float64), exact, rtol=rtol, atol=atol)
