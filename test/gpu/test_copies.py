"""`tirx.copy_async` on a GPU, bit by bit. Without a CUDA device of compute capability 9.0 these
tests are skipped."""

from pathlib import Path

import pytest

from pto import compiler
from tirx_copies import KINDS, UPSTREAM, WRONG_UPSTREAM, Copy, check

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)

TARGET = {"90": "sm_90a", "100": "sm_100a", "120": "sm_120a"}.get(
    cupy.cuda.Device().compute_capability
)
if TARGET is None:
    pytest.skip("clusters need compute capability 9.0", allow_module_level=True)

EXAMPLE = Path(__file__).parents[2] / "examples" / "dsmem_copy.mlir"
# CuPy has no bf16; another type of two bytes stands for it.
COPIES = {**KINDS, **{name: copy for name, (copy, _) in {**UPSTREAM, **WRONG_UPSTREAM}.items()}}


def run(kernel, copy: Copy) -> None:
    x, y, target = copy.arguments()
    there = [cupy.asarray(array) for array in (x, y)]
    kernel(*there, *[target][: len(kernel.arguments) - 2])
    check(copy, x, cupy.asnumpy(there[1]))


@pytest.mark.parametrize("name", [name for name in COPIES if COPIES[name].dtype != "bf16"])
def test_every_bit_arrives(name: str) -> None:
    run(compiler.compile(COPIES[name].text(), target=TARGET), COPIES[name])


def test_the_example() -> None:
    run(compiler.compile(EXAMPLE, target=TARGET), Copy((128, 64)))
