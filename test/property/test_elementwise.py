"""Reference = simulator, bit for bit, for every elementwise op of the table and every element type.

Each op and type meets one combination of shape, valid region, form and target, chosen so that all
occur. `PTO_TEST_MATRIX=full` runs all combinations.
"""

import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import kernels
from pto import context
from pto.ops import TABLE, Elementwise
from pto.ops.listing import rows
from tile_programs import SHAPES, Case

TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")
IS_FULL = os.environ.get("PTO_TEST_MATRIX") == "full"

TYPES = {row.name: row.types for row in rows(context.create())}
ENTRIES = [
    # What fills its pads is seen by test_memory.py.
    entry
    for entry in TABLE.values()
    if isinstance(entry, Elementwise) and not entry.fills
]


def all_modes(entry: Elementwise) -> list[dict[str, str]]:
    """Every choice of the attributes."""
    choices: list[dict[str, str]] = [{}]
    for name, values in entry.attributes.items():
        choices = [{**choice, name: word} for choice in choices for word in values.words]
    return choices


def tells_region(entry: Elementwise) -> bool:
    """Whether the operands say how large the result is."""
    return bool({"tile", "transposed"} & set(entry.operands)) or {"row", "column"} <= set(
        entry.operands
    )


def combinations(entry: Elementwise, dtype: str, to: str) -> Iterator[tuple[Case, str]]:
    """All that one op is tested with on one type, giving another."""
    for shape, valid in SHAPES.values():
        for modes in all_modes(entry):
            for is_dynamic in (False, True):
                for are_buffers, is_in_place in ((False, False), (True, False), (True, True)):
                    if is_in_place and (to != dtype or entry.result not in entry.operands):
                        continue
                    if is_dynamic and not are_buffers and not tells_region(entry):
                        continue
                    case = Case(
                        entry, dtype, shape, valid, is_dynamic, are_buffers, is_in_place, modes
                    )
                    if to != dtype:
                        case = replace(case, to=to)
                    for target in TARGETS:
                        yield case, target
                        if entry.is_either_order:
                            yield replace(case, is_swapped=True), target


def matrix() -> Iterator[tuple[Case, str]]:
    """What is run."""
    number = 0
    for entry in ENTRIES:
        pairs = [
            (dtype, to)
            for dtype in TYPES[entry.name]
            for to in entry.result_types(dtype)
            if to in TYPES[entry.name]
        ]
        for dtype, to in pairs:
            cases = list(combinations(entry, dtype, to))
            if IS_FULL:
                yield from cases
                continue
            # A step that shares no factor with the number of cases meets them all in turn.
            number += 37
            yield cases[number % len(cases)]


@pytest.mark.parametrize(("case", "target"), list(matrix()), ids=str)
def test_reference_and_simulator_agree(case: Case, target: str) -> None:
    expected, found = case.expected(), case.simulated(target)
    is_right = (
        kernels.ulps(expected, found) <= case.entry.ulp
        if case.entry.ulp
        else kernels.same_bits(expected, found)
    )
    assert is_right, f"{case.program()}\non {target}: reference {expected}\nsimulator {found}"


@pytest.mark.skipif(IS_FULL, reason="the whole matrix is run")
def test_the_sample_meets_every_shape_form_and_target() -> None:
    found = list(matrix())
    assert {case.shape for case, _ in found} == {shape for shape, _ in SHAPES.values()}
    assert {target for _, target in found} == set(TARGETS)
    forms = {(case.is_dynamic, case.are_buffers, case.is_in_place) for case, _ in found}
    assert len(forms) == 6


@pytest.mark.parametrize("dtype", ["i8", "i32", "ui16"])
@pytest.mark.parametrize("op", ["pto.tdiv", "pto.trem"])
def test_an_integer_division_by_zero_stops_the_kernel(op: str, dtype: str) -> None:
    from pto.errors import DeviceAssertion

    entry = TABLE[op]
    assert isinstance(entry, Elementwise)

    class WithZero(Case):
        def inputs(self) -> list[np.ndarray | np.generic]:
            dividend, divisor = super().inputs()
            assert isinstance(divisor, np.ndarray)
            divisor[3, 2] = 0
            return [dividend, divisor]

    case = WithZero(entry, dtype)
    with pytest.raises(DeviceAssertion, match=f"'{op}' op divides by zero"):
        case.expected()
    with pytest.raises(DeviceAssertion, match=f"'{op}' op divides by zero"):
        case.simulated("sm_90a")
