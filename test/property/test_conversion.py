"""`pto.tcvt`: the reference against exact fractions, and the simulator against the reference.

The oracle knows formats only by their precision and range: it scales a number so that the target's
numbers are the whole ones, and takes the floor.
"""

from fractions import Fraction
from math import floor, inf, isinf, isnan

import ml_dtypes
import numpy as np
import pytest

import kernels
from conversion_programs import FLOATS, INTEGERS, MODES, Sweep, converted, edges, random
from pto import compiler
from pto.dtypes import DTYPES

# The oracle ---------------------------------------------------------------------------------------


def whole(number: Fraction, mode: str) -> int:
    """A number rounded to a whole one."""
    below = floor(number)
    rest = number - below
    if rest == 0:
        return below
    is_odd = below % 2 == 1
    goes_up = {
        "RINT": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and is_odd),
        "ROUND": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below >= 0),
        "FLOOR": False,
        "CEIL": True,
        "TRUNC": below < 0,
        "ODD": not is_odd,
    }[mode]
    return below + goes_up


def as_integer(number: float | int, dtype: str, mode: str, sat: str) -> int:
    limits = np.iinfo(DTYPES[dtype])
    if isnan(number):
        return 0
    if isinf(number):
        return 0 if sat == "OFF" else int(limits.max if number > 0 else limits.min)
    value = whole(Fraction(number), mode)
    if sat == "ON":
        return min(max(value, int(limits.min)), int(limits.max))
    return (value - int(limits.min)) % (1 << limits.bits) + int(limits.min)


def as_float(number: float | int, dtype: str, mode: str, sat: str) -> float:
    """As a float64, which has every number of the narrower types."""
    info = ml_dtypes.finfo(DTYPES[dtype])
    largest = float(info.max)
    if isnan(number):
        return number
    if isinf(number):
        return number if sat == "OFF" else np.copysign(largest, number)
    exact = Fraction(number)
    if exact == 0:
        return number * 1.0
    exponent = len(bin(floor(abs(exact)))) - 3
    if exponent < 0 or abs(exact) < 1:
        inverse = 1 / abs(exact)
        exponent = -len(bin(-floor(-inverse) - 1)[2:])
    unit = Fraction(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
    found = whole(exact / unit, mode) * unit
    if abs(found) > Fraction(largest):
        # What a format without a largest number would give tells on which side it lies.
        goes_out = {
            "FLOOR": found < 0,
            "CEIL": found > 0,
            "TRUNC": False,
            "ODD": False,
        }.get(mode, True)
        size = inf if goes_out and sat == "OFF" else largest
        return np.copysign(size, float(exact > 0) - 0.5)
    return np.copysign(float(found), float(exact > 0) - 0.5)


def expected(values: np.ndarray, dtype: str, mode: str, sat: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        numbers = (values if values.dtype.kind in "iu" else values.astype(float)).tolist()
    one = as_integer if dtype in INTEGERS else as_float
    found = [one(number, dtype, mode, sat) for number in numbers]
    if dtype in INTEGERS:
        return np.array(found, DTYPES[dtype])
    with np.errstate(all="ignore"):
        return np.array(found, np.float64).astype(DTYPES[dtype])


# Tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_reference_is_exact(dtype: str, mode: str) -> None:
    values = np.concatenate([edges(dtype), random(dtype, 50)])
    for to in DTYPES:
        for sat in ("OFF", "ON"):
            found, wanted = converted(values, to, mode, sat), expected(values, to, mode, sat)
            assert kernels.same_bits(found, wanted), (to, sat, values[found != wanted])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_the_reference_is_exact_for_every_number(dtype: str, mode: str) -> None:
    values = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[dtype])
    for to, sat in (("bf16" if dtype == "f16" else "f16", "OFF"), ("i8", "ON"), ("ui32", "OFF")):
        found, wanted = converted(values, to, mode, sat), expected(values, to, mode, sat)
        assert kernels.same_bits(found, wanted), (to, sat, values[found != wanted])


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_mode_cuts_floats_to_integers_and_rounds_else(dtype: str) -> None:
    values = edges(dtype)
    for to in DTYPES:
        mode = "TRUNC" if dtype in FLOATS and to in INTEGERS else "RINT"
        found = converted(values, to, "NONE", "OFF")
        assert kernels.same_bits(found, converted(values, to, mode, "OFF"))


@pytest.mark.parametrize(
    ("dtype", "target"),
    # sm_80 has the fewest instructions.
    [(dtype, "sm_80") for dtype in DTYPES]
    + [("f32", "sm_90a"), ("i32", "sm_90a"), ("ui64", "sm_100a"), ("f64", "sm_120a")],
)
def test_reference_and_simulator_agree_in_every_mode(dtype: str, target: str) -> None:
    sweep = Sweep(dtype)
    results = sweep.results()
    compiler.compile(sweep.text, target=target)(sweep.values, *results)
    wrong = sweep.differences(results)
    assert not wrong, "\n".join(wrong)
