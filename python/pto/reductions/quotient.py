"""The program that divides the sums of a mean, at the level of `scf` and `memref`."""

from __future__ import annotations

import numpy as np

from .types import ir_name

BLOCK = 256
"""Threads per CTA."""

_GLOBAL = "#gpu.address_space<global>"


def quotient(source: np.dtype, result: np.dtype, rank: int, chip: str) -> str:
    """The program of `y[...] = x[...] / n` for floats, rounded to `result`.

    Its parameters are address, sizes and strides of `x`, then of `y`, then `n` (i64). Threads take
    elements in turn.
    """
    wide, narrow = ir_name(source), ir_name(result)
    x, y = _Strided("x", wide, rank), _Strided("y", narrow, rank)
    count = "\n".join(
        f"      %count{dim + 1} = arith.muli %count{dim}, %x_size{dim} : index"
        for dim in range(rank)
    )
    place = "\n".join(
        f"        %at{dim} = arith.remui %rest{dim}, %x_size{dim} : index\n"
        f"        %rest{dim - 1} = arith.divui %rest{dim}, %x_size{dim} : index"
        for dim in reversed(range(rank))
    ).replace("%rest-1", "%outermost")
    first = f"%rest{rank - 1}" if rank else "%flat"
    at = ", ".join(f"%at{dim}" for dim in range(rank))
    rounded = "%mean"
    rounding = ""
    if wide != narrow:
        operation = "truncf" if result.itemsize < source.itemsize else "extf"
        rounding = f"        %rounded = arith.{operation} %mean : {wide} to {narrow}\n"
        rounded = "%rounded"
    return f"""\
module attributes {{pto.target = "{chip}"}} {{
  gpu.module @reductions {{
    gpu.func @quotient_{wide}_{narrow}({x.arguments}, {y.arguments}, %n: i64)
        kernel attributes {{known_block_size = array<i32: {BLOCK}, 1, 1>}} {{
      %zero = arith.constant 0 : index
      %count0 = arith.constant 1 : index
      %block = arith.constant {BLOCK} : index
      %tid = gpu.thread_id x
      %cta = gpu.block_id x
      %ctas = gpu.grid_dim x
      %before = arith.muli %cta, %block : index
      %thread = arith.addi %before, %tid : index
      %threads = arith.muli %ctas, %block : index
      %divisor = arith.sitofp %n : i64 to {wide}
      {x.view}
      {y.view}
{count}
      scf.for {first} = %thread to %count{rank} step %threads {{
{place}
        %sum = memref.load %xs[{at}] : {x.type}
        %mean = arith.divf %sum, %divisor : {wide}
{rounding}        memref.store {rounded}, %ys[{at}] : {y.type}
      }}
      gpu.return
    }}
  }}
}}
"""


class _Strided:
    """The text of a strided buffer in global memory."""

    def __init__(self, name: str, kind: str, rank: int) -> None:
        sizes = [f"%{name}_size{dim}" for dim in range(rank)]
        strides = [f"%{name}_stride{dim}" for dim in range(rank)]
        flat = f"memref<{kind}, {_GLOBAL}>"
        indices = [f"{argument}: index" for argument in (*sizes, *strides)]
        self.arguments = ", ".join((f"%{name}: {flat}", *indices))
        dynamic = ", ".join("?" * rank)
        self.type = f"memref<{'?x' * rank}{kind}, strided<[{dynamic}], offset: ?>, {_GLOBAL}>"
        self.view = (
            f"%{name}s = memref.reinterpret_cast %{name} to offset: [%zero], "
            f"sizes: [{', '.join(sizes)}], strides: [{', '.join(strides)}] : {flat} to {self.type}"
        )
