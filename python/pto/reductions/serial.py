"""Programs of one thread per result, at the level of `scf` and `memref`.

They take what the `tirx` primitives do not: any conversion between element types, and the quotient
of a mean. A reduction's parameters are those of two strided buffers: address, sizes and strides of
the source, kept dimensions before reduced ones, then those of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from .types import BOOL, Types, ir_name

BLOCK = 128
"""Threads per CTA."""

_GLOBAL = "#gpu.address_space<global>"
_One = Callable[[Sequence[str]], None]
_Body = Callable[[Sequence[str], Sequence[str]], list[str]]


def reduction(types: Types, kept: int, reduced: int, chip: str) -> str:
    """The program of a reduction over the last `reduced` of `kept + reduced` dimensions."""
    code = _Code()
    source = code.buffer("x", types.source, kept + reduced)
    result = code.buffer("y", types.result, kept)
    compute = _compute_type(types)
    with_index = types.combine.startswith("arg")

    def one(at: Sequence[str]) -> None:
        first = code.convert(source.load([*at, *["%c0"] * reduced]), types.source, compute)
        if types.combine in ("sum", "prod"):
            first = code.constant(int(types.combine == "prod"), compute)
        carried = [(first, _spell(compute))]
        if with_index:
            carried.append((code.let("arith.constant 0 : i64"), "i64"))
        sizes = [source.size(kept + dim) for dim in range(reduced)]

        def body(indices: Sequence[str], values: Sequence[str]) -> list[str]:
            element = code.convert(source.load([*at, *indices]), types.source, compute)
            if with_index:
                return _pick(code, types.combine, compute, values, element, indices, sizes)
            return [_combine(code, types.combine, compute, values[0], element)]

        values = code.nest(sizes, carried, body)
        if with_index:
            result.store(values[1], at)
        else:
            result.store(code.convert(values[0], compute, types.result), at)

    code.for_each([source.size(dim) for dim in range(kept)], one)
    return code.kernel("reduce", chip)


def quotient(source: np.dtype, result: np.dtype, rank: int, chip: str) -> str:
    """The program of `y[...] = x[...] / n`, rounded to `result`; the last parameter is `n`, i64."""
    code = _Code()
    sums = code.buffer("x", source, rank)
    means = code.buffer("y", result, rank)
    code.arguments.append("%n: i64")
    kind = _spell(source)
    count = code.let(f"arith.sitofp %n : i64 to {kind}")

    def one(at: Sequence[str]) -> None:
        mean = code.let(f"arith.divf {sums.load(at)}, {count} : {kind}")
        means.store(code.convert(mean, source, result), at)

    code.for_each([sums.size(dim) for dim in range(rank)], one)
    return code.kernel("quotient", chip)


# Types and operations -----------------------------------------------------------------------------


def _compute_type(types: Types) -> np.dtype:
    """What one thread computes in; halves are exact in f32."""
    return (
        np.dtype(np.float32)
        if types.accumulate.itemsize == 2 and _floats(types.accumulate)
        else types.accumulate
    )


def _floats(dtype: np.dtype) -> bool:
    return dtype != BOOL and dtype.kind not in "iu"


def _spell(dtype: np.dtype) -> str:
    """The MLIR type: integers lose their sign."""
    return ir_name(dtype).removeprefix("u")


def _combine(code: _Code, name: str, kind: np.dtype, a: str, b: str) -> str:
    if _floats(kind):
        operation = {"sum": "addf", "prod": "mulf", "max": "maximumf", "min": "minimumf"}[name]
    elif name in ("sum", "prod"):
        operation = {"sum": "addi", "prod": "muli"}[name]
    else:
        operation = f"{name}{'s' if kind.kind == 'i' else 'u'}i"
    return code.let(f"arith.{operation} {a}, {b} : {_spell(kind)}")


def _pick(
    code: _Code,
    name: str,
    kind: np.dtype,
    best: Sequence[str],
    element: str,
    indices: Sequence[str],
    sizes: Sequence[str],
) -> list[str]:
    """The better of the extreme so far and one element, with its position in row-major order. The
    first of equals stays; a NaN beats every number."""
    order, spelled = ("gt" if name == "argmax" else "lt"), _spell(kind)
    if _floats(kind):
        beats = code.let(f"arith.cmpf o{order}, {element}, {best[0]} : {spelled}")
        nan = code.let(f"arith.cmpf uno, {element}, {element} : {spelled}")
        number = code.let(f"arith.cmpf ord, {best[0]}, {best[0]} : {spelled}")
        beats = code.let(f"arith.ori {beats}, {code.let(f'arith.andi {nan}, {number} : i1')} : i1")
    else:
        sign = "s" if kind.kind == "i" else "u"
        beats = code.let(f"arith.cmpi {sign}{order}, {element}, {best[0]} : {spelled}")
    position = "%c0"
    for index, size in zip(indices, sizes, strict=True):
        scaled = code.let(f"arith.muli {position}, {size} : index")
        position = code.let(f"arith.addi {scaled}, {index} : index")
    place = code.let(f"arith.index_cast {position} : index to i64")
    return [
        code.let(f"arith.select {beats}, {element}, {best[0]} : {spelled}"),
        code.let(f"arith.select {beats}, {place}, {best[1]} : i64"),
    ]


# Text ---------------------------------------------------------------------------------------------


@dataclass
class _Code:
    """The lines of a kernel, and the names in them."""

    arguments: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    names: int = 0

    def let(self, expression: str) -> str:
        """A new name for the value of an expression."""
        self.names += 1
        self.lines.append(f"%v{self.names} = {expression}")
        return f"%v{self.names}"

    def constant(self, value: int, dtype: np.dtype) -> str:
        number = f"{value}.0" if _floats(dtype) else str(value)
        return self.let(f"arith.constant {number} : {_spell(dtype)}")

    def buffer(self, name: str, dtype: np.dtype, rank: int) -> _Buffer:
        """Arguments for a strided buffer, which `name` then is."""
        kind = _spell(dtype)
        sizes = [f"%{name}_size{dim}" for dim in range(rank)]
        strides = [f"%{name}_stride{dim}" for dim in range(rank)]
        flat = f"memref<{kind}, {_GLOBAL}>"
        dynamic = ", ".join("?" * rank)
        shaped = f"memref<{'?x' * rank}{kind}, strided<[{dynamic}], offset: ?>, {_GLOBAL}>"
        self.arguments.append(f"%{name}: {flat}")
        self.arguments += [f"{argument}: index" for argument in (*sizes, *strides)]
        value = self.let(
            f"memref.reinterpret_cast %{name} to offset: [%c0], sizes: [{', '.join(sizes)}], "
            f"strides: [{', '.join(strides)}] : {flat} to {shaped}"
        )
        return _Buffer(self, value, shaped, sizes)

    def convert(self, value: str, source: np.dtype, target: np.dtype) -> str:
        """A value of another element type; see `Types` for which conversions there are."""
        old, new = _spell(source), _spell(target)
        if _floats(source):
            operation = "extf" if target.itemsize > source.itemsize else "truncf"
        elif _floats(target):
            operation = "sitofp" if source.kind == "i" else "uitofp"
        elif target.itemsize < source.itemsize:
            operation = "trunci"
        else:
            operation = "extsi" if source.kind == "i" else "extui"
        return value if old == new else self.let(f"arith.{operation} {value} : {old} to {new}")

    def for_each(self, sizes: Sequence[str], one: _One) -> None:
        """Calls `one` for a position, which a thread of the launch has; each takes its turns."""
        count = "%c1"
        for size in sizes:
            count = self.let(f"arith.muli {count}, {size} : index")
        self.lines.append(f"scf.for %flat = %thread to {count} step %threads {{")
        at: list[str] = []
        rest = "%flat"
        for size in reversed(sizes):
            at.insert(0, self.let(f"arith.remui {rest}, {size} : index"))
            rest = self.let(f"arith.divui {rest}, {size} : index")
        one(at)
        self.lines.append("}")

    def nest(
        self, sizes: Sequence[str], carried: Sequence[tuple[str, str]], body: _Body
    ) -> list[str]:
        """Loops over a position, with values that are carried from step to step."""
        types = ", ".join(kind for _, kind in carried)

        def loop(indices: list[str], values: Sequence[str]) -> list[str]:
            if len(indices) == len(sizes):
                return body(indices, values)
            depth, number = len(indices), len(carried)
            self.names += 1
            name = f"%l{self.names}"
            inner = [f"{name}_{k}" for k in range(number)]
            pairs = ", ".join(f"{new} = {old}" for new, old in zip(inner, values, strict=True))
            self.lines.append(
                f"{name}:{number} = scf.for {name}_i = %c0 to {sizes[depth]} step %c1 "
                f"iter_args({pairs}) -> ({types}) {{"
            )
            results = loop([*indices, f"{name}_i"], inner)
            self.lines.append(f"scf.yield {', '.join(results)} : {types}\n}}")
            return [f"{name}#{k}" for k in range(number)]

        return loop([], [value for value, _ in carried])

    def kernel(self, name: str, chip: str) -> str:
        """The whole program."""
        body = "\n".join(self.lines)
        return f"""
module attributes {{pto.target = "{chip}"}} {{
gpu.module @reductions {{
gpu.func @{name}({", ".join(self.arguments)})
    kernel attributes {{known_block_size = array<i32: {BLOCK}, 1, 1>}} {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%block = arith.constant {BLOCK} : index
%tid = gpu.thread_id x
%cta = gpu.block_id x
%ctas = gpu.grid_dim x
%before = arith.muli %cta, %block : index
%thread = arith.addi %before, %tid : index
%threads = arith.muli %ctas, %block : index
{body}
gpu.return
}}
}}
}}
"""


@dataclass(frozen=True)
class _Buffer:
    """A strided buffer in global memory."""

    code: _Code
    value: str
    kind: str
    sizes: list[str]

    def size(self, dim: int) -> str:
        return self.sizes[dim]

    def load(self, at: Sequence[str]) -> str:
        return self.code.let(f"memref.load {self.value}[{', '.join(at)}] : {self.kind}")

    def store(self, value: str, at: Sequence[str]) -> None:
        self.code.lines.append(f"memref.store {value}, {self.value}[{', '.join(at)}] : {self.kind}")
