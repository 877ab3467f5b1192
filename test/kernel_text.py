"""The text of a tile kernel under construction, and what its launches get and give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import kernels
from pto import compiler
from tile_model import Memory, Step


@dataclass(eq=False)
class Matrix:
    """A kernel argument that is a matrix: `array` is what programs see of it."""

    view: str
    dtype: str
    array: np.ndarray
    is_transposed: bool
    """Its memory goes down the columns."""
    is_static: bool
    """The view has a static shape."""
    ulp: int = 0
    initial: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.initial = self.array.copy()

    @property
    def type(self) -> str:
        shape = "x".join(map(str, self.array.shape)) if self.is_static else "?x?"
        return f"!pto.tensor_view<{shape}x{self.dtype}>"

    def argument(self, convert: Callable[[np.ndarray], object] = np.copy) -> object:
        """What a launch gets; `convert` takes a contiguous array to where it is wanted."""
        if self.is_transposed:
            given: object = convert(np.ascontiguousarray(self.initial.T))
            return given.T  # type: ignore[attr-defined]
        return convert(self.initial)


class KernelText:
    """A kernel that loads a memory space, does something, and stores the space again.

    Its arguments are a matrix of one row, the bytes of the space, then other matrices and numbers.
    """

    def __init__(self, space: np.ndarray, block: int) -> None:
        self.space, self.initial, self.block = space, space.copy(), block
        self.matrices: list[Matrix] = []
        self.numbers: list[tuple[str, object]] = []
        """Arguments, as `%n: index`, and their values."""
        self.lines: list[str] = []
        self.steps: list[Step] = []
        """What the lines do, in order."""
        self.memory = Memory()
        self.memory.add(space)
        self._constants: dict[str, str] = {}
        self._names = 0

    def do(self, line: str, step: Step) -> None:
        """One more line, whose step is run now and in later iterations."""
        step()
        self.lines.append(f"  {line}")
        self.steps.append(step)

    def add_matrix(self, matrix: Matrix) -> None:
        self.matrices.append(matrix)
        self.memory.add(matrix.array)

    def name(self, prefix: str) -> str:
        self._names += 1
        return f"%{prefix}{self._names}"

    def constant(self, value: int, kind: str = "index") -> str:
        name = f"%c{value}_{kind}"
        self._constants[name] = f"  {name} = arith.constant {value} : {kind}"
        return name

    @property
    def text(self) -> str:
        view = f"!pto.tensor_view<1x{self.space.size}xui8>"
        window = f"!pto.partition_tensor_view<1x{self.space.size}xui8>"
        whole = f"!pto.tile_buf<vec, 1x{self.space.size}xui8>"
        given = [f"%space: {view}", *(f"{each.view}: {each.type}" for each in self.matrices)]
        given += [name for name, _ in self.numbers]
        zero, one, size = self.constant(0), self.constant(1), self.constant(self.space.size)
        start = self.constant(0, "i64")
        head, body = "\n".join(self._constants.values()), "\n".join(self.lines)
        return f"""
pto.kernel @k({", ".join(given)}) attributes {{pto.grid = 1, pto.block = {self.block}}} {{
{head}
  %bytes = pto.partition_view %space, offsets = [{zero}, {zero}], sizes = [{one}, {size}]
         : {view} -> {window}
  %whole = pto.alloc_tile addr = {start} : {whole}
  pto.tload ins(%bytes : {window}) outs(%whole : {whole})
{body}
  pto.tstore ins(%whole : {whole}) outs(%bytes : {window})
}}
"""

    def arguments(self, convert: Callable[[np.ndarray], object] = np.copy) -> list[object]:
        """New ones for a launch; `convert` takes an array to where it is wanted."""
        arrays = [each.argument(convert) for each in self.matrices]
        numbers = [value for _, value in self.numbers]
        return [convert(self.initial[None]), *arrays, *numbers]

    def expected(self) -> list[np.ndarray]:
        """By the reference: the space and the matrices."""
        arguments = self.arguments()
        compiler.reference(self.text, kernel=None, arguments=arguments, grid=1)
        found = arguments[: 1 + len(self.matrices)]
        return [array for array in found if isinstance(array, np.ndarray)]

    def modelled(self) -> list[np.ndarray]:
        """As the generator has found it."""
        return [self.space[None], *(matrix.array for matrix in self.matrices)]

    def differences(self, expected: list[np.ndarray], found: list[np.ndarray]) -> list[str]:
        """What is wrong, in words."""
        names = ["%space", *(matrix.view for matrix in self.matrices)]
        allowed = [0, *(matrix.ulp for matrix in self.matrices)]
        wrong: list[str] = []
        for name, ulp, a, b in zip(names, allowed, expected, found, strict=True):
            if ulp and kernels.ulps(a, b) <= ulp:
                continue
            kind = f"u{a.itemsize}"
            bits = [np.ascontiguousarray(each).view(kind) for each in (a, b)]
            at = np.argwhere(bits[0] != bits[1])
            if at.size:
                first = tuple(at[0])
                text = f"{name} differs at {len(at)} places, first {list(map(int, first))}"
                wrong.append(f"{text}: {a[first]!r} and {b[first]!r}")
        return wrong
