"""Texts of handwritten kernels that reduce buffers, and the arrays with which they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np

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
    result: str | None = None
    """The element type of the destination, None for that of the source."""
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
            arguments.append(np.zeros(held.shape, y.dtype))
        return arguments

    # Text ------------------------------------------------------------------------------------

    def text(self) -> str:
        """The kernel."""
        if self.layouts is not None:
            return self._kernel(self._distributed(*self.layouts), f"%z: {self.every()}")
        return self._kernel(self._shared() if self.memory == "shared" else self._local())

    def source(self, memory: str, layout: object = "", shape: Shape | None = None) -> str:
        """The type of a buffer like the source."""
        return buffer(shape or self.src, self.dtype, memory, layout)

    def destination(self, memory: str, layout: object = "", shape: Shape | None = None) -> str:
        """The type of a buffer like the destination."""
        return buffer(shape or self.dst, self.result or self.dtype, memory, layout)

    def every(self) -> str:
        """The type of `%z`: a row for each thread."""
        assert self.layouts is not None
        return self.destination("global", shape=self.layouts[1].held(self.threads).shape)

    def _kernel(self, body: str, *more: str) -> str:
        x = self.source("global", shape=self.whole(self.src))
        y = self.destination("global", shape=self.whole(self.dst))
        if self.groups > 1 or self.alone:
            body = f"""
    %size = arith.constant {self.size} : index
    %group = arith.divui %thread, %size : index{body}"""
        return kernel([f"%x: {x}", f"%y: {y}", *more], self.threads, body)

    def _parts(self, memory: str, src: str, dst: str) -> tuple[str, str, str]:
        """This scope's parts of arguments or of shared buffers: the text and their names."""
        if self.groups == 1:
            return "", src, dst
        text = ""
        for name, whole, shape, make in (
            ("%xs", src, self.src, self.source),
            ("%ys", dst, self.dst, self.destination),
        ):
            kind, part = make(memory, shape=self.whole(shape)), make(memory)
            text += f"""
    {name}_size = arith.constant {prod(shape)} : index
    {name}_at = arith.muli %group, {name}_size : index
    {name} = tirx.view {whole} offset {name}_at : {kind} -> {part}"""
        return text, "%xs", "%ys"

    def _reduce(self, memory: str, src: str, dst: str) -> str:
        """The operation, on regions of the buffers if there are."""
        if self.region is None:
            return self._op(src, dst, self.source(memory), self.destination(memory))
        text, kinds = "", []
        for name, whole, shape, at, part, make in (
            ("%sr", src, self.src, self.region.src_at, self.region.src, self.source),
            ("%dr", dst, self.dst, self.region.dst_at, self.region.dst, self.destination),
        ):
            kinds.append(make(memory, f", strides = {list(strides(shape))}", part))
            for dim, offset in enumerate(at):
                text += f"\n    {name}{dim} = arith.constant {offset} : index"
            offsets = ", ".join(f"{name}{dim}" for dim in range(len(at)))
            text += (
                f"\n    {name} = tirx.subview {whole}[{offsets}] : {make(memory)} -> {kinds[-1]}"
            )
        return text + self._op("%sr", "%dr", *kinds)

    def _op(self, src: str, dst: str, src_kind: str, dst_kind: str) -> str:
        flags = ", ".join(filter(None, ["accum" if self.accum else "", self.flags]))
        attributes = f" {{{flags}}}" if flags else ""
        return f"""
    tirx.{self.op} {self.scope} {src} -> {dst} axes {list(self.axes)}{attributes}
      : {src_kind} -> {dst_kind}"""

    def _load(self, scope: str, y: str, y_kind: str, b_kind: str) -> str:
        """The old destination, if it is read or a part of it is not written."""
        if not self.accum and self.region is None:
            return ""
        return f"\n    tirx.copy {scope} {y} -> %b : {y_kind} -> {b_kind}"

    def _local(self) -> str:
        text, src, dst = self._parts("global", "%x", "%y")
        a, b = self.source("local"), self.destination("local")
        x, y = self.source("global"), self.destination("global")
        load = self._load("thread", dst, y, b)
        return f"""{text}
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy thread {src} -> %a : {x} -> {a}{load}{self._reduce("local", "%a", "%b")}
    tirx.copy thread %b -> {dst} : {b} -> {y}"""

    def _shared(self) -> str:
        x, a = (self.source(memory, shape=self.whole(self.src)) for memory in ("global", "shared"))
        y, b = (
            self.destination(memory, shape=self.whole(self.dst)) for memory in ("global", "shared")
        )
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
    tirx.copy cta %x -> %a : {x} -> {a}{self._load("cta", "%y", y, b)}
    gpu.barrier{work}
    gpu.barrier
    tirx.copy cta %b -> %y : {b} -> {y}"""

    def _distributed(self, src_layout: Layout, dst_layout: Layout) -> str:
        text, src, dst = self._parts("global", "%x", "%y")
        a, b = self.source("local", src_layout), self.destination("local", dst_layout)
        x, y = self.source("global"), self.destination("global")
        load = self._load(self.scope, dst, y, b)
        return f"""{text}
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy {self.scope} {src} -> %a : {x} -> {a}{load}{self._op("%a", "%b", a, b)}
    tirx.copy {self.scope} %b -> {dst} : {b} -> {y}{self.store_copies("%b", b)}"""

    def store_copies(self, name: str, kind: str) -> str:
        """Text that stores what each thread holds of a distributed buffer into its row of `%z`."""
        assert self.layouts is not None
        own = self.layouts[1].own()
        shape = tuple(extent for extent, _ in own)
        pitches = f", strides = {[stride for _, stride in own]}" if own else ""
        element = self.result or self.dtype
        local, row = (buffer(shape, element, m) for m in (f"local{pitches}", "global"))
        return f"""
    %slots = arith.constant {prod(shape)} : index
    %row_at = arith.muli %thread, %slots : index
    %own = tirx.own {name} : {kind} -> {local}
    %row = tirx.view %z offset %row_at : {self.every()} -> {row}
    tirx.copy thread %own -> %row : {local} -> {row}"""


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
