"""Texts of handwritten kernels that reduce buffers, and the arrays with which they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np

from pto.dtypes import DTYPES

Shape = tuple[int, ...]

SIZES = {"thread": 1, "warp": 32, "warpgroup": 128}
"""Threads of a scope; a CTA has those of the kernel."""

ALONE = {"thread": 65, "warp": 5, "warpgroup": 0}
"""The number of the thread, warp or warpgroup that works alone under `alone`."""


@dataclass(frozen=True)
class Region:
    """The parts of source and destination that a reduction reads and writes."""

    src_at: Shape
    src: Shape
    dst_at: Shape
    dst: Shape


@dataclass(frozen=True)
class Layout:
    """How a local buffer is distributed, spelled as in its type: `32 : 1@laneid, 4 : 1`."""

    shards: str
    replicas: str = ""

    def __str__(self) -> str:
        copies = f", replicas = [{self.replicas}]" if self.replicas else ""
        return f", shards = [{self.shards}]{copies}"

    def steps(self) -> list[tuple[int, int, str]]:
        """Extent, stride and axis (`m` for a thread's own storage) of each shard."""
        found = re.findall(r"(\d+) : (\d+)(?:@(\w+))?", self.shards)
        return [(int(extent), int(stride), axis or "m") for extent, stride, axis in found]

    def own(self) -> list[tuple[int, int]]:
        """Extent and stride of the dimensions of what one thread stores."""
        return [(e, stride) for e, stride, axis in self.steps() if axis == "m" and e > 1]

    def held(self, threads: int) -> np.ndarray:
        """The row-major number of the element that each thread stores in each of its slots, as an
        array of threads x slots."""
        thread = np.arange(threads)[:, None]
        own = self.own()
        sizes = [extent for extent, _ in own]
        slots = np.indices(sizes).reshape(len(own), prod(sizes))
        number, memory = np.zeros_like(thread), iter(slots)
        for extent, stride, axis in self.steps():
            match axis:
                case "laneid":
                    digit = thread % 32 // stride % extent
                case "warpid":
                    digit = thread // 32 // stride % extent
                case _:
                    digit = next(memory) if extent > 1 else 0
            number = number * extent + digit
        return np.broadcast_to(number, (threads, slots.shape[1]))


@dataclass(frozen=True)
class Reduction:
    """A kernel `k(%x, %y)` that reduces `%x` over `axes` into `%y`.

    - `local`: every thread copies its part of `%x` into its own storage.
    - `shared`: the CTA copies all of `%x` into shared memory. Under `alone` one thread, warp or
      warpgroup reduces it, the others do not.
    - With `layouts`, of source and destination: a scope copies its part into the registers of its
      threads. A third argument `%z` receives what each thread stores of the result.

    Where several scopes work, each on its part, there is one more dimension in front of `src` and
    `dst` (see `groups`).
    """

    op: str
    dtype: str
    src: Shape
    dst: Shape
    axes: Shape
    accum: bool = False
    flags: str = ""
    """Further attributes, `strict, dispatch = "fold"`."""
    memory: Literal["local", "shared"] = "local"
    scope: Literal["thread", "warp", "warpgroup", "cta"] = "thread"
    threads: int = 1
    alone: bool = False
    region: Region | None = None
    layouts: tuple[Layout, Layout] | None = None
    partials: str | None = None
    """The element type of partial results, None for the usual one: f32 for f16 and bf16."""

    @property
    def size(self) -> int:
        """Threads per scope."""
        return SIZES.get(self.scope, self.threads)

    @property
    def groups(self) -> int:
        """Scopes that work, each on its own part of the arrays."""
        return 1 if self.alone else self.threads // self.size

    def whole(self, shape: Shape) -> Shape:
        """The shape of a kernel's argument."""
        return shape if self.groups == 1 else (self.groups, *shape)

    def arguments(self, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Copies of the arrays for a call; results arrive in all but the first."""
        assert x.shape == self.whole(self.src) and y.shape == self.whole(self.dst)
        arguments = [x.copy(), y.copy()]
        if self.layouts is not None:
            held = self.layouts[1].held(self.threads)
            arguments.append(np.zeros(held.shape, DTYPES[self.dtype]))
        return arguments

    # Text ------------------------------------------------------------------------------------

    def text(self) -> str:
        """The kernel."""
        if self.layouts is not None:
            return self._kernel(self._distributed(*self.layouts), more=[self._every_copy()])
        return self._kernel(self._shared() if self.memory == "shared" else self._local())

    def _buffer(self, shape: Shape, memory: str, layout: object = "") -> str:
        return buffer(shape, self.dtype, memory, layout)

    def _kernel(self, body: str, more: list[str] | None = None) -> str:
        x, y = (self._buffer(self.whole(shape), "global") for shape in (self.src, self.dst))
        arguments = [f"%x: {x}", f"%y: {y}", *(f"%z: {kind}" for kind in more or [])]
        if self.groups > 1 or self.alone:
            body = f"""
    %size = arith.constant {self.size} : index
    %group = arith.divui %thread, %size : index{body}"""
        return kernel(arguments, self.threads, body)

    def _every_copy(self) -> str:
        assert self.layouts is not None
        return self._buffer(self.layouts[1].held(self.threads).shape, "global")

    def _part(self, result: str, whole: str, shape: Shape, memory: str) -> str:
        """This scope's part of an argument or a shared buffer."""
        part = self._buffer(shape, memory)
        return f"""
    {result}_o = arith.constant {prod(shape)} : index
    {result}_at = arith.muli %group, {result}_o : index
    {result} = tirx.view {whole} offset {result}_at : {self._buffer(self.whole(shape), memory)} -> {part}"""

    def _parts(self, memory: str, src: str, dst: str) -> tuple[str, str, str]:
        """Text, and the names of this scope's part of source and destination."""
        if self.groups == 1:
            return "", src, dst
        text = self._part("%xs", src, self.src, memory) + self._part("%ys", dst, self.dst, memory)
        return text, "%xs", "%ys"

    def _reduce(self, memory: str, src: str, dst: str) -> str:
        """The operation, on regions of the buffers."""
        kinds = [self._buffer(self.src, memory), self._buffer(self.dst, memory)]
        if self.region is None:
            return self._op(src, dst, *kinds)
        text = ""
        for side, whole, at, part in (
            (0, self.src, self.region.src_at, self.region.src),
            (1, self.dst, self.region.dst_at, self.region.dst),
        ):
            name, source = ("%sr", "%dr")[side], (src, dst)[side]
            layout = f", strides = {list(strides(whole))}"
            kind = self._buffer(part, memory, layout)
            for i, offset in enumerate(at):
                text += f"\n    {name}{i} = arith.constant {offset} : index"
            offsets = ", ".join(f"{name}{i}" for i in range(len(at)))
            text += f"\n    {name} = tirx.subview {source}[{offsets}] : {kinds[side]} -> {kind}"
            kinds[side] = kind
        return text + self._op("%sr", "%dr", *kinds)

    def _op(self, src: str, dst: str, src_kind: str, dst_kind: str) -> str:
        flags = ", ".join(filter(None, ["accum" if self.accum else "", self.flags]))
        attributes = f" {{{flags}}}" if flags else ""
        return (
            f"\n    tirx.{self.op} {self.scope} {src} -> {dst} axes {list(self.axes)}{attributes}"
            f" : {src_kind} -> {dst_kind}"
        )

    def _loads_result(self) -> bool:
        """Whether the destination is copied in first: a part of it is read, or not written."""
        return self.accum or self.region is not None

    def _local(self) -> str:
        text, src, dst = self._parts("global", "%x", "%y")
        a, b = self._buffer(self.src, "local"), self._buffer(self.dst, "local")
        x, y = self._buffer(self.src, "global"), self._buffer(self.dst, "global")
        load = f"\n    tirx.copy thread {dst} -> %b : {y} -> {b}" if self._loads_result() else ""
        return f"""{text}
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy thread {src} -> %a : {x} -> {a}{load}{self._reduce("local", "%a", "%b")}
    tirx.copy thread %b -> {dst} : {b} -> {y}"""

    def _shared(self) -> str:
        sides = [self.whole(self.src), self.whole(self.dst)]
        a, b = (self._buffer(shape, "shared") for shape in sides)
        x, y = (self._buffer(shape, "global") for shape in sides)
        load = f"\n    tirx.copy cta %y -> %b : {y} -> {b}" if self._loads_result() else ""
        text, src, dst = self._parts("shared", "%a", "%b")
        work = text + self._reduce("shared", src, dst)
        if self.alone:
            work = f"""
    %alone = arith.constant {ALONE[self.scope]} : index
    %works = arith.cmpi eq, %group, %alone : index
    scf.if %works {{{work}
    }}"""
        return f"""
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy cta %x -> %a : {x} -> {a}{load}
    gpu.barrier{work}
    gpu.barrier
    tirx.copy cta %b -> %y : {b} -> {y}"""

    def _distributed(self, src_layout: Layout, dst_layout: Layout) -> str:
        text, src, dst = self._parts("global", "%x", "%y")
        a, b = (
            self._buffer(self.src, "local", src_layout),
            self._buffer(self.dst, "local", dst_layout),
        )
        x, y = self._buffer(self.src, "global"), self._buffer(self.dst, "global")
        load = f"\n    tirx.copy {self.scope} {dst} -> %b : {y} -> {b}" if self.accum else ""
        return f"""{text}
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy {self.scope} {src} -> %a : {x} -> {a}{load}{self._op("%a", "%b", a, b)}
    tirx.copy {self.scope} %b -> {dst} : {b} -> {y}{own_copy("%b", b, dst_layout, self.dtype, self._every_copy())}"""


def buffer(shape: Shape, dtype: str, memory: str, layout: object = "") -> str:
    """A buffer type; `layout` is the rest of it."""
    return f"!tirx.buffer<{'x'.join([*map(str, shape), dtype])}, {memory}{layout}>"


def strides(shape: Shape) -> Shape:
    """Those of a row-major array."""
    return tuple(prod(shape[dim + 1 :]) for dim in range(len(shape)))


def kernel(arguments: list[str], threads: int, body: str) -> str:
    """A module with the kernel `k` of one CTA, whose body has `%thread`."""
    return f"""
gpu.module @m [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @k({", ".join(arguments)})
      kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>, pto.grid = 1}} {{
    %thread = gpu.thread_id x{body}
    gpu.return
  }}
}}
"""


def own_copy(name: str, kind: str, layout: Layout, dtype: str, every: str) -> str:
    """Stores what each thread holds of a distributed buffer into its row of `%z`, of type `every`."""
    own = layout.own()
    shape = tuple(extent for extent, _ in own)
    pitches = f", strides = {[stride for _, stride in own]}" if own else ""
    local, row = buffer(shape, dtype, "local", pitches), buffer(shape, dtype, "global")
    return f"""
    %slots = arith.constant {prod(shape)} : index
    %row_at = arith.muli %thread, %slots : index
    %own = tirx.own {name} : {kind} -> {local}
    %row = tirx.view %z offset %row_at : {every} -> {row}
    tirx.copy thread %own -> %row : {local} -> {row}"""
