"""The errors that the op table states, over the whole range of f32 and its neighbours."""

import pytest

import kernels
from op_matrix import APPROXIMATED, Spread, approximation_error
from pto import compiler
from pto.ops import Elementwise, transcendental
from tile_programs import Case


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("entry", transcendental.OPS, ids=lambda entry: entry.name)
def test_the_stated_error_holds(entry: Elementwise, dtype: str) -> None:
    case = Spread(entry, dtype)
    assert kernels.ulps(case.expected(), case.simulated("sm_90a")) <= entry.ulp


@pytest.mark.parametrize("entry", APPROXIMATED, ids=lambda entry: entry.name)
def test_an_approximation_is_used_where_it_is_permitted(entry: Elementwise) -> None:
    """The simulator computes approximate instructions exactly; what is stated holds on a GPU."""
    program = Case(entry, "f32", flags="fastmath<afn>").program()
    assert ".approx" in str(compiler.emit(program, form="ptx"))
    assert ".approx" not in str(compiler.emit(Case(entry, "f32").program(), form="ptx"))
    assert entry.fast_error is not None
    case = Spread(entry, "f32", flags="fastmath<afn>")
    error = approximation_error(case, case.expected(), case.simulated("sm_90a"))
    assert error <= entry.fast_error
