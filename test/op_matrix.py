"""The matrix of tile ops: what the simulator and the GPU are asked to agree with the reference on.

Made from the op table: each op and element type, with every choice of its attributes, of what is
padded and of the order of tile and scalar, on tiles and valid regions of several sizes, which are
known at compile time or only at run time, with all pairs of special values. A kernel (`Launch`) has
one case of each size.

Which of values, buffers and a result in place of a source, on which target, is drawn for each
choice, the same in every run; `Extent.FULL` is the product of all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import cycle, product
from typing import Any

import numpy as np

from pto import compiler, context
from pto.dtypes import DTYPES
from pto.ops import TABLE, Elementwise, Reduction, TileOp, arithmetic, transcendental
from pto.ops.listing import rows
from pto.runtime import Kernel
from tile_programs import Case, kernel, operands, result

TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")
SHAPES = {
    # tile, valid region
    "whole": ((16, 32), (16, 32)),
    "narrow columns": ((16, 32), (13, 21)),
    "odd": ((7, 5), (7, 5)),
    "one element": ((1, 1), (1, 1)),
    "more than a CTA": ((12, 160), (12, 157)),
}
FORMS = {
    # are_buffers, is_in_place
    "values": (False, False),
    "buffers": (True, False),
    "in place": (True, True),
}

TYPES = {row.name: row.types for row in rows(context.create())}
PAIRS = [(entry, dtype) for entry in TABLE.values() for dtype in TYPES[entry.name]]
"""Every op with every element type that it takes."""


class Extent(Enum):
    """How much of the matrix is run for one op and type."""

    SAMPLE = "sample"
    """One kernel."""
    EACH = "each"
    """A kernel per choice, each in one form and for one target."""
    FULL = "full"
    """All forms and targets."""


@dataclass(frozen=True)
class Launch:
    """A kernel of several cases and the arrays for it."""

    cases: tuple[Case, ...]
    target: str

    def text(self) -> str:
        return kernel(self.cases)

    def arguments(self) -> list[list[Any]]:
        """Those of each case; the last of them is the result."""
        return [[*case.inputs(), case.output()] for case in self.cases]

    def expected(self) -> list[np.ndarray]:
        """The result of each case by the reference."""
        given = self.arguments()
        flat = [value for values in given for value in values]
        compiler.reference(self.text(), kernel=None, arguments=flat, grid=1)
        return [values[-1] for values in given]

    def compiled(self) -> Kernel:
        return compiler.compile(self.text(), target=self.target)

    def found(
        self,
        compiled: Kernel,
        to_device: Callable[[np.ndarray], Any] = np.copy,
        to_host: Callable[[Any, np.dtype], np.ndarray] = lambda array, _: array,
    ) -> list[np.ndarray]:
        """The result of each case by the kernel, on the simulator or where `to_device` takes it."""
        given = self.arguments()
        there = [[to_device(v) if np.ndim(v) else v for v in values] for values in given]
        compiled(*(value for values in there for value in values))
        return [to_host(b[-1], a[-1].dtype) for a, b in zip(given, there, strict=True)]

    @property
    def is_exact(self) -> bool:
        """Whether every result has the bits of the reference."""
        return not any(case.ulp for case in self.cases)

    def differences(
        self, expected: Sequence[np.ndarray], found: Sequence[np.ndarray], *, are_bits: bool = False
    ) -> list[str]:
        """What is further from `expected` than the op table states, or than a bit."""
        compared = zip(self.cases, expected, found, strict=True)
        each = [case.difference(a, b, 0 if are_bits else case.ulp) for case, a, b in compared]
        return [f"{text}on {self.target}" for text in each if text]


def launches(
    entry: TileOp, dtype: str, extent: Extent, targets: Sequence[str] = TARGETS
) -> list[Launch]:
    """What one op and type are tested with."""
    found = [list(_variants(entry, dtype, choice, targets)) for choice in _choices(entry, dtype)]
    if extent is Extent.FULL:
        return [launch for variants in found for launch in variants]
    draw = random.Random(f"{entry.name} {dtype}")
    chosen = [draw.choice(variants) for variants in found]
    return chosen if extent is Extent.EACH else [draw.choice(chosen)]


def _choices(entry: TileOp, dtype: str) -> Iterator[dict[str, Any]]:
    """Attributes, orders and pads, with a valid region known when compiling or not. The types that
    the result may have take turns; `test/property/test_conversion.py` has each with each mode."""
    results = (dtype,)
    if isinstance(entry, Elementwise):
        results = [name for name in entry.result_types(dtype) if name in TYPES[entry.name]]
    attributes = entry.attributes if isinstance(entry, Elementwise) else {}
    words = product(*(choice.words for choice in attributes.values()))
    modes = [dict(zip(attributes, values, strict=True)) for values in words]
    orders = (False, True) if isinstance(entry, Elementwise) and entry.is_either_order else (False,)
    pads = (1, 2, 3) if isinstance(entry, Elementwise) and entry.fills else (0,)
    choices = product(modes, orders, pads, (False, True))
    for (mode, is_swapped, pad, is_dynamic), to in zip(choices, cycle(results), strict=False):
        yield {
            "modes": mode,
            "is_swapped": is_swapped,
            "pad": pad,
            "is_dynamic": is_dynamic,
            "to": to,
        }


def _variants(
    entry: TileOp, dtype: str, choice: dict[str, Any], targets: Sequence[str]
) -> Iterator[Launch]:
    """Every form on every target."""
    for are_buffers, is_in_place in FORMS.values():
        is_other = bool(choice["pad"]) or choice["to"] != dtype
        if is_in_place and (is_other or not _has_in_place(entry)):
            continue
        if choice["is_dynamic"] and not are_buffers and not (choice["pad"] or _tells_region(entry)):
            continue
        case = Case(entry, dtype, are_buffers=are_buffers, is_in_place=is_in_place, **choice)
        cases = tuple(replace(case, shape=s, valid=v) for s, v in SHAPES.values())
        yield from (Launch(cases, target) for target in targets)


def _has_in_place(entry: TileOp) -> bool:
    return isinstance(entry, Elementwise | Reduction) and result(entry) in operands(entry)


def _tells_region(entry: TileOp) -> bool:
    """Whether the operands say how large the result is."""
    kinds = set(operands(entry))
    return bool({"tile", "transposed"} & kinds) or {"row", "column"} <= kinds


# The stated errors --------------------------------------------------------------------------------

_SPREAD = (32, 256)
APPROXIMATED = [*transcendental.OPS, arithmetic.TDIV]
"""What `fastmath<afn>` changes; their other forms are the same functions."""


@dataclass(frozen=True)
class Spread(Case):
    """Numbers of every exponent and both signs, and some near 1, where logarithms vanish."""

    shape: tuple[int, int] = _SPREAD
    valid: tuple[int, int] = _SPREAD

    def inputs(self) -> list[np.ndarray | np.generic]:
        return [self._spread(seed) for seed, _ in enumerate(self.operands)]

    def _spread(self, seed: int) -> np.ndarray:
        draw = np.random.default_rng(seed)
        kind = DTYPES[self.dtype]
        bits = draw.integers(0, 1 << 8 * kind.itemsize, _SPREAD, dtype=f"u{kind.itemsize}")
        near_one = (1 + draw.normal(0, 0.1, _SPREAD)).astype(kind)
        moderate = draw.uniform(-100, 100, _SPREAD).astype(kind)
        return np.choose(draw.integers(0, 3, _SPREAD), [bits.view(kind), near_one, moderate])


def approximation_error(case: Spread, expected: np.ndarray, found: np.ndarray) -> float:
    """The largest error under `fastmath<afn>`, as the op table states it for f32: relative, of a
    logarithm near 1 absolute, of a quotient where the divisor is not extreme."""
    exact, near = expected.astype(float), found.astype(float)
    is_stated = (np.abs(exact) > 1e-37) & np.isfinite(exact)
    function = case.entry.function if isinstance(case.entry, Elementwise) else ""
    if function == "div":
        divisor = np.abs(case.inputs()[1].astype(float))
        is_stated &= (divisor >= 2.0**-126) & (divisor <= 2.0**126)
    exact, near = exact[is_stated], near[is_stated]
    scale = np.maximum(np.abs(exact), 1.0 if function == "log" else 0.0)
    return float((np.abs(near - exact) / scale).max())
