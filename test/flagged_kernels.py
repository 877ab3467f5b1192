"""Kernels whose partial results have flags, how to launch them, and what they must give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pto import compiler
from pto.dtypes import DTYPES
from pto.lowering.reduction import flagged
from pto.runtime import Kernel


@dataclass(frozen=True)
class Case:
    """A kernel `k(%x, %y, %w)` that reduces the last (`by_rows`) or the first dimension of `%x`."""

    op: str = "sum"
    dtype: str = "f32"
    shape: tuple[int, int] = (12, 4096)
    by_rows: bool = True
    threads: tuple[int, int] = (64, 1)
    vector: int = 4
    unroll: int = 2
    split: int = 8
    waiting: int = 2
    result: str | None = None
    target: str = "sm_90a"
    grid: int | None = None
    """CTAs; by default those that work and wait."""
    is_known: bool = True
    """Grid, sizes and strides are constants of the kernel."""

    @property
    def outputs(self) -> int:
        return self.shape[0 if self.by_rows else 1]

    @property
    def results(self) -> int:
        """Those of a strip."""
        return self.threads[1] * (1 if self.by_rows else self.vector)

    @property
    def strips(self) -> int:
        return -(-self.outputs // self.results)

    @property
    def ctas(self) -> int:
        return self.strips * self.split + self.waiting if self.grid is None else self.grid

    @property
    def workspace(self) -> np.ndarray:
        return np.zeros(flagged.workspace_bytes(self.strips, self.split, self.results), np.int8)

    def text(self, flags: str = "") -> str:
        """The kernel, its op with these attributes more."""
        shape = self.shape if self.is_known else ("?", "?")
        x = _buffer(shape, self.dtype)
        y = _buffer(shape[0 if self.by_rows else 1 :][:1], self.result or self.dtype)
        sizes = {"block": self.threads[0] * self.threads[1]}
        if self.is_known:
            sizes["grid"] = self.ctas
        known = ", ".join(f"known_{of}_size = array<i32: {n}, 1, 1>" for of, n in sizes.items())
        return f"""
gpu.module @m [#nvvm.target<chip = "{self.target}">] {{
  gpu.func @k(%x: {x}, %y: {y}, %w: !tirx.buffer<i8, global>) kernel attributes {{{known}}} {{
    tirx.{self.op} grid %x -> %y axes [{int(self.by_rows)}] workspace(%w)
      {{threads = array<i64: {self.threads[0]}, {self.threads[1]}>, vector = {self.vector},
        unroll = {self.unroll}, split = {self.split}, waiting = {self.waiting}{flags}}} : {x} -> {y}
    gpu.return
  }}
}}
"""

    def compiled(self) -> Kernel:
        text = self.text()
        assert compiler.explain(text)[0].chosen == "flagged"
        return compiler.compile(text)

    def data(self, seed: int = 0) -> np.ndarray:
        random = np.random.default_rng(seed)
        kind = DTYPES[self.dtype]
        if kind.kind in "iu" and self.op == "prod":
            return (1 + (np.indices(self.shape).sum(0) % 999 == 0)).astype(kind)
        if kind.kind in "iu":
            return random.integers(0, 100, self.shape).astype(kind)
        return (1 + random.standard_normal(self.shape) / 100).astype(kind)

    def check(self, x: np.ndarray, y: np.ndarray) -> None:
        wanted = getattr(np, self.op)(x.astype(np.float64), axis=int(self.by_rows))
        eps = {1: 0, 2: 2e-2, 4: 1e-4}[y.itemsize]
        np.testing.assert_allclose(y.astype(np.float64), wanted, rtol=eps)

    def run(self, kernel: Kernel, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        y = np.full(self.outputs, 77, DTYPES[self.result or self.dtype])
        kernel(x, y, w, grid=self.ctas)
        assert not w.any(), "words are left over"
        return y


def _buffer(shape: tuple[int | str, ...], dtype: str) -> str:
    if isinstance(shape[0], int):
        return f"!tirx.buffer<{'x'.join(map(str, shape))}x{dtype}, global>"
    strides = ", ".join(["?"] * (len(shape) - 1) + ["1"])
    return f"!tirx.buffer<{'x'.join(map(str, (*shape, dtype)))}, global, strides = [{strides}]>"


ROWS = Case()
COLUMNS = Case(shape=(512, 128), by_rows=False, threads=(8, 8))
