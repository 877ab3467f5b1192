"""What is measured: the sums, products and matrices of the table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SHAPES = (
    (16, 16),
    (128, 1024),
    (4096, 4096),
    (65536, 1024),
    (1024, 65536),
    (16384, 16384),
)
SIZES = (1 << 20, 1 << 24, 1 << 28)


@dataclass(frozen=True)
class Case:
    """One reduction of a contiguous array."""

    operation: str
    shape: tuple[int, ...]
    axis: int | None
    dtype: str
    """As in the IR: f32, f16, bf16."""
    deterministic: bool = False

    @property
    def group(self) -> str:
        """The table that the case is a row of."""
        if self.axis is None:
            return f"{self.operation}, deterministic" if self.deterministic else self.operation
        return f"{self.operation} over {'rows' if self.axis == 0 else 'columns'}, {self.dtype}"

    @property
    def name(self) -> str:
        """The row in that table."""
        if self.axis is None:
            return f"2^{self.shape[0].bit_length() - 1} {self.dtype}"
        return " x ".join(map(str, self.shape))

    @property
    def itemsize(self) -> int:
        return 4 if self.dtype == "f32" else 2

    @property
    def bytes(self) -> int:
        """Read and written, each element once."""
        results = 1 if self.axis is None else self.shape[1 - self.axis]
        return (math.prod(self.shape) + results) * self.itemsize

    @property
    def length(self) -> int:
        """Elements that a result combines."""
        return self.shape[0] if self.axis is None else self.shape[self.axis]


def cases(quick: bool) -> Iterator[Case]:
    """All cases in the order of the table; `quick` leaves out the largest and the halves."""
    sizes = SIZES[:2] if quick else SIZES
    for operation, deterministic in (("sum", False), ("prod", False), ("sum", True)):
        for size in sizes:
            yield Case(operation, (size,), None, "f32", deterministic)
    for axis in (0, 1):
        for dtype in ("f32",) if quick else ("f32", "f16", "bf16"):
            for shape in SHAPES[:4] if quick else SHAPES:
                yield Case("prod", shape, axis, dtype)


def values(case: Case, cupy: Any) -> Any:
    """Fresh random elements as a CuPy array; those of bf16 as f32 that bf16 holds.

    Sums get numbers in [0, 1). Products get ones, with so many halves and twos among them that the
    product is a power of two which the type holds: exact in any order, and twice or half of that
    where an element is lost.
    """
    found = cupy.random.random(case.shape, dtype=cupy.float32)
    if case.operation == "prod":
        share = min(1.0, (4 if case.dtype == "f16" else 400) / case.length) / 2
        found = cupy.where(found < share, 0.5, cupy.where(found >= 1 - share, 2, 1))
        found = found.astype(cupy.float32)
    if case.dtype == "f16":
        return found.astype(cupy.float16)
    if case.dtype == "bf16":
        bits = found.view(cupy.uint32)
        bits += 0x7FFF + ((bits >> 16) & 1)  # round to nearest even
        bits &= 0xFFFF0000
    return found
