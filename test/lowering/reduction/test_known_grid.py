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


@pytest.mark.parametrize("shape", [(0, 24), (24, 0)], ids=str)
@pytest.mark.parametrize("flags", ["split = 1", "split = 2", "accum"])
def test_sizes_that_are_known_may_be_zero(shape: tuple[int, int], flags: str) -> None:
    x, y = (f"!tirx.buffer<{size}xf32, global>" for size in ("x".join(map(str, shape)), shape[1]))
    kernel = compiler.compile(f"""
gpu.module @m [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @k(%x: {x}, %y: {y}, %w: !tirx.buffer<i8, global>) kernel attributes
      {{known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 3, 1, 1>}} {{
    tirx.sum grid %x -> %y axes [0] workspace(%w) {{{flags}}} : {x} -> {y}
    gpu.return
  }}
}}
""")
    found = np.zeros(shape[1], np.float32)
    kernel(np.zeros(shape, np.float32), found, np.zeros(1 << 16, np.int8))
    np.testing.assert_array_equal(found, np.zeros(shape[1]))


def test_the_grid_goes_from_the_program_to_the_launch() -> None:
    kernel = compiler.compile(SUM, target="sm_90a")
    assert kernel.grid == 3
    x = np.arange(64 * 24, dtype=np.float32).reshape(64, 24)
    y = np.zeros(24, np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y, x.sum(0))
    with pytest.raises(LaunchError, match="a grid of 4 CTAs, but its known_grid_size is 3"):
        kernel(x, y, grid=4)
