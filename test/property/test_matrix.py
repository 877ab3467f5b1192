"""Reference = simulator for every op of the table and every element type: bit for bit, or within
the error that the table states.

Each op and type is run on all sizes of tiles and valid regions, in one of the choices of
`op_matrix`, so that all of them occur. `PTO_TEST_MATRIX=each` runs every choice in one form and for
one target, `PTO_TEST_MATRIX=full` all of them.
"""

import os

import pytest

from op_matrix import FORMS, PAIRS, TARGETS, Extent, Launch, launches
from pto.ops import TileOp

EXTENT = Extent(os.environ.get("PTO_TEST_MATRIX", "sample"))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("entry", "dtype"), PAIRS, ids=[f"{entry.name}-{dtype}" for entry, dtype in PAIRS]
)
def test_reference_and_simulator_agree(entry: TileOp, dtype: str, record_matrix) -> None:
    wrong: list[str] = []
    found = launches(entry, dtype, EXTENT)
    for launch in found:
        wrong += launch.differences(launch.expected(), launch.found(launch.compiled()))
    cases = sum(len(launch.cases) for launch in found)
    record_matrix("simulator", entry.name, dtype, cases, len(wrong))
    assert not wrong, "\n\n".join(wrong)


def seen(found: list[Launch]) -> set[tuple[object, ...]]:
    """Combinations that must all occur somewhere; `test_conversion.py` has those of `pto.tcvt`."""
    cases = [(launch.cases[0], launch.target) for launch in found]
    return (
        {("form", case.are_buffers, case.is_in_place, case.is_dynamic) for case, _ in cases}
        | {("target", target, case.is_dynamic) for case, target in cases}
        | {("order", case.is_swapped) for case, _ in cases}
        | {("pad", case.pad) for case, _ in cases}
        | {("modes", *case.modes.values()) for case, _ in cases if not case.converts}
    )


@pytest.mark.parametrize("extent", [Extent.SAMPLE, Extent.EACH])
def test_less_than_all_meets_every_choice_form_and_target(extent: Extent) -> None:
    full, some = (
        seen([launch for pair in PAIRS for launch in launches(*pair, extent)])
        for extent in (Extent.FULL, extent)
    )
    assert some == full
    assert len(full) >= 2 * len(FORMS) + 2 * len(TARGETS)
