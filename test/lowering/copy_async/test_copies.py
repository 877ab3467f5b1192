"""`tirx.copy_async` on the simulator: what arrives, bit by bit, and in how many chunks."""

from pathlib import Path

import pytest

from pto import compiler
from tirx_copies import KINDS, UPSTREAM, WRONG_UPSTREAM, Copy, check

EXAMPLE = Path(__file__).parents[3] / "examples" / "dsmem_copy.mlir"
COUNTED = {**UPSTREAM, **WRONG_UPSTREAM}


def decision(copy: Copy) -> compiler.Decision:
    """What dispatch decides for the copy."""
    return next(d for d in compiler.explain(copy.text()) if d.op == "tirx.copy_async")


@pytest.mark.parametrize("name", COUNTED)
def test_the_number_of_chunks(name: str) -> None:
    copy, chunks = COUNTED[name]
    plural = "s" if chunks > 1 else ""
    size = copy.bytes // chunks
    assert decision(copy).detail == f"{chunks} chunk{plural} of {size} bytes"


@pytest.mark.parametrize("name", [*COUNTED, *KINDS])
def test_every_bit_arrives(name: str) -> None:
    copy = COUNTED[name][0] if name in COUNTED else KINDS[name]
    assert decision(copy).chosen == copy.variant
    kernel = compiler.compile(copy.text())
    x, y, target = copy.arguments()
    kernel(x, y, target)
    check(copy, x, y)


def test_the_example_copies_under_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a seed, warps run and copies land at random."""
    kernel, copy = compiler.compile(EXAMPLE), Copy((128, 64))
    for seed in range(100):
        monkeypatch.setenv("PTO_SIM_SEED", str(seed))
        x, y, _ = copy.arguments(seed)
        kernel(x, y)
        check(copy, x, y)


def test_the_example_is_one_chunk() -> None:
    details = [d.detail for d in compiler.explain(EXAMPLE)]
    assert details == ["", "1 chunk of 16384 bytes", ""]
