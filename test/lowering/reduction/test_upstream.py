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
    """Those that must be chosen, if that is a matter of the case and not of its size."""
    packed = "sm100_packed" if target == "sm_100a" else "local"
    family = name.partition("-")[0]
    match family:
        case "local_thread_wise" | "local_optimized_3input_maxmin":
            return [packed if len(r.src) == 1 and r.src[0] >= 8 else "local"]
        case "local_optimized_packed_add_sum":
            return [packed]
        case "local_view_basic":
            if r.region is not None:
                return [packed]
            return ["levels", packed if r.src == (32, 64) else "local"]
        case "local_view_complex" if type(r) is Reduction:
            return ["levels", "local", "shuffle"]
        case "local_view_complex":
            return ["levels", "shuffle", "local"]
        case "warpgroup_wg_local_layout":
            return ["levels", packed]
        case "shared" | "shared_subscope" | "warp_shuffle_multi_warp_loop":
            return None
        case _:
            has_redux = (r.op, r.dtype, target) == ("max", "f32", "sm_100a")
            return ["redux" if has_redux else "shuffle"]


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
