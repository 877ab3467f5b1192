"""Reference = simulator, bit for bit, over shapes, valid regions, types and operations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kernels
from pto import compiler
from pto.dtypes import DTYPES


def run_both(
    source: str, x: np.ndarray, shape: tuple[int, int], target: str
) -> tuple[np.ndarray, np.ndarray]:
    """The results of the reference and of the simulator."""
    results = [np.full(shape, 7, x.dtype) for _ in range(2)]
    compiler.reference(source, kernel=None, arguments=[x, results[0]], grid=1)
    compiler.compile(source, target=target)(x.copy(), results[1])
    return results[0], results[1]


def check(op: str, source: str, x: np.ndarray, target: str = "sm_90a") -> None:
    expected, found = run_both(source, x, kernels.reduced(op, x.shape), target)
    assert kernels.same_bits(expected, found), f"{source}\nreference {expected}\nsimulator {found}"


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_100a", "sm_120a"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", kernels.REDUCTIONS)
def test_every_type_on_every_target(op: str, dtype: str, target: str) -> None:
    check(op, kernels.reduction(op, dtype, (24, 40)), kernels.values(dtype, (24, 40)), target)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_valid_regions(data: st.DataObject) -> None:
    """The valid region decides what is folded, known at compile time or only at run time."""
    rows, columns = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 300))
    valid = data.draw(st.integers(1, rows)), data.draw(st.integers(1, columns))
    op = data.draw(st.sampled_from(kernels.REDUCTIONS + kernels.ROW_REDUCTIONS))
    source = kernels.reduction(
        op,
        dtype := data.draw(st.sampled_from(sorted(DTYPES))),
        (rows, columns),
        valid,
        dynamic=data.draw(st.booleans()),
    )
    check(op, source, kernels.values(dtype, valid, seed=rows * columns))


@pytest.mark.parametrize("valid", [(0, 5), (5, 0), (0, 0)])
@pytest.mark.parametrize("dynamic", [False, True])
def test_an_empty_valid_region_writes_nothing(valid: tuple[int, int], dynamic: bool) -> None:
    source = kernels.reduction("tcolprod", "f32", (8, 8), valid, dynamic=dynamic)
    store = source.index("  tstore")
    source = source[:store] + source[source.index("}", store) :]
    expected, found = run_both(source, np.ones(valid, np.float32), (1, 8), "sm_90a")
    assert (expected == 7).all() and (found == 7).all()


def tolerance(dtype: str, rows: int) -> float:
    """Relative: one rounding per row, in the element type of the reference."""
    return rows * float(np.finfo(np.float32).eps if dtype in ("f32",) else 2**-7)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_order_stays_within_rounding(data: st.DataObject) -> None:
    """`fastmath<reassoc>`: rows are split over threads; a fold of R rows rounds R times."""
    op = data.draw(st.sampled_from(("tcolprod", "tcolsum")))
    dtype = data.draw(st.sampled_from(("f32", "f16", "bf16")))
    shape = data.draw(st.integers(2, 64)), data.draw(st.integers(1, 64))
    source = kernels.reduction(op, dtype, shape, flags="fastmath<reassoc>")
    assert any(d.chosen == "shared" for d in compiler.explain(source))
    x = np.random.default_rng(0).uniform(0.9, 1.1, shape).astype(DTYPES[dtype])
    expected, found = run_both(source, x, (1, shape[1]), "sm_90a")
    np.testing.assert_allclose(
        found.astype(np.float64), expected.astype(np.float64), rtol=tolerance(dtype, shape[0])
    )
