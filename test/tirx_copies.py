"""Texts of kernels that move one tile from a matrix `%x` to a matrix `%y` by `tirx.copy_async`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from pto.dtypes import DTYPES

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tile:
    """A shared buffer of that layout (as in its type, after `shared`), and where the region of the
    copy begins in it; `whole` is its own shape where it is larger than the region."""

    layout: str = ""
    whole: Shape | None = None
    at: Shape | None = None

    def type(self, shape: Shape, dtype: str) -> str:
        """The type of the buffer, and with `whole` that of the region (of strided layouts)."""
        layout = f", {self.layout}" if self.layout else ""
        return f"!tirx.buffer<{'x'.join(map(str, shape))}x{dtype}, shared{layout}>"


@dataclass(frozen=True)
class Copy:
    """`%y = %x` by way of two tiles.

    `dsmem`: CTA `source` of each cluster stages its matrix, copies it into CTA `target`, which
    writes it out. `bulk` and `ldgsts` bring it into one tile and out of it again.
    """

    shape: Shape
    dtype: str = "f16"
    src: Tile = Tile()
    dst: Tile = Tile()
    variant: str = "dsmem"
    cluster: int = 2
    source: int = 0
    target: int = 1
    at_run_time: bool = False
    """Whether the rank of the target is only known at run time."""
    block: int = 64

    @property
    def bytes(self) -> int:
        """What one copy brings."""
        return prod(self.shape) * DTYPES[self.dtype].itemsize

    def text(self) -> str:
        """The program."""
        matrix = f"!tirx.buffer<{'x'.join(map(str, self.shape))}x{self.dtype}, global>"
        body = self._dsmem() if self.variant == "dsmem" else self._alone()
        positions = {n for tile in (self.src, self.dst) for n in (*(tile.at or ()), 0)}
        constants = {*positions, self.bytes, self.source, self.target}
        lines = "\n".join(f"    %c{n} = arith.constant {n} : index" for n in sorted(constants))
        attributes = [f"known_block_size = array<i32: {self.block}, 1, 1>"]
        if self.variant == "dsmem":
            attributes.append(f"known_cluster_size = array<i32: {self.cluster}, 1, 1>")
        attributes.append(f"pto.grid = {self.cluster if self.variant == 'dsmem' else 1}")
        return f"""
!matrix = {matrix}
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @move(%x: !matrix, %y: !matrix, %to: index)
      kernel attributes {{{", ".join(attributes)}}} {{
{lines}
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c0] : !bars
    scf.if %first {{
      tirx.mbarrier_init %m count 1
      tirx.fence mbarrier_init
    }}
{body}
    gpu.return
  }}
}}
"""

    def _tile(self, name: str, tile: Tile) -> tuple[str, str]:
        """The lines that make `%name`, and its type."""
        whole = tile.type(tile.whole or self.shape, self.dtype)
        if tile.whole is None:
            return f"    %{name} = tirx.alloc : {whole}\n", whole
        layout = tile.layout
        if "strides" not in layout:
            strides = [prod(tile.whole[i + 1 :]) for i in range(len(tile.whole))]
            layout = ", ".join(filter(None, (f"strides = {strides}", layout)))
        region = Tile(layout).type(self.shape, self.dtype)
        at = ", ".join(f"%c{n}" for n in tile.at or [0] * len(self.shape))
        return (
            f"    %{name}_whole = tirx.alloc : {whole}\n"
            f"    %{name} = tirx.subview %{name}_whole[{at}] : {whole} -> {region}\n",
            region,
        )

    def _dsmem(self) -> str:
        make_src, src = self._tile("src", self.src)
        make_dst, dst = self._tile("dst", self.dst)
        rank = "%to" if self.at_run_time else f"%c{self.target}"
        return f"""{make_src}{make_dst}    %rank = gpu.cluster_block_id x
    %is_source = arith.cmpi eq, %rank, %c{self.source} : index
    %is_target = arith.cmpi eq, %rank, {rank} : index
    tirx.cluster_sync
    scf.if %is_source {{
      tirx.copy cta %x -> %src : !matrix -> {src}
      tirx.fence proxy_async_shared
      gpu.barrier
      scf.if %first {{
        tirx.copy_async thread %src -> %dst mbar(%m) remote_cta({rank}) : {src} -> {dst}
      }}
    }}
    scf.if %is_target {{
      scf.if %first {{
        tirx.mbarrier_arrive_expect_tx %m, %c{self.bytes}
      }}
      tirx.mbarrier_wait %m parity %c0
      tirx.copy cta %dst -> %y : {dst} -> !matrix
    }}
    tirx.cluster_sync"""

    def _alone(self) -> str:
        make_dst, dst = self._tile("dst", self.dst)
        if self.variant == "ldgsts":
            return f"""{make_dst}    tirx.copy_async cta %x -> %dst : !matrix -> {dst}
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    gpu.barrier
    tirx.copy cta %dst -> %y : {dst} -> !matrix"""
        return f"""{make_dst}    scf.if %first {{
      tirx.mbarrier_arrive_expect_tx %m, %c{self.bytes}
      tirx.copy_async thread %x -> %dst mbar(%m) : !matrix -> {dst}
    }}
    gpu.barrier
    tirx.mbarrier_wait %m parity %c0
    scf.if %first {{
      tirx.copy_async thread %dst -> %y : {dst} -> !matrix
      tirx.commit_group bulk
      tirx.wait_group bulk 0
    }}"""

    def arguments(self, seed: int = 0) -> list[np.ndarray | int]:
        """Random bits for `%x`, zeros for `%y`, and the target's rank."""
        dtype = DTYPES[self.dtype]
        bits = np.random.default_rng(seed).integers(0, 256, self.bytes, np.uint8)
        return [bits.view(dtype).reshape(self.shape), np.zeros(self.shape, dtype), self.target]


