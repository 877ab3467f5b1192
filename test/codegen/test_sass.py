"""What the assembler makes of one thread's reduction: instruction counts and dependent chains."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("nvidia", reason="nvidia-cuda-nvdisasm is not installed")

BENCH = Path(__file__).parents[2] / "bench" / "sass.py"
spec = importlib.util.spec_from_file_location("sass", BENCH)
assert spec is not None and spec.loader is not None
sass = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sass)


@pytest.mark.parametrize(("n", "most"), [(32, 16), (100, 52), (256, 128)])
def test_packed_sums_take_half_the_additions(n: int, most: int) -> None:
    found = sass.of("sum", n, "sm_100a")
    assert found.arithmetic.total() <= most
    assert found.arithmetic["FADD2"] >= most - 5


@pytest.mark.parametrize(("n", "most"), [(32, 16), (100, 50), (256, 128)])
def test_maxima_take_three_operands(n: int, most: int) -> None:
    found = sass.of("max", n, "sm_100a")
    assert found.arithmetic.total() <= most
    assert found.arithmetic["FMNMX3"] >= most - 1


@pytest.mark.parametrize("op", ["sum", "max"])
@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_a_chain_of_32_elements_is_at_most_six_long(op: str, target: str) -> None:
    assert sass.of(op, 32, target).chain <= 6


def test_a_sum_of_32_with_vector_loads_is_at_most_35_instructions() -> None:
    assert sass.of("sum", 32, "sm_100a").total <= 35
