"""Handles on one memory space that overlap in every way: reference = simulator, byte for byte.

A random program gives every operand of every op a tile of its own, somewhere in a small space, with
a valid region that may be known only at run time, and pads. What the space holds at the end tells
whether ops acted as if one after another, and on nothing but their valid regions. Only ops that are
exact in every bit take part: a NaN has many.

`PTO_TEST_PROGRAMS` is the number of programs.
"""

import os
import random

import numpy as np
import pytest

from pto import compiler
from pto.dtypes import DTYPES
from pto.ops import TABLE, Elementwise, Reduction

PROGRAMS = int(os.environ.get("PTO_TEST_PROGRAMS", "40"))
SPACE = 2048
"""Bytes."""

INTEGERS = ("i8", "ui8", "i16", "ui16", "i32", "ui32")
FLOATS = ("f16", "bf16", "f32")
REDUCTIONS = [entry for entry in TABLE.values() if isinstance(entry, Reduction)]


class Program:
    """A random program; `text` and `arguments` are what a launch needs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.sizes: list[int] = []
        self.tiles = 0
        for _ in range(self.random.randint(3, 12)):
            self.add_op()

    def add_op(self) -> None:
        if self.random.random() < 0.15:
            return self.add_reduction()
        entries = [entry for entry in TABLE.values() if isinstance(entry, Elementwise)]
        entry = self.random.choice([entry for entry in entries if is_exact(entry)])
        dtype = self.random.choice((*INTEGERS, *FLOATS) if is_bitwise(entry) else INTEGERS)
        valid = self.random.randint(1, 6), self.random.randint(1, 24)
        names: list[str] = []
        types: list[str] = []
        for kind in entry.operands:
            if kind == "scalar":
                name, type_ = f"%s{self.tiles}", dtype.removeprefix("u")
                self.tiles += 1
                number = self.random.randint(-100, 100)
                number = number if dtype in INTEGERS else f"{number}.0"
                self.lines.append(f"  {name} = arith.constant {number} : {type_}")
            else:
                name, type_ = self.tile(kind, dtype, valid)
            names.append(name)
            types.append(type_)
        pad = self.random.choice((1, 2, 3) if entry.fills else (0, 0, 1, 3))
        if entry.fills:
            valid = valid[0] + self.random.randint(0, 2), valid[1] + self.random.randint(0, 2)
        to = self.random.choice(entry.result_types(dtype))
        target, type_ = self.tile(entry.result, to, valid, pad)
        words = {name: self.random.choice(each.words) for name, each in entry.attributes.items()}
        keywords = entry.spelled(words)
        self.lines.append(
            f"  {entry.name} ins({', '.join(names)} : {', '.join(types)}) "
            f"outs({target} : {type_})" + f" {keywords}"
        )

    def add_reduction(self) -> None:
        dtype = self.random.choice(INTEGERS)
        rows, columns = self.random.randint(1, 6), self.random.randint(1, 24)
        source, type_ = self.tile("tile", dtype, (rows, columns))
        op = self.random.choice(REDUCTIONS)
        kind = "row" if op.axis == 0 else "column"
        pad = self.random.choice((0, 0, 2))
        target, line = self.tile(kind, dtype, (rows, columns), pad)
        self.lines.append(f"  {op.name} ins({source} : {type_}) outs({target} : {line})")

    def tile(self, kind: str, dtype: str, valid: tuple[int, int], pad: int = 0) -> tuple[str, str]:
        """A new handle: its name and its type."""
        if kind == "mask":
            dtype, valid = "ui8", (valid[0], -(-valid[1] // 8))
        if kind == "transposed":
            valid = valid[::-1]
        valid = (1 if kind == "row" else valid[0], 1 if kind == "column" else valid[1])
        rows, columns = (size + self.random.choice((0, 0, 1, 5)) for size in valid)
        unit = DTYPES[dtype].itemsize
        address = unit * self.random.randrange((SPACE - rows * columns * unit) // unit + 1)
        if self.random.random() < 0.5:
            address -= address % 16
        given, region = "", "x".join(map(str, valid))
        if self.random.random() < 0.4:
            row, column = (f"%n{len(self.sizes) + i}" for i in range(2))
            self.sizes += valid
            given, region = f"valid_row = {row} valid_col = {column} ", "?x?"
        padding = f", pad={pad}" if pad else ""
        type_ = f"!pto.tile_buf<vec, {rows}x{columns}x{dtype}, valid={region}{padding}>"
        name = f"%t{self.tiles}"
        self.tiles += 1
        self.lines.append(f"  %a{name[2:]} = arith.constant {address} : i64")
        self.lines.append(f"  {name} = alloc_tile addr = %a{name[2:]} {given}: {type_}")
        return name, type_

    @property
    def text(self) -> str:
        sizes = "".join(f", %n{i}: index" for i in range(len(self.sizes)))
        view, window = (
            f"!pto.tensor_view<1x{SPACE}xui8>",
            f"!pto.partition_tensor_view<1x{SPACE}xui8>",
        )
        whole = f"!pto.tile_buf<vec, 1x{SPACE}xui8>"
        body = "\n".join(self.lines)
        return f"""
pto.kernel @k(%x: {view}, %y: {view}{sizes}) attributes {{pto.grid = 1, pto.block = 64}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant {SPACE} : index
  %start = arith.constant 0 : i64
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c1, %size] : {view} -> {window}
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %size] : {view} -> {window}
  %space = alloc_tile addr = %start : {whole}
  tload ins(%xw : {window}) outs(%space : {whole})
{body}
  tstore ins(%space : {whole}) outs(%yw : {window})
}}
"""

    def inputs(self) -> np.ndarray:
        return np.random.default_rng(0).integers(0, 256, (1, SPACE), dtype=np.uint8)


def is_exact(entry: Elementwise) -> bool:
    """Whether the op takes integers, and every pair of them has a result."""
    return entry.fast_error is None and entry.function != "rem"


def is_bitwise(entry: Elementwise) -> bool:
    """Whether the op is exact in every bit on floats too."""
    return entry.function in ("neg", "abs", "copy", "") and not entry.counts


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_ops_act_as_if_one_after_another(seed: int) -> None:
    program = Program(seed)
    results = [np.zeros((1, SPACE), np.uint8) for _ in range(2)]
    compiler.reference(
        program.text, kernel=None, arguments=[program.inputs(), results[0], *program.sizes], grid=1
    )
    target = ("sm_80", "sm_90a", "sm_100a", "sm_120a")[seed % 4]
    compiler.compile(program.text, target=target)(program.inputs(), results[1], *program.sizes)
    different = np.flatnonzero(results[0] != results[1])
    assert different.size == 0, f"{program.text}\nbytes {different} differ"
