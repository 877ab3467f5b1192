"""The 308 cases of upstream's reduction tests, on the simulator for Hopper and for Blackwell."""

import pytest

import tirx_upstream
import tirx_values
from pto import compiler
from tirx_kernels import Reduction

CASES = tirx_upstream.cases()


def chosen(r: Reduction, target: str) -> list[str]:
    """The variants of the reductions, in program order."""
    decisions = compiler.explain(r.text(), target=target)
    return [d.chosen for d in decisions if d.op == f"tirx.{r.op}"]


def variants(name: str, r: Reduction, target: str) -> list[str] | None:
    """Those that must be chosen; None where a later level decides."""
    if name.startswith(("local_thread_wise", "local_optimized")):
        is_vector = len(r.src) == 1 and r.src[0] >= 8
        return ["sm100_packed" if is_vector and target == "sm_100a" else "local"]
    if name.startswith("op_warp_shuffle"):
        has_redux = (r.op, r.dtype, target) == ("max", "f32", "sm_100a")
        return ["redux" if has_redux else "shuffle"]
    if name.startswith(("local_view_basic", "warpgroup")) and type(r) is Reduction:
        return ["levels", "local"] if len(r.src) > 2 else None
    if name.startswith("local_view_complex"):
        last = "shuffle" if (r.op, r.dtype, target) != ("max", "f32", "sm_100a") else "shuffle"
        return ["levels", "local", last] if type(r) is Reduction else ["levels", last, "local"]
    return None


def test_there_are_308_cases() -> None:
    for family, count in tirx_upstream.FAMILIES:
        assert len(family()) == count, family.__name__
    assert len(CASES) == 308


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
@pytest.mark.parametrize("name", CASES)
def test_upstream(name: str, target: str) -> None:
    r = CASES[name]
    x, y = tirx_values.data(r)
    found = r.arguments(x, y)
    compiler.compile(r.text(), target=target)(*found)
    tirx_values.check(r, x, y, found)
    wanted = variants(name, r, target)
    assert wanted is None or chosen(r, target) == wanted
