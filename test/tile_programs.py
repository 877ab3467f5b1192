"""Programs of one elementwise tile op, made from its entry in the op table, and inputs for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

import kernels
from pto import compiler
from pto.dtypes import DTYPES
from pto.ops import Elementwise

SHAPES = {
    # tile, valid region
    "whole": ((16, 32), (16, 32)),
    "narrow columns": ((16, 32), (13, 21)),
    "odd": ((7, 5), (7, 5)),
    "one element": ((1, 1), (1, 1)),
    "more than a CTA": ((12, 160), (12, 157)),
}


@dataclass(frozen=True)
class Case:
    """One use of an op."""

    entry: Elementwise
    dtype: str
    shape: tuple[int, int] = (16, 32)
    valid: tuple[int, int] = (16, 32)
    is_dynamic: bool = False
    """The valid region is known only at run time."""
    are_buffers: bool = False
    """Destination-passing form, not values."""
    is_in_place: bool = False
    """The destination is the last tile that the op reads (buffers only)."""
    modes: Mapping[str, str] = field(default_factory=dict)
    is_swapped: bool = False
    """Scalar before tile, for an op that takes them in either order."""
    flags: str = ""
    to: str = ""
    """The element type of the result where it is not that of the tiles."""

    def __str__(self) -> str:
        types = f"{self.dtype} to {self.to}" if self.to else self.dtype
        words = [self.entry.name, types, f"{self.valid} of {self.shape}", *self.modes.values()]
        marks = {
            "dynamic": self.is_dynamic,
            "buffers": self.are_buffers,
            "in place": self.is_in_place,
        }
        return ", ".join([*words, *(word for word, holds in marks.items() if holds)])

    @property
    def operands(self) -> tuple[str, ...]:
        """What it takes, in the order of this use."""
        kinds = self.entry.operands
        return tuple(reversed(kinds)) if self.is_swapped else kinds

    @property
    def result(self) -> str:
        """What it gives: as the table says, or a `converted` tile."""
        return "converted" if self.to else self.entry.result

    def program(self) -> str:
        """A kernel that loads a tile for each operand, computes and stores the result."""
        lines = [
            f"  %c{i} = arith.constant {i} : index"
            for i in sorted({0, 1, *self.valid, *self._bytes()})
        ]
        arguments: list[str] = []
        names: list[str] = []
        types: list[str] = []
        for number, kind in enumerate(self.operands):
            name = f"%a{number}"
            names.append(name)
            if kind == "scalar":
                scalar = self.dtype.removeprefix("u")
                arguments.append(f"{name}: {scalar}")
                types.append(scalar)
                continue
            arguments.append(f"{name}_view: {self._view(kind)}")
            types.append(self._tile(kind))
            lines += self._window(f"{name}_view", f"{name}_window", kind)
            lines += self._load(name, kind)
        result = self.result
        arguments.append(f"%y: {self._view(result)}")
        lines += self._window("%y", "%y_window", result)
        lines += self._compute(names, types, result)
        body = "\n".join(lines)
        return f"pto.kernel @k({', '.join(arguments)}) attributes {{pto.grid = 1}} {{\n{body}\n}}\n"

    def _bytes(self) -> tuple[int, int]:
        return self.valid[0], -(-self.valid[1] // 8)

    def _sizes(self, kind: str) -> tuple[int, int]:
        rows, columns = self.valid
        return {
            "mask": self._bytes(),
            "row": (1, columns),
            "column": (rows, 1),
            "transposed": (columns, rows),
        }.get(kind, self.valid)

    def _element(self, kind: str) -> str:
        return {"mask": "ui8", "converted": self.to}.get(kind, self.dtype)

    def _view(self, kind: str) -> str:
        return f"!pto.tensor_view<?x?x{self._element(kind)}>"

    def _region(self, kind: str) -> str:
        return "?x?" if self.is_dynamic else "x".join(map(str, self._sizes(kind)))

    def _tile(self, kind: str) -> str:
        rows, columns = self.shape
        if kind == "mask":
            columns = -(-columns // 8)
        if kind == "transposed":
            rows, columns = columns, rows
        rows, columns = 1 if kind == "row" else rows, 1 if kind == "column" else columns
        inner = f"{rows}x{columns}x{self._element(kind)}, valid={self._region(kind)}"
        return f"!pto.tile_buf<vec, {inner}>" if self.are_buffers else f"!pto.tile<{inner}>"

    def _window_type(self, kind: str) -> str:
        return f"!pto.partition_tensor_view<{self._region(kind)}x{self._element(kind)}>"

    def _window(self, view: str, window: str, kind: str) -> list[str]:
        lines: list[str] = []
        rows, columns = (f"%c{size}" for size in self._sizes(kind))
        if self.is_dynamic:
            rows, columns = f"{window}_rows", f"{window}_columns"
            lines = [
                f"  {name} = tensor_view_dim {view}, {dim} : {self._view(kind)}"
                for dim, name in enumerate((rows, columns))
            ]
        return [
            *lines,
            f"  {window} = partition_view {view}, offsets = [%c0, %c0], sizes = [{rows}, {columns}]"
            f" : {self._view(kind)} -> {self._window_type(kind)}",
        ]

    def _alloc(self, name: str, window: str, kind: str) -> str:
        given = (
            f"valid_row = {window}_rows valid_col = {window}_columns " if self.is_dynamic else ""
        )
        return f"  {name} = alloc_tile {given}: {self._tile(kind)}"

    def _load(self, name: str, kind: str) -> list[str]:
        window, tile = self._window_type(kind), self._tile(kind)
        if not self.are_buffers:
            return [f"  {name} = tload {name}_window : {window} -> {tile}"]
        return [
            self._alloc(name, f"{name}_window", kind),
            f"  tload ins({name}_window : {window}) outs({name} : {tile})",
        ]

    def _compute(self, names: list[str], types: list[str], result: str) -> list[str]:
        op, tile, window = self.entry.name, self._tile(result), self._window_type(result)
        keywords = f"{self.flags} {self.entry.spelled(self.modes)}"
        ins, kinds = ", ".join(names), ", ".join(types)
        if not self.are_buffers:
            return [
                f"  %d = {op} {ins} {keywords} : {kinds} -> {tile}",
                f"  tstore %d, %y_window : {tile}, {window}",
            ]
        last = (
            max(i for i, kind in enumerate(self.operands) if kind == result)
            if self.is_in_place
            else 0
        )
        target = names[last] if self.is_in_place else "%d"
        alloc = [] if self.is_in_place else [self._alloc("%d", "%y_window", result)]
        return [
            *alloc,
            f"  {op} ins({ins} : {kinds}) outs({target} : {tile}) {keywords}",
            f"  tstore ins({target} : {tile}) outs(%y_window : {window})",
        ]

    # Running --------------------------------------------------------------------------------------

    def inputs(self) -> list[np.ndarray | np.generic]:
        """An array or a scalar per operand: every pair of special values, then random ones."""
        return [self._input(number, kind) for number, kind in enumerate(self.operands)]

    def _input(self, number: int, kind: str) -> np.ndarray | np.generic:
        if kind == "mask":
            return np.random.default_rng(number).integers(0, 256, self._bytes(), dtype=np.uint8)
        found = special(self.dtype)
        if self.entry.function in ("div", "rem") and number == 1 and found.dtype.kind in "iu":
            found = found[found != 0]
        values = kernels.values(self.dtype, self._sizes(kind), seed=number)
        if self.entry.function in ("div", "rem") and values.dtype.kind in "iu":
            values = np.where(values == 0, np.ones_like(values), values)
        if kind == "scalar":
            scalar = found[hash_of(self) % len(found)]
            # A scalar's type has no sign.
            return scalar.view(f"i{scalar.itemsize}") if found.dtype.kind == "u" else scalar
        flat = values.reshape(-1)
        repeats = [found, np.repeat(found, len(special(self.dtype)))][number % 2]
        pairs = np.resize(repeats, len(found) * len(special(self.dtype)))
        flat[: len(pairs)] = pairs[: flat.size]
        return flat.reshape(values.shape)

    def output(self) -> np.ndarray:
        """What the result is written into."""
        return np.full(self._sizes(self.result), 7, DTYPES[self._element(self.result)])

    def expected(self) -> np.ndarray:
        """By the reference."""
        result = self.output()
        compiler.reference(self.program(), kernel=None, arguments=[*self.inputs(), result], grid=1)
        return result

    def simulated(self, target: str) -> np.ndarray:
        """By the compiled kernel, on the simulator."""
        result = self.output()
        kernel = compiler.compile(self.program(), target=target)
        kernel(*(np.copy(value) if np.ndim(value) else value for value in self.inputs()), result)
        return result


def special(dtype: str) -> np.ndarray:
    """Signs, zeros, extremes, denormals, infinities and NaN; of integers what is next to them."""
    kind = DTYPES[dtype]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        numbers = {0, 1, 2, 3, 7, info.max, info.max - 1, info.min, info.min + 1, info.max // 2 + 1}
        return np.array(sorted(numbers | ({-1, -3} if kind.kind == "i" else set())), kind)
    info = ml_dtypes.finfo(kind)
    positive = [0.0, 1.0, 1.5, 3.0, np.inf, info.smallest_subnormal, info.tiny, info.max, info.eps]
    return np.array([*positive, *(-number for number in positive), np.nan]).astype(kind)


def hash_of(case: Case) -> int:
    """A number that is the same in every run."""
    return sum(map(ord, str(case)))
