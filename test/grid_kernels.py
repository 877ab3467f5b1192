"""Kernels that reduce by a grid or a cluster, how to launch them, and what they must give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from pto import compiler, sim
from pto.dtypes import DTYPES, name_of
from pto.lowering.reduction.last_block import HEADER_BYTES, workspace_bytes
from pto.runtime import Kernel

POSITIONS = ("argmax", "argmin")


@dataclass(frozen=True)
class Case:
    """A kernel `k(%x, %y, %w)` that reduces `%x` over `axes` into `%y`, with a workspace.

    `strides` are those of the type of `%x`, `?` or a number each; sizes are all `?`.
    """

    op: str
    dtype: str
    strides: tuple[str, ...]
    axes: tuple[int, ...]
    flags: str = ""
    block: int = 64
    cluster: int = 1
    result: str | None = None
    scope: str = "grid"
    target: str = "sm_90a"
    has_workspace: bool = True

    @property
    def result_dtype(self) -> str:
        """The element type of `%y`."""
        return self.result or ("i64" if self.op in POSITIONS else self.dtype)

    @property
    def kept(self) -> int:
        """The rank of `%y`."""
        return len(self.strides) - len(self.axes)

    def text(self) -> str:
        """The kernel."""
        x = _buffer(self.dtype, self.strides)
        y = _buffer(self.result_dtype, ("?",) * self.kept)
        cluster = f", known_cluster_size = array<i32: {self.cluster}, 1, 1>"
        workspace = " workspace(%w)" if self.has_workspace else ""
        return f"""
gpu.module @m [#nvvm.target<chip = "{self.target}">] {{
  gpu.func @k(%x: {x}, %y: {y}, %w: !tirx.buffer<i8, global>) kernel
      attributes {{known_block_size = array<i32: {self.block}, 1, 1>{
            cluster if self.cluster > 1 else ""
        }}} {{
    tirx.{self.op} {self.scope} %x -> %y axes {list(self.axes)}{workspace} {{{self.flags}}}
      : {x} -> {y}
    gpu.return
  }}
}}
"""

    def chosen(self) -> str:
        """The variant that dispatch chooses."""
        return compiler.explain(self.text())[0].chosen


def _buffer(dtype: str, strides: tuple[str, ...]) -> str:
    if not strides:
        return f"!tirx.buffer<{dtype}, global>"
    shape = "?x" * len(strides)
    return f"!tirx.buffer<{shape}{dtype}, global, strides = [{', '.join(strides)}]>"


@cache
def compiled(case: Case) -> Kernel:
    """The kernel of a case."""
    return compiler.compile(case.text())


def workspace(case: Case, grid: int, results: int) -> np.ndarray:
    """Memory for a launch, its tickets zero and the rest not."""
    kind = DTYPES[case.dtype]
    size = max(kind.itemsize, DTYPES[case.result_dtype].itemsize, 4)
    positions = case.op in POSITIONS
    count = workspace_bytes(grid, results, size, cluster=case.cluster, positions=positions)
    memory = np.full(count, 0x5A, np.uint8)
    memory[:HEADER_BYTES] = 0
    return memory


def launch(
    kernel: Kernel, x: np.ndarray, y: np.ndarray, w: np.ndarray, grid: int, **options: Any
) -> None:
    """Runs on the simulator; `y` and `w` change in place. Options as `sim.launch` has them."""
    parameters: list[Any] = []
    for argument, array in zip(kernel.arguments, (x, y, w), strict=True):
        owner = array if array.base is None else array.base
        memory = owner.reshape(-1).view(np.uint8)
        begin = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        parameters.append(sim.Buffer(argument.name, memory, begin))
        if argument.kind == "view":
            parameters += [np.int64(size) for size in array.shape]
            parameters += [np.int64(stride // array.itemsize) for stride in array.strides]
    sim.launch(
        kernel.ptx,
        kernel.name,
        parameters,
        grid=(grid, 1, 1),
        block=(kernel.block, 1, 1),
        shared_bytes=kernel.shared_bytes,
        **options,
    )


def run(
    case: Case,
    x: np.ndarray,
    grid: int,
    y: np.ndarray | None = None,
    results: int = 512,
    **options: Any,
) -> np.ndarray:
    """The result for `x` from `y`, or from memory that holds anything; tickets must be zero
    after."""
    shape = [size for dim, size in enumerate(x.shape) if dim not in case.axes]
    if y is None:
        y = np.full(shape, 99, DTYPES[case.result_dtype])
    w = workspace(case, grid, results)
    launch(compiled(case), x, y, w, grid, **options)
    assert not w[:HEADER_BYTES].any(), "tickets are left over"
    return y


def data(case: Case, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Elements of both signs; products stay near 1, integers are of all sizes, and some extremes
    are there more than once."""
    random = np.random.default_rng(seed)
    kind = DTYPES[case.dtype]
    if case.op in ("max", "min", *POSITIONS):
        return random.integers(0 if kind.kind == "u" else -30, 30, shape).astype(kind)
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return random.integers(info.min, info.max, shape, kind, endpoint=True)
    low, high = (0.9, 1.1) if case.op == "prod" else (0.25, 4)
    return (random.uniform(low, high, shape) * random.choice([-1, 1], shape)).astype(kind)


def check(case: Case, x: np.ndarray, found: np.ndarray, old: np.ndarray | None = None) -> None:
    """Asserts that `found` is the reduction of `x` (and of `old`)."""
    axes = case.axes
    result = DTYPES[case.result_dtype]
    match case.op:
        case "argmax" | "argmin":
            kept = [dim for dim in range(x.ndim) if dim not in axes]
            rows = x.transpose([*kept, *axes]).reshape([x.shape[dim] for dim in kept] + [-1])
            np.testing.assert_array_equal(found, getattr(np, case.op)(_plain(rows), axis=-1))
        case "max" | "min":
            wanted = getattr(np, case.op)(_plain(x), axis=axes)
            if old is not None:
                pick = np.maximum if case.op == "max" else np.minimum
                wanted = pick(wanted, _plain(old))
            np.testing.assert_array_equal(_plain(found), wanted)
        case _ if result.kind in "iu":
            wanted = getattr(np, case.op)(x, axis=axes, dtype=result)
            if old is not None:
                wanted = wanted + old if case.op == "sum" else wanted * old
            np.testing.assert_array_equal(found, wanted.astype(result))
        case _:
            _check_floats(case, x, found, old)


def _plain(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64) if name_of(x.dtype) in ("f16", "bf16") else x


def _check_floats(case: Case, x: np.ndarray, found: np.ndarray, old: np.ndarray | None) -> None:
    """One rounding of a partial result per operation, and one of the result."""
    wide = x.astype(np.float64)
    wanted = getattr(np, case.op)(wide, axis=case.axes)
    size = np.sum(np.abs(wide), axis=case.axes) if case.op == "sum" else np.abs(wanted)
    if old is not None:
        extra = old.astype(np.float64)
        wanted = wanted + extra if case.op == "sum" else wanted * extra
        size = size + np.abs(extra) if case.op == "sum" else np.abs(wanted)
    partial = 2.0**-53 if case.dtype == "f64" else 2.0**-24
    count = prod(x.shape[axis] for axis in case.axes) + 1
    eps = float(ml_dtypes.finfo(DTYPES[case.result_dtype]).eps)
    bound = 1.01 * (count * partial * size + eps * np.abs(wanted))
    np.testing.assert_array_less(np.abs(found.astype(np.float64) - wanted), bound + 1e-300)
