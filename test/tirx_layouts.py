"""Random layouts of shared memory, as text for the compiler and as offsets for an oracle.

The oracle knows a layout as factors of each dimension, a start and a swizzle. It writes them as a
`tirx.copy_async` for the compiler, and for itself as one offset per element.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from mlir import ir

from pto import context, passes

CONTEXT = context.create()
BYTES = {"ui8": 1, "f16": 2, "f32": 4, "f64": 8}

Factors = tuple[tuple[int, int], ...]
"""Extents and strides in elements, from the outermost in."""

Swizzle = tuple[int, int, int] | None
"""B, M and S."""


@dataclass(frozen=True)
class Side:
    """A region of an allocation with strides or `is_sharded`: `shape` elements from `start` on."""

    is_sharded: bool
    factors: tuple[Factors, ...]
    shape: tuple[int, ...]
    start: tuple[int, ...]
    swizzle: Swizzle = None

    def whole(self, dtype: str) -> str:
        """The type of the allocation."""
        shape = [int(np.prod([extent for extent, _ in parts])) for parts in self.factors]
        return self._type(shape, self.factors, dtype)

    def part(self, dtype: str) -> str:
        """The type of the region."""
        return self._type(self.shape, self.kept() if self.is_sharded else self.factors, dtype)

    def kept(self) -> list[Factors]:
        """The factors of the region: it takes a dimension of shards whole, or one element of it."""
        return [
            () if size == 1 else parts if self.is_sharded else ((size, parts[0][1]),)
            for size, parts in zip(self.shape, self.factors, strict=True)
        ]

    def _type(self, shape: Sequence[int], factors: Sequence[Factors], dtype: str) -> str:
        parts = [part for dimension in factors for part in dimension]
        layout = ""
        if not self.is_sharded:
            layout = f", strides = [{', '.join(str(stride) for _, stride in parts)}]"
        elif parts:
            layout = f", shards = [{', '.join(f'{n} : {stride}' for n, stride in parts)}]"
        if self.swizzle is not None:
            layout += f", swizzle = {list(self.swizzle)}"
        return f"!tirx.buffer<{'x'.join(map(str, shape))}x{dtype}, shared{layout}>"

    def offsets(self, start: Sequence[int] | None = None) -> np.ndarray:
        """Where every element lies in the allocation before the swizzle, in row-major order."""
        total = np.zeros(1, np.int64)
        begin = self.start if start is None else start
        for first, size, parts in zip(begin, self.shape, self.factors, strict=True):
            index = first + np.arange(size)
            along = np.zeros(size, np.int64)
            for extent, stride in reversed(parts):
                along += index % extent * stride
                index //= extent
            total = (total[:, None] + along).ravel()
        return total

    def places(self) -> np.ndarray:
        """Where every element lies, after the swizzle."""
        return swizzled(self.offsets(), self.swizzle)


def swizzled(offsets: np.ndarray, swizzle: Swizzle) -> np.ndarray:
    if swizzle is None:
        return offsets
    bits, base, shift = swizzle
    return offsets ^ ((offsets >> shift) & ((1 << bits) - 1) << base)


# Programs -----------------------------------------------------------------------------------------


@contextmanager
def copy(src: Side, dst: Side, dtype: str) -> Generator[Any]:
    """A copy between the two regions, which begin at constants."""
    lines: list[str] = []
    for name, side in (("s", src), ("d", dst)):
        for dim, first in enumerate(side.start):
            lines.append(f"%{name}{dim} = arith.constant {first} : index")
        at = ", ".join(f"%{name}{dim}" for dim in range(len(side.start)))
        whole, part = side.whole(dtype), side.part(dtype)
        lines.append(f"%{name} = tirx.alloc : {whole}")
        lines.append(f"%{name}_part = tirx.subview %{name}[{at}] : {whole} -> {part}")
    types = f"{src.part(dtype)} -> {dst.part(dtype)}"
    lines.append(f"tirx.copy_async thread %s_part -> %d_part mbar(%m) remote_cta(%r) : {types}")
    with only("tirx.copy_async", "%m: !tirx.mbarrier, %r: index", lines) as op:
        yield op


@contextmanager
def only(name: str, arguments: str, lines: Sequence[str]) -> Generator[Any]:
    """The only operation of that name in a function of those lines, as long as its module lives."""
    with CONTEXT:
        module = ir.Module.parse("\n".join([f"func.func @f({arguments}) {{", *lines, "return }"]))
        (op,) = passes.find(module, lambda found: found == name)
        yield op


# Layouts ------------------------------------------------------------------------------------------


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, ...]:
    sizes: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        room = 2048 // int(np.prod(sizes, initial=1))
        sizes.append(draw(st.sampled_from([n for n in (1, 2, 3, 4, 6, 8, 16, 32) if n <= room])))
    return tuple(sizes)


@st.composite
def splits(draw: st.DrawFn, size: int) -> list[int]:
    """Factors of a size, none of them 1."""
    found: list[int] = []
    while size > 1:
        found.append(draw(st.sampled_from([n for n in range(2, size + 1) if size % n == 0])))
        size //= found[-1]
    return found


@st.composite
def sides(draw: st.DrawFn, shape: tuple[int, ...], order: str, swizzle: Swizzle) -> Side:
    """A layout of a shape: dimensions split or not, with gaps or not, of which the region is a
    slice or all. `order` says which factors vary fastest."""
    is_sharded = draw(st.booleans())
    extents: list[list[int]] = []
    start: list[int] = []
    for size in shape:
        if is_sharded:
            length = size if size > 1 else draw(st.sampled_from([1, 4, 6]))
            extents.append(draw(splits(length)))
        else:
            length = size + draw(st.sampled_from([0, 0, 0, 1, 8]))
            extents.append([length])
        start.append(draw(st.integers(0, length - size)))
    factors = [(dim, i) for dim, parts in enumerate(extents) for i in range(len(parts))]
    match order:
        case "rows":
            factors.reverse()
        case "columns":
            factors.sort(key=lambda factor: (factor[0], -factor[1]))
        case _:
            factors = draw(st.permutations(factors))
    strides: dict[tuple[int, int], int] = {}
    span = 1
    for dim, i in factors:
        gap = draw(st.sampled_from([0, 0, 0, 0, 8, 1]))
        unit = draw(st.sampled_from([1, 1, 8, 64])) if gap else 1
        strides[dim, i] = -(-(span + gap) // unit) * unit if strides else 1 + draw(rare)
        span += (extents[dim][i] - 1) * strides[dim, i]
    layout = tuple(
        tuple((extent, strides[dim, i]) for i, extent in enumerate(parts))
        for dim, parts in enumerate(extents)
    )
    return Side(is_sharded, layout, shape, tuple(start), swizzle)


@st.composite
def pairs(draw: st.DrawFn, swizzles: st.SearchStrategy[Swizzle]) -> tuple[Side, Side]:
    """Source and destination: of layouts of their own, or of the same one."""
    shape, swizzle = draw(shapes()), draw(swizzles)
    order = draw(orders)
    src = draw(sides(shape, order, swizzle))
    if draw(st.booleans()):
        return src, src
    return src, draw(sides(shape, draw(st.sampled_from([order, order, "any"])), swizzle))


dtypes = st.sampled_from(list(BYTES))
orders = st.sampled_from(["rows", "rows", "columns", "any"])
swizzles = st.tuples(st.integers(1, 3), st.integers(0, 5), st.integers(3, 4))
rare = st.sampled_from([0] * 9 + [1])
