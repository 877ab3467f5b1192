"""Random programs whose loops and branches carry tile values: reference = simulator.

The compiler gives what is carried memory of its own and leaves out copies where it can; the
reference knows values only.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pto import compiler

pytestmark = pytest.mark.usefixtures("watch_races")

STATIC, DYNAMIC = "!pto.tile<4x16xi32>", "!pto.tile<4x16xi32, valid=?x?>"
BINARY = ("tadd", "tsub", "tmax")
COUNT = 3
"""Tile values that the program has at any time, and that it stores at its end."""


@dataclass
class Text:
    """A program under construction."""

    draw: st.DrawFn
    tile: str
    lines: list[str] = field(default_factory=list)
    visible: list[str] = field(default_factory=list)
    """Tiles that a statement may use, current or not."""
    made: int = 0

    def name(self) -> str:
        self.made += 1
        return f"%v{self.made}"

    def add(self, indent: int, line: str) -> None:
        self.lines.append("  " * indent + line)

    def statements(self, tiles: list[str], depth: int) -> list[str]:
        """Appends a few statements; `tiles` are current before them, what it returns after."""
        outside = list(self.visible)
        kinds = ["op", "swap", "for", "if", "while"] if depth < 3 else ["op", "swap"]
        for _ in range(self.draw(st.integers(1, 3))):
            self.visible.extend(tiles)
            tiles = getattr(self, self.draw(st.sampled_from(kinds)) + "_")(tiles, depth)
        self.visible = outside
        return tiles

    def op_(self, tiles: list[str], depth: int) -> list[str]:
        result, at = self.name(), self.draw(st.integers(0, COUNT - 1))
        first, second = (self.draw(st.sampled_from(self.visible)) for _ in range(2))
        if self.draw(st.booleans()):
            op = self.draw(st.sampled_from(BINARY))
            types = f"{self.tile}, {self.tile} -> {self.tile}"
            self.add(depth, f"{result} = pto.{op} {first}, {second} : {types}")
        else:
            # It reads elements that other threads write.
            row = self.name()
            line = self.tile.replace("4x", "1x", 1).replace("valid=?", "valid=1")
            self.add(depth, f"{row} = pto.tcolmax {first} : {self.tile} -> {line}")
            types = f"{self.tile}, {line} -> {self.tile}"
            self.add(depth, f"{result} = pto.tcolexpandsub {second}, {row} : {types}")
        return [*tiles[:at], result, *tiles[at + 1 :]]

    def swap_(self, tiles: list[str], _: int) -> list[str]:
        return list(self.draw(st.permutations(tiles)))

    def for_(self, tiles: list[str], depth: int) -> list[str]:
        results, inside = self._names(), self._names()
        starts = ", ".join(f"{a} = {b}" for a, b in zip(inside, tiles, strict=True))
        bound = self.draw(st.sampled_from(["%m", "%n", "%c1"]))
        loop = f"scf.for %i{self.made} = %c0 to {bound} step %c1 iter_args({starts})"
        self.add(depth, f"{', '.join(results)} = {loop} -> ({self._types()}) {{")
        self._end(self.statements(inside, depth + 1), depth)
        self.add(depth, "}")
        return results

    def if_(self, tiles: list[str], depth: int) -> list[str]:
        results, condition = self._names(), self.draw(st.sampled_from(["%less", "%more"]))
        self.add(depth, f"{', '.join(results)} = scf.if {condition} -> ({self._types()}) {{")
        self._end(self.statements(tiles, depth + 1), depth)
        self.add(depth, "} else {")
        self._end(self.statements(tiles, depth + 1), depth)
        self.add(depth, "}")
        return results

    def while_(self, tiles: list[str], depth: int) -> list[str]:
        before, after = self._names(), self._names()
        count = f"%w{self.made}"
        starts = ", ".join(f"{a} = {b}" for a, b in zip(before, tiles, strict=True))
        types = self._types()
        self.add(
            depth,
            f"{count}:{COUNT + 1} = scf.while ({count}b = %n, {starts}) : (index, {types}) -> "
            f"(index, {types}) {{",
        )
        self.add(depth + 1, f"{count}c = arith.cmpi sgt, {count}b, %c0 : index")
        passed = ", ".join(self.statements(before, depth + 1))
        self.add(depth + 1, f"scf.condition({count}c) {count}b, {passed} : index, {types}")
        given = ", ".join(f"{name}: {self.tile}" for name in after)
        self.add(depth, "} do {")
        self.add(depth, f"^bb0({count}a: index, {given}):")
        self.add(depth + 1, f"{count}d = arith.subi {count}a, %c1 : index")
        passed = ", ".join(self.statements(after, depth + 1))
        self.add(depth + 1, f"scf.yield {count}d, {passed} : index, {types}")
        self.add(depth, "}")
        return [f"{count}#{i + 1}" for i in range(COUNT)]

    def _names(self) -> list[str]:
        return [self.name() for _ in range(COUNT)]

    def _types(self) -> str:
        return ", ".join([self.tile] * COUNT)

    def _end(self, tiles: list[str], depth: int) -> None:
        self.add(depth + 1, f"scf.yield {', '.join(tiles)} : {self._types()}")


@st.composite
def programs(draw: st.DrawFn) -> str:
    tile = draw(st.sampled_from([STATIC, DYNAMIC]))
    text = Text(draw, tile)
    view = "!pto.tensor_view<?x?xi32>"
    window = f"!pto.partition_tensor_view<{'4x16' if tile == STATIC else '?x?'}xi32>"
    text.lines = [
        f"pto.kernel @k(%x: {view}, %y: {view}, %rows: index, %columns: index, %m: index, "
        "%n: index) attributes {pto.grid = 1} {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %c4 = arith.constant 4 : index",
        "  %c8 = arith.constant 8 : index",
        "  %less = arith.cmpi slt, %m, %n : index",
        "  %more = arith.cmpi sgt, %m, %n : index",
    ]
    tiles = [f"%t{i}" for i in range(COUNT)]
    sizes = "sizes = [%rows, %columns]"
    for i, name in enumerate(tiles):
        at = f"offsets = [%c{4 * i}, %c0], {sizes} : {view} -> {window}"
        text.add(1, f"%x{i} = pto.partition_view %x, {at}")
        text.add(1, f"%y{i} = pto.partition_view %y, {at}")
        text.add(1, f"{name} = pto.tload %x{i} : {window} -> {tile}")
    tiles = text.statements(tiles, 1)
    for i, name in enumerate(tiles):
        text.add(1, f"pto.tstore {name}, %y{i} : {tile}, {window}")
    return "\n".join([*text.lines, "}"])


@given(programs(), st.tuples(st.integers(0, 3), st.integers(0, 3)), st.data())
@settings(max_examples=60, deadline=None)
def test_values_pass_through_loops_and_branches(
    text: str, numbers: tuple[int, int], data: st.DataObject
) -> None:
    region = (4, 16)
    if "valid=?" in text:
        region = data.draw(st.tuples(st.integers(0, 4), st.integers(0, 16)))
    x = np.random.default_rng(5).integers(-99, 99, (4 * COUNT, 16)).astype(np.int32)
    expected, found = np.zeros_like(x), np.zeros_like(x)
    given = [*region, *numbers]
    compiler.reference(text, kernel=None, arguments=[x.copy(), expected, *given], grid=1)
    compiler.compile(text)(x.copy(), found, *given)
    np.testing.assert_array_equal(found, expected)
