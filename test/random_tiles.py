"""Random tiles, and loads and stores of them, for `random_programs`.

Tile values, and tile buffers that lie anywhere in a small space, so that they share bytes in every
way. Valid regions, scalars, offsets and trip counts may be known only at run time. Matrices are
read and written through windows.
"""

from __future__ import annotations

import random

import numpy as np

import kernels
from kernel_text import KernelText, Matrix
from pto.dtypes import DTYPES
from tile_model import Inexact, Step, Tile

SPACE = 4096
"""Bytes that buffers share."""
MATRIX = 52, 52
TRIPS = 3
"""Of a loop, at most."""


class RandomTiles(KernelText):
    """A kernel to which random tiles are added."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        most = self.random.choice((64, 256))  # Bytes under 64 are no NaN of any type.
        space = np.random.default_rng(seed).integers(0, most, SPACE, dtype=np.uint8)
        super().__init__(space, block=self.random.choice((32, 64, 128)))
        self.seed = seed
        self.tiles: list[Tile] = []
        """Those in scope."""
        self.variables: list[str] = []
        """Of the loops around."""

    def _index(self, value: int) -> str:
        """A constant, or an argument."""
        if self.random.random() < 0.5:
            return self.constant(value)
        name = self.name("n")
        self.numbers.append((f"{name}: index", value))
        return name

    def _scalar(self, dtype: str) -> tuple[str, str, np.ndarray]:
        """Its name, its type, which has no sign, and its value."""
        name, kind, element = self.name("s"), dtype.removeprefix("u"), DTYPES[dtype]
        small = self.random.choice((1, 2, 3, 5, 0, -1, -3))
        value = np.array(small).astype(element)
        if self.random.random() < 0.5:
            number = f"{small}.0" if element.kind not in "iu" else str(small)
            self.lines.append(f"  {name} = arith.constant {number} : {kind}")
        else:
            given = value.view(f"i{element.itemsize}") if element.kind == "u" else value
            self.numbers.append((f"{name}: {kind}", given[()]))
        return name, kind, value

    def _region(self, dtype: str) -> tuple[int, int]:
        """A valid region, often that of a tile that there is."""
        if self.tiles and self.random.random() < 0.6:
            rows, columns = self.random.choice(self.tiles).region
        else:
            rows = self.random.randint(0 if self.random.random() < 0.05 else 1, 6)
            columns = self.random.choice((1, 8, 16, 32, self.random.randint(1, 40)))
        return rows, min(columns, 20) if DTYPES[dtype].itemsize == 8 else columns

    def _extents(self, region: tuple[int, int]) -> tuple[int, int]:
        rows, columns = (max(size, 1) + self.random.choice((0, 0, 1, 5)) for size in region)
        return rows, columns

    def _value(self, dtype: str, region: tuple[int, int], *, is_dynamic: bool) -> Tile:
        """A tile value, still undefined."""
        rows, columns = self._extents(region)
        valid = "?x?" if is_dynamic else "x".join(map(str, region))
        kind = f"!pto.tile<{rows}x{columns}x{dtype}, valid={valid}>"
        storage = np.zeros((rows, columns), DTYPES[dtype])
        return Tile(self.name("v"), kind, dtype, storage, *region, is_value=True)

    def _buffer(self, dtype: str, region: tuple[int, int], *, is_placed: bool = True) -> Tile:
        """A new buffer; one that the compiler places must be written first."""
        element = DTYPES[dtype]
        rows, columns = self._extents(region)
        pad = self.random.choice((0, 0, 0, 1, 2, 3))
        name = self.name("t")
        is_dynamic, given, valid = False, "", "x".join(map(str, region))
        if is_placed and (0 in region or self.random.random() < 0.5):
            is_dynamic, valid = True, "?x?"
            sizes = [self._index(size) for size in region]
            given = f"valid_row = {sizes[0]} valid_col = {sizes[1]} "
        padding = f", pad={pad}" if pad else ""
        kind = f"!pto.tile_buf<vec, {rows}x{columns}x{dtype}, valid={valid}{padding}>"
        assign = ""
        if is_placed:
            length = rows * columns * element.itemsize
            address = self._address(length, element.itemsize)
            elements = self.space[address : address + length].view(element)
            if self.random.random() < 0.2:
                assign = f"\n  pto.tassign {name}, @tile({address:#x})"
            else:
                given = f"addr = {self.constant(address, 'i64')} {given}"
        else:
            elements = np.zeros(rows * columns, element)
        storage = elements.reshape(rows, columns)
        tile = Tile(name, kind, dtype, storage, *region, pad, is_dynamic=is_dynamic)

        def begin() -> None:
            tile.rows, tile.columns = region

        self.do(f"{name} = pto.alloc_tile {given}: {kind}{assign}", begin)
        self.memory.buffers.append(tile)
        return tile

    def _address(self, length: int, unit: int) -> int:
        """Somewhere, or where another buffer begins."""
        others = [tile for tile in self.tiles if not tile.is_value]
        if others and self.random.random() < 0.3:
            tile = self.random.choice(others)
            address = tile.storage.ctypes.data - self.space.ctypes.data
            if 0 <= address <= SPACE - length and address % unit == 0:
                return address
        address = unit * self.random.randrange((SPACE - length) // unit + 1)
        return address - address % 16 if self.random.random() < 0.5 else address

    def _find(self, dtype: str, region: tuple[int, int], *, is_value: bool) -> Tile | None:
        found = [
            tile
            for tile in self.tiles
            if tile.dtype == dtype and tile.region == region and tile.is_value == is_value
        ]
        return self.random.choice(found) if found else None

    def _source(self, dtype: str, region: tuple[int, int], *, is_value: bool) -> Tile:
        """A tile to read: one that there is, one that is loaded, or some bytes of the space."""
        found = self._find(dtype, region, is_value=is_value)
        if found is not None and self.random.random() < 0.7:
            return found
        if is_value or (0 not in region and self.random.random() < 0.5):
            return self._load(dtype, region, is_value=is_value)
        tile = self._buffer(dtype, region)
        self.tiles.append(tile)
        return tile

    def _set_region(self) -> None:
        """For a buffer with a dynamic valid region."""
        found = [tile for tile in self.tiles if tile.is_dynamic]
        if not found:
            raise Inexact("nothing to do")
        tile = self.random.choice(found)
        region = tuple(self.random.randint(1, size) for size in tile.storage.shape)
        names = ", ".join(self._index(size) for size in region)

        def step() -> None:
            tile.rows, tile.columns = region

        self.do(f"pto.set_validshape {tile.name}, {names}", step)

    def _matrix(self, dtype: str, shape: tuple[int, int] = MATRIX, ulp: int = 0) -> Matrix:
        """Of one type there is one matrix; those for results that are not exact are apart."""
        found = [each for each in self.matrices if each.dtype == dtype and each.ulp == ulp == 0]
        if found:
            return found[0]
        array = kernels.values(dtype, shape, seed=self.seed)
        if self.random.random() < 0.5:
            array = np.where(array == 0, np.ones_like(array), array)
        view = f"%m{len(self.matrices)}"
        flags = self.random.random() < 0.3, self.random.random() < 0.3
        matrix = Matrix(view, dtype, np.ascontiguousarray(array), *flags, ulp)
        self.add_matrix(matrix)
        return matrix

    def _window(self, matrix: Matrix, region: tuple[int, int]) -> tuple[str, str, Step, list]:
        """A window with its type; the list gets its elements by the step."""
        rows, columns = region
        variable = self.random.choice([*self.variables, None])
        room = matrix.array.shape[0] - rows - (TRIPS - 1 if variable else 0)
        if room < 0:
            variable, room = None, matrix.array.shape[0] - rows
        row = self.random.randint(0, room)
        column = self.random.randint(0, matrix.array.shape[1] - columns)
        offsets = [self._index(row), self._index(column)]
        if variable:
            offset = self.name("o")
            self.lines.append(f"  {offset} = arith.addi {offsets[0]}, {variable} : index")
            offsets[0] = offset
        is_static = self.random.random() < 0.5
        extents = [self.constant(size) if is_static else self._index(size) for size in region]
        shape = f"{rows}x{columns}" if is_static else "?x?"
        kind, name = f"!pto.partition_tensor_view<{shape}x{matrix.dtype}>", self.name("w")
        self.lines.append(
            f"  {name} = pto.partition_view {matrix.view}, offsets = [{', '.join(offsets)}], "
            f"sizes = [{', '.join(extents)}] : {matrix.type} -> {kind}"
        )
        found: list[np.ndarray] = []

        def step() -> None:
            first = row + (self.memory.indices[variable] if variable else 0)
            found[:] = [matrix.array[first : first + rows, column : column + columns]]

        return name, kind, step, found

    def _load(self, dtype: str, region: tuple[int, int], *, is_value: bool) -> Tile:
        if is_value and 0 in region:
            raise Inexact("a value without elements")
        window, kind, place, found = self._window(self._matrix(dtype), region)
        if is_value:
            tile = self._value(dtype, region, is_dynamic=self.random.random() < 0.3)
            line = f"{tile.name} = pto.tload {window} : {kind} -> {tile.type}"
        else:
            tile = self._buffer(dtype, region)
            line = f"pto.tload ins({window} : {kind}) outs({tile.name} : {tile.type})"

        def step() -> None:
            place()
            _check_region(tile, region)
            tile.write(found[0], region)

        self.do(line, step)
        self.tiles.append(tile)
        return tile

    def _store(self) -> None:
        if not self.tiles:
            raise Inexact("nothing to do")
        tile = self.random.choice(self.tiles)
        self._store_to(self._matrix(tile.dtype), tile)

    def _store_values(self, tiles: list[Tile]) -> None:
        """Those that nothing reads."""
        for tile in tiles:
            if tile.is_value and not tile.is_read:
                self._store_to(self._matrix(tile.dtype), tile)

    def _store_to(self, matrix: Matrix, tile: Tile) -> None:
        region = tile.region
        tile.is_read = True
        window, kind, place, found = self._window(matrix, region)
        line = f"pto.tstore {tile.name}, {window} : {tile.type}, {kind}"
        if not tile.is_value:
            line = f"pto.tstore ins({tile.name} : {tile.type}) outs({window} : {kind})"

        def step() -> None:
            place()
            _check_region(tile, region)
            found[0][...] = tile.valid

        self.do(line, step)


def _check_region(tile: Tile, region: tuple[int, int]) -> None:
    if tile.region != region:
        raise Inexact("a valid region has changed")
