"""A kernel that says how many CTAs it gets."""

import numpy as np
import pytest

from pto import compiler
from pto.errors import LaunchError

SUM = """
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%x: !tirx.buffer<64x24xf32, global>, %y: !tirx.buffer<24xf32, global>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
    tirx.sum grid %x -> %y axes [0] {split = 1, threads = array<i64: 4, 8>}
      : !tirx.buffer<64x24xf32, global> -> !tirx.buffer<24xf32, global>
    gpu.return
  }
}
"""


def test_the_grid_goes_from_the_program_to_the_launch() -> None:
    kernel = compiler.compile(SUM, target="sm_90a")
    assert kernel.grid == 3
    x = np.arange(64 * 24, dtype=np.float32).reshape(64, 24)
    y = np.zeros(24, np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y, x.sum(0))
    with pytest.raises(LaunchError, match="a grid of 4 CTAs, but its known_grid_size is 3"):
        kernel(x, y, grid=4)
