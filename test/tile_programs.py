"""Programs of tile ops, made from their entries in the op table, and inputs for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

import kernels
from pto import compiler
from pto.dtypes import DTYPES
from pto.ops import Elementwise, Reduction, TileOp


@dataclass(frozen=True)
class Case:
    """One use of an op; `tload` and `tstore` are one load and one store."""

    entry: TileOp
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
    pad: int = 0
    """Of the destination, for an op that fills it: that is as large as the tile then."""
    flags: str = ""
    to: str = ""
    """The element type of the result, if it is not that of the tiles."""

    def __str__(self) -> str:
        types = f"{self.dtype} to {self.to}" if self.to else self.dtype
        words = [self.entry.name, types, f"{self.valid} of {self.shape}", *self.modes.values()]
        marks = {
            "dynamic": self.is_dynamic,
            "buffers": self.are_buffers,
            "in place": self.is_in_place,
            "scalar first": self.is_swapped,
            f"pad {self.pad}": bool(self.pad),
        }
        return ", ".join([*words, *(word for word, holds in marks.items() if holds)])

    @property
    def operands(self) -> tuple[str, ...]:
        """What it takes, in the order of this use."""
        kinds = operands(self.entry)
        return tuple(reversed(kinds)) if self.is_swapped else kinds

    def program(self) -> str:
        """A kernel that loads a tile for each operand, computes and stores the result."""
        return kernel([self])

    def parameters(self, of: str) -> list[str]:
        """What a kernel takes for it, the result last; names begin with `of`."""
        return [
            f"{of}a{number}: {self.dtype.removeprefix('u')}"
            if kind == "scalar"
            else f"{of}a{number}_view: {self._view(kind)}"
            for number, kind in enumerate(self.operands)
        ] + [f"{of}y: {self._view(self._result)}"]

    def numbers(self) -> set[int]:
        """The sizes that its lines mention, as `%c16`."""
        return {0, *(size for kind in (*self.operands, self._result) for size in self._sizes(kind))}

    def lines(self, of: str) -> list[str]:
        """Its part of a kernel."""
        lines: list[str] = []
        names: list[str] = []
        types: list[str] = []
        for number, kind in enumerate(self.operands):
            name = f"{of}a{number}"
            names.append(name)
            if kind == "scalar":
                types.append(self.dtype.removeprefix("u"))
                continue
            types.append(self._tile(kind))
            lines += self._window(f"{name}_view", f"{name}_window", kind)
            lines += self._load(name, kind)
        lines += self._window(f"{of}y", f"{of}y_window", self._result)
        return lines + self._compute(of, names, types)

    @property
    def converts(self) -> bool:
        """Whether the op may give another type."""
        return isinstance(self.entry, Elementwise) and bool(self.entry.results)

    @property
    def _result(self) -> str:
        if self.to and self.to != self.dtype:
            return "converted"
        return "filled" if self.pad else result(self.entry)

    def _bytes(self) -> tuple[int, int]:
        return self.valid[0], -(-self.valid[1] // 8)

    def _sizes(self, kind: str) -> tuple[int, int]:
        rows, columns = self.valid
        return {
            "mask": self._bytes(),
            "row": (1, columns),
            "column": (rows, 1),
            "transposed": (columns, rows),
            "filled": self.shape,
        }.get(kind, self.valid)

    def _element(self, kind: str) -> str:
        return {"mask": "ui8", "converted": self.to}.get(kind, self.dtype)

    def _view(self, kind: str) -> str:
        return f"!pto.tensor_view<?x?x{self._element(kind)}>"

    def _is_dynamic(self, kind: str) -> bool:
        return self.is_dynamic and kind != "filled"

    def _region(self, kind: str) -> str:
        return "?x?" if self._is_dynamic(kind) else "x".join(map(str, self._sizes(kind)))

    def _tile(self, kind: str) -> str:
        rows, columns = self.shape
        if kind == "mask":
            columns = -(-columns // 8)
        if kind == "transposed":
            rows, columns = columns, rows
        rows, columns = 1 if kind == "row" else rows, 1 if kind == "column" else columns
        inner = f"{rows}x{columns}x{self._element(kind)}, valid={self._region(kind)}"
        inner += f", pad={self.pad}" if kind == "filled" else ""
        return f"!pto.tile_buf<vec, {inner}>" if self.are_buffers else f"!pto.tile<{inner}>"

    def _window_type(self, kind: str) -> str:
        return f"!pto.partition_tensor_view<{self._region(kind)}x{self._element(kind)}>"

    def _window(self, view: str, window: str, kind: str) -> list[str]:
        lines: list[str] = []
        rows, columns = (f"%c{size}" for size in self._sizes(kind))
        if self._is_dynamic(kind):
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
        given = f"valid_row = {window}_rows valid_col = {window}_columns "
        given = given if self._is_dynamic(kind) else ""
        return f"  {name} = alloc_tile {given}: {self._tile(kind)}"

    def _load(self, name: str, kind: str) -> list[str]:
        window, tile = self._window_type(kind), self._tile(kind)
        if not self.are_buffers:
            return [f"  {name} = tload {name}_window : {window} -> {tile}"]
        return [
            self._alloc(name, f"{name}_window", kind),
            f"  tload ins({name}_window : {window}) outs({name} : {tile})",
        ]

    def _compute(self, of: str, names: list[str], types: list[str]) -> list[str]:
        result, window = f"{of}d", f"{of}y_window"
        op, tile, view = self.entry.name, self._tile(self._result), self._window_type(self._result)
        spelled = self.entry.spelled(self.modes) if isinstance(self.entry, Elementwise) else ""
        keywords = f"{self.flags} {spelled}"
        ins, kinds = ", ".join(names), ", ".join(types)
        lines: list[str] = []
        if not isinstance(self.entry, Elementwise | Reduction):
            result = names[0]
        elif not self.are_buffers:
            lines = [f"  {result} = {op} {ins} {keywords} : {kinds} -> {tile}"]
        else:
            if self.is_in_place:
                last = max(i for i, kind in enumerate(self.operands) if kind == self._result)
                result = names[last]
            else:
                lines = [self._alloc(result, window, self._result)]
            lines.append(f"  {op} ins({ins} : {kinds}) outs({result} : {tile}) {keywords}")
        if self.are_buffers:
            return [*lines, f"  tstore ins({result} : {tile}) outs({window} : {view})"]
        return [*lines, f"  tstore {result}, {window} : {tile}, {view}"]

    # Running --------------------------------------------------------------------------------------

    def inputs(self) -> list[np.ndarray | np.generic]:
        """An array or a scalar per operand: every pair of special values, then random ones."""
        return [self._input(number, kind) for number, kind in enumerate(self.operands)]

    def _input(self, number: int, kind: str) -> np.ndarray | np.generic:
        if kind == "mask":
            return np.random.default_rng(number).integers(0, 256, self._bytes(), dtype=np.uint8)
        values = kernels.values(self.dtype, self._sizes(kind), seed=number)
        if isinstance(self.entry, Reduction):
            return values
        divides = isinstance(self.entry, Elementwise) and self.entry.function in ("div", "rem")
        found = special(self.dtype)
        if divides and number == 1 and found.dtype.kind in "iu":
            found = found[found != 0]
        if divides and values.dtype.kind in "iu":
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
        return np.full(self._sizes(self._result), 7, DTYPES[self._element(self._result)])

    @property
    def ulp(self) -> int:
        """How far the result may be from the reference."""
        return self.entry.ulp if isinstance(self.entry, Elementwise) else 0

    def difference(self, expected: np.ndarray, found: np.ndarray, ulp: int) -> str:
        """How a result is further from the expected one than `ulp`; or nothing."""
        if not ulp and kernels.same_bits(expected, found):
            return ""
        distance = kernels.ulps(expected, found) if ulp else 0
        if ulp and distance <= ulp:
            return ""
        what = f"{distance} ulp, more than {ulp}" if ulp else "not the same bits"
        return f"{self}: {what}\nexpected {expected}\nfound {found}\n{self.program()}"

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


def kernel(cases: Sequence[Case]) -> str:
    """A kernel of some cases, one after another; it takes the arguments of each in turn."""
    prefixes = [f"%k{number}_" for number, _ in enumerate(cases)]
    parts = list(zip(cases, prefixes, strict=True))
    arguments = ", ".join(text for case, of in parts for text in case.parameters(of))
    numbers = sorted({number for case in cases for number in case.numbers()})
    lines = [f"  %c{number} = arith.constant {number} : index" for number in numbers]
    body = "\n".join([*lines, *(line for case, of in parts for line in case.lines(of))])
    return f"pto.kernel @k({arguments}) attributes {{pto.grid = 1}} {{\n{body}\n}}\n"


def operands(entry: TileOp) -> tuple[str, ...]:
    """What an op takes."""
    return entry.operands if isinstance(entry, Elementwise) else ("tile",)


def result(entry: TileOp) -> str:
    """What an op gives."""
    if isinstance(entry, Reduction):
        return "row" if entry.axis == 0 else "column"
    return entry.result if isinstance(entry, Elementwise) else "tile"


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