def check(copy: Copy, x: np.ndarray, y: np.ndarray) -> None:
    """Raises unless every bit has arrived."""
    assert x.tobytes() == y.tobytes(), copy


def _tile(layout: str = "", whole: Shape | None = None, at: Shape | None = None) -> Tile:
    return Tile(layout, whole, at)


UPSTREAM = {
    "contiguous-2d": (Copy((128, 64)), 1),
    "contiguous-1d": (Copy((256,)), 1),
    "stride-gap": (
        Copy((8, 128), src=Tile("strides = [256, 1]"), dst=Tile("strides = [256, 1]")),
        8,
    ),
    "partial-contiguity-diff-stride": (
        Copy((8, 128), src=Tile("strides = [256, 1]"), dst=Tile("strides = [512, 1]")),
        8,
    ),
}
"""The cases of upstream's test of `dsmem` that copy, with their numbers of chunks."""

WRONG_UPSTREAM = {
    "column-major, other shards": (
        Copy(
            (64, 128),
            src=Tile("strides = [1, 64]"),
            dst=Tile("shards = [64 : 1, 2 : 8192, 64 : 64]"),
        ),
        2,
    ),
    "other offsets": (
        Copy(
            (8, 64),
            src=_tile("", (16, 64), (3, 0)),
            dst=_tile("", (32, 64), (17, 0)),
        ),
        1,
    ),
    "swizzled rows": (
        Copy(
            (7, 64),
            src=_tile("swizzle = [3, 3, 3]", (8, 64), (1, 0)),
            dst=_tile("swizzle = [3, 3, 3]", (8, 64), (1, 0)),
        ),
        1,
    ),
    "swizzled rows of other phases": (
        Copy(
            (4, 64),
            src=_tile("swizzle = [3, 3, 3]", (8, 64), (1, 0)),
            dst=_tile("swizzle = [3, 3, 3]", (8, 64), (2, 0)),
        ),
        32,
    ),
    "swizzled columns": (
        Copy(
            (8, 32),
            src=_tile("swizzle = [3, 3, 3]", (8, 64), (0, 0)),
            dst=_tile("swizzle = [3, 3, 3]", (8, 64), (0, 32)),
        ),
        32,
    ),
}
"""Copies that upstream lowers to wrong addresses, with their numbers of chunks here."""

KINDS = {
    **{f"{dtype}, 16 bytes": Copy((16 // DTYPES[dtype].itemsize,), dtype) for dtype in DTYPES},
    **{f"{dtype}, 4-D": Copy((2, 3, 4, 16), dtype) for dtype in DTYPES},
    "half of shared memory": Copy((113 * 1024 // 4,), "f32"),
    "rank at run time": Copy((64,), at_run_time=True),
    **{
        f"cluster of {cluster}, {source} to {target}": Copy(
            (32, 16), "f32", cluster=cluster, source=source, target=target, at_run_time=late
        )
        for cluster, late in product((2, 4, 8, 16), (False, True))
        for source, target in ((0, cluster - 1), (cluster - 1, 1))
    },
    **{
        f"{variant}, {dtype}": Copy((8, 32), dtype, variant=variant)
        for variant in ("bulk", "ldgsts")
        for dtype in DTYPES
    },
    "bulk, rows with gaps": Copy((8, 64), dst=Tile("strides = [72, 1]"), variant="bulk"),
    "ldgsts, rows with gaps": Copy((8, 64), dst=Tile("strides = [72, 1]"), variant="ldgsts"),
    "ldgsts, 4 bytes at a time": Copy((8, 6), dst=Tile("strides = [6, 1]"), variant="ldgsts"),
}
