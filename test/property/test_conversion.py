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
from pto import compiler
from pto.dtypes import DTYPES
from pto.ops.conversion import TCVT
from tile_programs import special

MODES = ("RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD")
INTEGERS = [name for name in DTYPES if "i" in name]
FLOATS = [name for name in DTYPES if "i" not in name]

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


def converted(values: np.ndarray, dtype: str, mode: str, sat: str) -> np.ndarray:
    return TCVT.compute(values, to=DTYPES[dtype], rmode=mode, sat=sat)


# Inputs -------------------------------------------------------------------------------------------


def edges(dtype: str) -> np.ndarray:
    """Special values; the bounds of integers and of floats, halves and powers of two, and what is
    next to them."""
    kind = DTYPES[dtype]
    centres: list[Fraction] = [Fraction(n, 2) for n in range(-9, 10)]
    for name in INTEGERS:
        info = np.iinfo(DTYPES[name])
        centres += [Fraction(int(n)) + Fraction(k, 2) for n in (info.min, info.max) for k in (0, 1)]
    for name in FLOATS:
        limits = ml_dtypes.finfo(DTYPES[name])
        largest, bits = Fraction(float(limits.max)), int(limits.nmant)
        centres += [Fraction(2) ** bits * k + j for k in (1, 2, 3, 4) for j in (1, 2, 3)]
        smallest = Fraction(float(limits.smallest_subnormal))
        # Half a unit beyond the largest number is where infinity begins.
        step = Fraction(2) ** (int(limits.maxexp) - bits - 2)
        centres += [largest, largest + step, smallest, smallest / 2, 3 * smallest / 2]
        centres += [Fraction(float(limits.tiny)), -largest - step, -smallest / 2]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        near = {floor(centre) + k for centre in centres for k in (-1, 0, 1)}
        numbers = [n for n in near if info.min <= n <= info.max]
        return np.unique(np.concatenate([special(dtype), np.array(sorted(numbers), kind)]))
    most = Fraction(float(ml_dtypes.finfo(kind).max))
    near = np.array([float(c) for c in centres if abs(c) <= most]).astype(kind)
    with np.errstate(all="ignore"):
        sides = [np.nextafter(near, kind.type(side * inf)) for side in (1, -1)]
    bits = np.concatenate([special(dtype), near, *sides, -near]).view(f"u{kind.itemsize}")
    return np.unique(bits).view(kind)


def random(dtype: str, count: int) -> np.ndarray:
    """Random bits: floats of all sizes. Of integers, also small ones."""
    kind, generator = DTYPES[dtype], np.random.default_rng(count)
    bits = generator.integers(0, 256, count * kind.itemsize, dtype=np.uint8).view(kind)
    if kind.kind in "iu":
        return bits >> generator.integers(0, 8 * kind.itemsize, count).astype(kind)
    return bits


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


def program(dtype: str, count: int) -> tuple[str, list[tuple[str, str, str]]]:
    """A kernel that converts one row of numbers into every type in every way, one row each, and
    what the rows of each result are."""
    ways = [(to, mode, sat) for to in DTYPES for mode in MODES for sat in ("OFF", "ON")]
    lines: list[str] = []
    window = f"!pto.partition_tensor_view<1x{count}x{{}}>"
    for to in DTYPES:
        lines.append(f"  %t_{to} = alloc_tile : !pto.tile_buf<vec, 1x{count}x{to}>")
    for number, (to, mode, sat) in enumerate(ways):
        view, tile = f"!pto.tensor_view<?x?x{to}>", f"!pto.tile_buf<vec, 1x{count}x{to}>"
        row = number % (2 * len(MODES))
        lines += [
            f"  tcvt ins(%s : !pto.tile_buf<vec, 1x{count}x{dtype}>) outs(%t_{to} : {tile})"
            f" {{rmode = #pto<round_mode {mode}>, sat = #pto<sat {sat}>}}",
            f"  %w{number} = partition_view %{to}, offsets = [%c{row}, %c0], sizes = [%c1, %n]"
            f" : {view} -> {window.format(to)}",
            f"  tstore ins(%t_{to} : {tile}) outs(%w{number} : {window.format(to)})",
        ]
    arguments = ", ".join(f"%{name}: !pto.tensor_view<?x?x{name}>" for name in ("x", *DTYPES))
    arguments = arguments.replace(
        "%x: !pto.tensor_view<?x?xx>", f"%x: !pto.tensor_view<?x?x{dtype}>"
    )
    constants = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(2 * len(MODES)))
    body = "\n".join(lines)
    text = f"""
pto.kernel @k({arguments}) attributes {{pto.grid = 1, pto.block = 64}} {{
{constants}
  %n = arith.constant {count} : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c1, %n]
      : !pto.tensor_view<?x?x{dtype}> -> {window.format(dtype)}
  %s = alloc_tile : !pto.tile_buf<vec, 1x{count}x{dtype}>
  tload ins(%xw : {window.format(dtype)}) outs(%s : !pto.tile_buf<vec, 1x{count}x{dtype}>)
{body}
}}
"""
    return text, ways


@pytest.mark.parametrize(
    ("dtype", "target"),
    # sm_80 has the fewest instructions.
    [(dtype, "sm_80") for dtype in DTYPES]
    + [("f32", "sm_90a"), ("i32", "sm_90a"), ("ui64", "sm_100a"), ("f64", "sm_120a")],
)
def test_reference_and_simulator_agree_in_every_mode(dtype: str, target: str) -> None:
    values = np.concatenate([edges(dtype), random(dtype, 20)])[None]
    text, ways = program(dtype, values.size)
    results = [np.zeros((2 * len(MODES), values.size), DTYPES[to]) for to in DTYPES]
    compiler.compile(text, target=target)(values, *results)
    rows = (row for result in results for row in result)
    for (to, mode, sat), found in zip(ways, rows, strict=True):
        wanted = converted(values[0], to, mode, sat)
        wrong = values[0][found != wanted]
        assert kernels.same_bits(found, wanted), (to, mode, sat, wrong, wanted[found != wanted])
