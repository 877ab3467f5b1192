"""What a tile program under construction does to memory, step by step, in numpy.

The generator of random programs (`random_programs`) runs each op when it adds it: it leaves out
what has no exact result, such as a NaN, of which there are many, or a division by zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pto.ops import Elementwise, Reduction, numeric

Step = Callable[[], None]


class Inexact(Exception):
    """An op on elements for which its result is not exact in every bit."""


@dataclass(eq=False)
class Tile:
    """A handle on a tile; `storage` is a view of the bytes that it shares."""

    name: str
    type: str
    dtype: str
    storage: np.ndarray
    rows: int
    columns: int
    pad: int = 0
    is_value: bool = False
    is_dynamic: bool = False
    """Its valid region is known only at run time."""
    is_read: bool = False

    @property
    def region(self) -> tuple[int, int]:
        return self.rows, self.columns

    @property
    def valid(self) -> np.ndarray:
        return self.storage[: self.rows, : self.columns]

    def write(self, elements: np.ndarray, region: tuple[int, int]) -> None:
        """An empty region writes nothing, not even padding."""
        rows, columns = region
        if not rows or not columns:
            return
        self.storage[:rows, :columns] = elements
        if self.pad:
            value = _pad_value(self.pad, self.storage.dtype)
            self.storage[rows:] = value
            self.storage[:rows, columns:] = value


def _pad_value(pad: int, dtype: np.dtype) -> float | int:
    if pad == 1:
        return 0
    if dtype.kind not in "iu":
        return np.inf if pad == 2 else -np.inf
    limits = np.iinfo(dtype)
    return limits.max if pad == 2 else limits.min


@dataclass
class Memory:
    """What programs change: arrays, and the valid regions of buffers."""

    arrays: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)
    """Each with what it holds at first."""
    buffers: list[Tile] = field(default_factory=list)
    indices: dict[str, int] = field(default_factory=dict)
    """The variables of loops."""

    def add(self, array: np.ndarray) -> None:
        self.arrays.append((array, array.copy()))

    def saved(self) -> Step:
        """A function that brings back the memory as it is now; an array that is new then, as it
        is at first."""
        contents = [array.copy() for array, _ in self.arrays]
        regions = [(tile, tile.storage.copy(), *tile.region) for tile in self.buffers]

        def bring_back() -> None:
            for tile, elements, rows, columns in regions:
                tile.storage[...] = elements
                tile.rows, tile.columns = rows, columns
            for number, (array, initial) in enumerate(self.arrays):
                array[...] = contents[number] if number < len(contents) else initial

        return bring_back


def sizes(kind: str, region: tuple[int, int]) -> tuple[int, int]:
    """The valid region of an operand beside a result of `region`."""
    rows, columns = region
    return {
        "mask": (rows, -(-columns // 8)),
        "row": (1, columns),
        "column": (rows, 1),
        "transposed": (columns, rows),
    }.get(kind, region)


KINDS = ("tile", "scalar", "mask", "row", "column", "transposed")
"""Of operands."""


def run(
    entry: Elementwise | Reduction,
    kinds: Sequence[str],
    sources: Sequence[Tile | np.ndarray],
    target: Tile,
    region: tuple[int, int],
    modes: dict[str, str],
) -> None:
    """One op. `kinds` are what `sources` are, in order; a scalar is an array of rank 0."""
    shapes = [sizes(kind, region) for kind in kinds]
    for kind, source, shape in zip(kinds, sources, shapes, strict=True):
        if isinstance(source, Tile) and not _fits(kind, source.region, shape):
            raise Inexact("a valid region has changed")
    result = "tile" if isinstance(entry, Reduction) else entry.result
    shape = reduced(entry, region) if isinstance(entry, Reduction) else sizes(result, region)
    if target.region != shape:
        raise Inexact("a valid region has changed")
    # A sequence has no sources whose region could be empty.
    counts = isinstance(entry, Elementwise) and entry.counts
    if 0 in (shape if counts else region):
        return
    arrays = [_array(kind, source, region) for kind, source in zip(kinds, sources, strict=True)]
    if counts:
        arrays.append(np.arange(region[1]).astype(target.storage.dtype))
    keywords: dict[str, Any] = dict(modes)
    if isinstance(entry, Elementwise) and entry.results:
        keywords["to"] = target.storage.dtype
    with np.errstate(all="ignore"):
        if isinstance(entry, Reduction):
            found = entry.fold(arrays[0])
        else:
            try:
                found = entry.compute(*arrays, **keywords)
                found = np.broadcast_to(found, shape if result == "row" else region)
            except ArithmeticError as error:
                raise Inexact(str(error)) from None
    if result == "mask":
        found = numeric.mask_of_bits(found).view(target.storage.dtype)
    elif not moves(entry) and not numeric.is_integer(found) and np.isnan(found).any():
        raise Inexact("NaN")
    target.write(found, shape)


def moves(entry: Elementwise | Reduction) -> bool:
    """Whether elements stay as they are, NaN too."""
    return isinstance(entry, Elementwise) and (
        entry.function == "copy" or entry.primitive == "select"
    )


def reduced(entry: Reduction, region: tuple[int, int]) -> tuple[int, int]:
    return (1, region[1]) if entry.axis == 0 else (region[0], 1)


def _fits(kind: str, found: tuple[int, int], wanted: tuple[int, int]) -> bool:
    is_enough = kind == "mask" and found[0] == wanted[0] and found[1] >= wanted[1]
    return found == wanted or is_enough


def _array(kind: str, source: Tile | np.ndarray, region: tuple[int, int]) -> np.ndarray:
    if not isinstance(source, Tile):
        return source
    if kind == "mask":
        return numeric.bits_of_mask(source.valid, region[1])
    return source.valid.T.copy() if kind == "transposed" else source.valid.copy()
