"""Numbers to convert, and a kernel that converts them into every type in every way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf

import ml_dtypes
import numpy as np

import kernels
from pto.dtypes import DTYPES
from pto.ops.conversion import TCVT
from tile_programs import special

MODES = ("RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD")
INTEGERS = [name for name in DTYPES if "i" in name]
FLOATS = [name for name in DTYPES if "i" not in name]


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


def converted(values: np.ndarray, dtype: str, mode: str, sat: str) -> np.ndarray:
    return TCVT.compute(values, to=DTYPES[dtype], rmode=mode, sat=sat)


WAYS = [(to, mode, sat) for to in DTYPES for mode in MODES for sat in ("OFF", "ON")]


@dataclass(frozen=True)
class Sweep:
    """One row of numbers of a type, converted into every type in every way: a row each."""

    dtype: str

    @property
    def values(self) -> np.ndarray:
        return np.concatenate([edges(self.dtype), random(self.dtype, 20)])[None]

    @property
    def text(self) -> str:
        return _program(self.dtype, self.values.size)

    def results(self) -> list[np.ndarray]:
        """What the rows are written into, one array per type."""
        shape = 2 * len(MODES), self.values.size
        return [np.zeros(shape, DTYPES[to]) for to in DTYPES]

    def differences(self, results: list[np.ndarray]) -> list[str]:
        """Where results depart from the reference."""
        values, rows = self.values[0], (row for result in results for row in result)
        texts: list[str] = []
        for (to, mode, sat), found in zip(WAYS, rows, strict=True):
            wanted = converted(values, to, mode, sat)
            if not kernels.same_bits(found, wanted):
                wrong = [a[found != wanted] for a in (values, wanted, found)]
                texts.append(f"{self.dtype} to {to}, {mode}, {sat}: {wrong}")
        return texts


def _program(dtype: str, count: int) -> str:
    lines: list[str] = []
    window = f"!pto.partition_tensor_view<1x{count}x{{}}>"
    for to in DTYPES:
        lines.append(f"  %t_{to} = alloc_tile : !pto.tile_buf<vec, 1x{count}x{to}>")
    for number, (to, mode, sat) in enumerate(WAYS):
        view, tile = f"!pto.tensor_view<?x?x{to}>", f"!pto.tile_buf<vec, 1x{count}x{to}>"
        row = number % (2 * len(MODES))
        lines += [
            f"  tcvt ins(%s : !pto.tile_buf<vec, 1x{count}x{dtype}>) outs(%t_{to} : {tile})"
            f" {{rmode = #pto<round_mode {mode}>, sat = #pto<sat {sat}>}}",
            f"  %w{number} = partition_view %{to}, offsets = [%c{row}, %c0], sizes = [%c1, %n]"
            f" : {view} -> {window.format(to)}",
            f"  tstore ins(%t_{to} : {tile}) outs(%w{number} : {window.format(to)})",
        ]
    views = [("x", dtype), *((to, to) for to in DTYPES)]
    arguments = ", ".join(f"%{name}: !pto.tensor_view<?x?x{kind}>" for name, kind in views)
    constants = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(2 * len(MODES)))
    body = "\n".join(lines)
    return f"""
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
