"""The errors that the op table states, over the whole range of f32 and its neighbours."""

from dataclasses import dataclass

import numpy as np
import pytest

import kernels
from pto.dtypes import DTYPES
from pto.ops import Elementwise, transcendental
from tile_programs import Case

SHAPE = (32, 256)


def spread(dtype: str, seed: int) -> np.ndarray:
    """Numbers of every exponent and both signs, and some near 1, where logarithms vanish."""
    random = np.random.default_rng(seed)
    kind = DTYPES[dtype]
    bits = random.integers(0, 1 << 8 * kind.itemsize, SHAPE, dtype=f"u{kind.itemsize}")
    found = bits.view(kind)
    near_one = (1 + random.normal(0, 0.1, SHAPE)).astype(kind)
    moderate = random.uniform(-100, 100, SHAPE).astype(kind)
    choice = random.integers(0, 3, SHAPE)
    return np.choose(choice, [found, near_one, moderate])


@dataclass(frozen=True)
class Spread(Case):
    def inputs(self) -> list[np.ndarray | np.generic]:
        return [spread(self.dtype, seed) for seed, _ in enumerate(self.operands)]


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("entry", transcendental.OPS, ids=lambda entry: entry.name)
def test_the_stated_error_holds(entry: Elementwise, dtype: str) -> None:
    case = Spread(entry, dtype, SHAPE, SHAPE)
    assert kernels.ulps(case.expected(), case.simulated("sm_90a")) <= entry.ulp


@pytest.mark.parametrize("entry", transcendental.OPS, ids=lambda entry: entry.name)
def test_an_approximation_is_used_where_it_is_permitted(entry: Elementwise) -> None:
    """The simulator computes approximate instructions exactly; what is stated holds on a GPU."""
    from pto import compiler

    program = Case(entry, "f32", flags="fastmath<afn>").program()
    assert ".approx" in str(compiler.emit(program, form="ptx"))
    assert ".approx" not in str(compiler.emit(Case(entry, "f32").program(), form="ptx"))
    assert entry.fast_error is not None
    case = Spread(entry, "f32", SHAPE, SHAPE, flags="fastmath<afn>")
    expected, found = case.expected().astype(float), case.simulated("sm_90a").astype(float)
    is_normal = (np.abs(expected) > 1e-37) & np.isfinite(expected)
    scale = np.maximum(np.abs(expected), 1.0 if entry.function == "log" else 0.0)
    error = np.abs(found[is_normal] - expected[is_normal])
    assert (error <= entry.fast_error * scale[is_normal]).all()
