"""Kernels whose tiles exceed the shared memory of a CTA."""

import pytest

from pto import compiler
from pto.errors import CompileError

TILES = """
pto.kernel @k() {
  %a = alloc_tile : !pto.tile_buf<vec, 64x64xf32>
  %b = alloc_tile : !pto.tile_buf<vec, 128x128xf32>
  %c = alloc_tile : !pto.tile_buf<vec, 256x128xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  tcolsum ins(%a : !pto.tile_buf<vec, 64x64xf32>) outs(%d : !pto.tile_buf<vec, 1x64xf32>)
}"""


def test_tiles_that_exceed_the_chip_are_named_with_their_lines_and_bytes() -> None:
    with pytest.raises(CompileError) as error:
        compiler.compile(TILES, target="sm_80")
    assert str(error.value).splitlines() == [
        "-:5:8: error: 'pto.alloc_tile' op is the largest of the kernel's tiles, which need 213248 "
        "bytes of shared memory; a CTA on sm_80 has 166912:",
        "  131072 bytes: 'pto.alloc_tile' at -:5:8",
        "  65536 bytes: 'pto.alloc_tile' at -:4:8",
        "  16384 bytes: 'pto.alloc_tile' at -:3:8",
        "  256 bytes: 'pto.alloc_tile' at -:6:8",
    ]


def test_what_one_chip_refuses_fits_another() -> None:
    assert compiler.compile(TILES, target="sm_90a").shared_bytes == 213248
