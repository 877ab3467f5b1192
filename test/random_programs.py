"""Random programs of tile ops, the same for the same seed.

Ops of all families, drawn from the op table, on `random_tiles`; some stand in loops and branches.

Ops that are not exact in every bit are last: nothing reads their results but the comparison.
"""

from __future__ import annotations

import numpy as np

from pto import compiler, context
from pto.dtypes import DTYPES
from pto.ops import TABLE, Elementwise, Reduction
from pto.ops.listing import rows
from pto.runtime.kernel import Kernel
from random_tiles import TRIPS, RandomTiles
from tile_model import KINDS, Inexact, Tile, reduced, run, sizes

TYPES = {row.name: row.types for row in rows(context.create())}
ENTRIES = [
    entry
    for entry in TABLE.values()
    if isinstance(entry, Reduction)
    or (isinstance(entry, Elementwise) and set(entry.operands) <= set(KINDS) and not entry.fills)
]


class Program(RandomTiles):
    """A random program: `text`, `matrices` and `numbers` are what a launch needs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.used: set[str] = set()
        """The ops that it has."""
        self.left = self.random.randint(3, 12)
        while self.left > 0:
            self._add(depth=0)
        self._store_values(self.tiles)

    def _add(self, depth: int) -> None:
        """One more op, or a loop or branch with some."""
        if depth < 2 and self.left > 1 and self.random.random() < 0.12:
            return self._add_region(depth)
        while True:
            saved = len(self.lines), len(self.steps), len(self.tiles), len(self.numbers)
            bring_back = self.memory.saved()
            try:
                self._add_op()
            except Inexact:
                bring_back()
                lines, steps, tiles, numbers = saved
                del self.lines[lines:], self.steps[steps:], self.tiles[tiles:]
                del self.numbers[numbers:]
            else:
                self.left -= 1
                return None

    def _add_op(self) -> None:
        match self.random.choices(("op", "load", "store", "region"), (70, 12, 15, 6))[0]:
            case "load":
                dtype = self.random.choice(list(DTYPES))
                self._load(dtype, self._region(dtype), is_value=self.random.random() < 0.3)
            case "store":
                self._store()
            case "region":
                self._set_region()
            case _:
                self._compute(self.random.choice(ENTRIES))

    def _add_region(self, depth: int) -> None:
        """Runs the body as often as it has exact results, at most `TRIPS` times."""
        variable = self.name("i") if self.random.random() < 0.6 else None
        position, tiles, outer = len(self.lines), list(self.tiles), self.steps
        self.steps = []
        bring_back = self.memory.saved()
        if variable:
            self.variables.append(variable)
            self.memory.indices[variable] = 0
        for _ in range(self.random.randint(1, 3)):
            self._add(depth + 1)
        self._store_values(self.tiles[len(tiles) :])
        body = self.steps

        def step(index: int) -> None:
            if variable:
                self.memory.indices[variable] = index
            for each in body:
                each()

        times = self.random.choice((0, 1, 2, TRIPS, TRIPS) if variable else (0, 1, 1, 1))
        if times == 0:
            bring_back()
        for index in range(1, times):
            bring_back = self.memory.saved()
            try:
                step(index)
            except Inexact:
                bring_back()
                times = index
                break

        def again() -> None:
            for index in range(times):
                step(index)

        count, zero, one = self._index(times), self.constant(0), self.constant(1)
        if variable:
            self.variables.remove(variable)
            header = [f"  scf.for {variable} = {zero} to {count} step {one} {{"]
        else:
            condition = self.name("b")
            header = [
                f"  {condition} = arith.cmpi ne, {count}, {zero} : index",
                f"  scf.if {condition} {{",
            ]
        self.lines[position:position] = header
        self.lines.append("  }")
        self.tiles, self.steps = tiles, [*outer, again]

    def _compute(self, entry: Elementwise | Reduction) -> None:
        dtype = self.random.choice(TYPES[entry.name])
        region = self._region(dtype)
        is_exact = not (isinstance(entry, Elementwise) and entry.ulp)
        is_value = 0 not in region and self.random.random() < 0.35
        kinds = list(entry.operands) if isinstance(entry, Elementwise) else ["tile"]
        result = entry.result if isinstance(entry, Elementwise) else "tile"
        if isinstance(entry, Elementwise) and entry.is_either_order:
            self.random.shuffle(kinds)
        names: list[str] = []
        types: list[str] = []
        sources: list[Tile | np.ndarray] = []
        for kind in kinds:
            if kind == "scalar":
                name, type_, source = self._scalar(dtype)
            else:
                element = self.random.choice(("i8", "ui8")) if kind == "mask" else dtype
                source = self._source(element, sizes(kind, region), is_value=is_value)
                name, type_ = source.name, source.type
            names.append(name)
            types.append(type_)
            sources.append(source)
        shape = reduced(entry, region) if isinstance(entry, Reduction) else sizes(result, region)
        element = self.random.choice(("i8", "ui8")) if result == "mask" else dtype
        if isinstance(entry, Elementwise) and entry.results:
            element = self.random.choice(entry.result_types(dtype))
        tells = "tile" in kinds or {"row", "column"} <= set(kinds)
        target = self._target(element, shape, is_value, is_exact, tells)
        modes = self._modes(entry)
        ins, kinds_of = ", ".join(names), ", ".join(types)
        values = entry.spelled(modes) if isinstance(entry, Elementwise) else ""
        keywords = self._flags(entry, dtype) + (f" {values}" if values else "")
        line = f"{entry.name} ins({ins} : {kinds_of}) outs({target.name} : {target.type}){keywords}"
        if is_value:
            line = f"{target.name} = {entry.name} {ins}{keywords} : {kinds_of} -> {target.type}"
        self.do(line, lambda: run(entry, kinds, sources, target, region, modes))
        self.used.add(entry.name)
        for source in sources:
            if isinstance(source, Tile):
                source.is_read = True
        if is_exact:
            self.tiles.append(target)
        elif 0 not in region:
            self._store_to(self._matrix(element, (shape[0] + 2, shape[1] + 3), entry.ulp), target)

    def _target(
        self, dtype: str, region: tuple[int, int], is_value: bool, is_exact: bool, tells: bool
    ) -> Tile:
        """What an op writes. A result that is not exact shares no bytes."""
        if is_value:
            return self._value(dtype, region, is_dynamic=tells and self.random.random() < 0.3)
        found = self._find(dtype, region, is_value=False) if is_exact else None
        if found is not None and self.random.random() < 0.5:
            return found
        is_placed = is_exact and (0 in region or self.random.random() < 0.9)
        if not is_placed and 0 in region:
            raise Inexact("a buffer that is not written")
        return self._buffer(dtype, region, is_placed=is_placed)

    def _modes(self, entry: Elementwise | Reduction) -> dict[str, str]:
        attributes = entry.attributes if isinstance(entry, Elementwise) else {}
        return {name: self.random.choice(choice.words) for name, choice in attributes.items()}

    def _flags(self, entry: Elementwise | Reduction, dtype: str) -> str:
        """Any order is as good as another for integers, and for the largest and smallest."""
        is_free = isinstance(entry, Reduction) and (
            DTYPES[dtype].kind in "iu" or entry.primitive in ("max", "min")
        )
        return " fastmath<reassoc>" if is_free and self.random.random() < 0.5 else ""


def prepare(seed: int, target: str) -> tuple[Kernel, list[np.ndarray]]:
    """The compiled program of a seed, and what the reference says of it."""
    program = Program(seed)
    return compiler.compile(program.text, target=target), program.expected()
