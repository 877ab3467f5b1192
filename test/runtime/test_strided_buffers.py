"""Kernel arguments that are strided buffers: what the type fixes is held to, the rest is taken."""

import numpy as np
import pytest

from pto import compiler
from pto.errors import CompileError, LaunchError
from pto.runtime import Kernel

SOURCE = "!tirx.buffer<?x16xf32, global, strides = [?, 1]>"
RESULT = "!tirx.buffer<8x16xf32, global, strides = [32, 1]>"
COPY = f"""
gpu.module @m {{
  gpu.func @k(%x: {SOURCE}, %y: {RESULT})
      kernel attributes {{known_block_size = array<i32: 32, 1, 1>, pto.grid = 1}} {{
    tirx.copy cta %x -> %y : {SOURCE} -> {RESULT}
    gpu.return
  }}
}}
"""


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return compiler.compile(COPY, target="sm_90a")


@pytest.mark.parametrize("width", [16, 20, 21])
def test_rows_may_lie_apart(kernel: Kernel, width: int) -> None:
    x = np.arange(8 * width, dtype=np.float32).reshape(8, width)[:, :16]
    whole = np.zeros((8, 32), np.float32)
    kernel(x, whole[:, :16])
    assert (whole[:, :16] == x).all() and not whole[:, 16:].any()


def test_another_stride_than_the_types_is_named(kernel: Kernel) -> None:
    x, y = np.zeros((8, 16), np.float32), np.zeros((8, 16), np.float32)
    with pytest.raises(LaunchError, match=r"'y': expected a stride of 32 .* dimension 0, got 16"):
        kernel(x, y)
    with pytest.raises(LaunchError, match=r"'x': expected a stride of 1 .* dimension 1, got -1"):
        kernel(x[:, ::-1], y)


def test_strides_survive_json(kernel: Kernel) -> None:
    assert Kernel.from_json(kernel.to_json()) == kernel


def test_an_argument_in_shared_memory_is_an_error() -> None:
    text = COPY.replace("16xf32, global", "16xf32, shared")
    with pytest.raises(CompileError, match="takes buffers in global memory"):
        compiler.compile(text, target="sm_90a")
