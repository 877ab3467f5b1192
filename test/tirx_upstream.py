"""The reduction cases of Apache TVM's TIRx tests, as parameters.

Shapes, axes, element types, layouts and thread counts are those of apache/tvm (commit 5d4dc872,
Apache-2.0), tests/python/tirx/operator/tile_primitive/cuda/reduction/test_reduction.py; the axis -1
is written as its number. The data are ours: of both signs, with old values that matter. The 18
cases that upstream skips (`accum` without `shuffle`) are among them.
"""

from __future__ import annotations

from itertools import product

from tirx_kernels import Layout, Reduction, Region, buffer

ALL = ("sum", "max", "min")
TWICE = (False, True)
LANES = "32 : 1@laneid"


def shared() -> list[Reduction]:
    """A CTA reduces shared memory; the last of the shapes is a region at distinct offsets."""
    shapes = [
        ((32, 32), (32,), (1,), None),
        ((32, 32), (32,), (0,), None),
        ((8, 16, 2, 22), (8, 16), (2, 3), None),
        ((4, 8, 6), (4, 6), (1,), None),
        ((32, 7), (32,), (1,), None),
        ((32, 32), (32,), (1,), Region((1, 1), (5, 8), (2,), (5,))),
    ]
    return [
        Reduction(
            op,
            dtype,
            src,
            dst,
            axes,
            accum,
            memory="shared",
            scope="cta",
            threads=128 if src == (8, 16, 2, 22) else 32,
            region=region,
        )
        for (src, dst, axes, region), op, dtype, accum in product(
            shapes, ALL, ("f32", "f16"), TWICE
        )
    ]


def shared_subscope() -> list[Reduction]:
    """One warp, warpgroup or thread of 256 threads reduces shared memory."""
    return [
        Reduction(
            op,
            "f32",
            (4, 8),
            (4,),
            (1,),
            accum,
            memory="shared",
            scope=scope,
            threads=256,
            alone=True,
        )
        for scope, op, accum in product(("warp", "warpgroup", "thread"), ALL, TWICE)
    ]


def local_thread_wise() -> list[Reduction]:
    """One thread reduces what it stores."""
    shapes = [
        ((1,), (1,), (0,)),
        ((4,), (1,), (0,)),
        ((7,), (1,), (0,)),
        ((16,), (1,), (0,)),
        ((32,), (1,), (0,)),
        ((4, 8), (8,), (0,)),
        ((4, 8), (4,), (1,)),
        ((3, 4, 5), (4,), (0, 2)),
        ((2, 3, 4), (2, 3), (2,)),
        ((2, 3, 4), (3, 4), (0,)),
    ]
    return [
        Reduction(op, "f32", src, dst, axes, accum)
        for (src, dst, axes), op, accum in product(shapes, ALL, TWICE)
    ]


class PartOfRegisters(Reduction):
    """Every thread of a warp reduces columns 16 to 31 of the 64 that it stores."""

    def _distributed(self, src_layout: Layout, dst_layout: Layout) -> str:
        a, b = self.source("local", src_layout), self.destination("local", dst_layout)
        x, y = self.source("global"), self.destination("global")
        own, part, result = (buffer(shape, "f32", "local") for shape in ((64,), (16,), ()))
        return f"""
    %a = tirx.alloc : {a}
    %b = tirx.alloc : {b}
    tirx.copy warp %x -> %a : {x} -> {a}
    %mine = tirx.own %a : {a} -> {own}
    %first = arith.constant 16 : index
    %part = tirx.subview %mine[%first] : {own} -> {part}
    %result = tirx.own %b : {b} -> {result}
    tirx.{self.op} thread %part -> %result axes [0] : {part} -> {result}
    tirx.copy warp %b -> %y : {b} -> {y}{self.store_copies("%b", b)}"""


def local_view_basic() -> list[Reduction]:
    """A warp whose lanes hold whole rows: every thread reduces what it stores."""
    layouts = Layout(f"{LANES}, 64 : 1"), Layout(f"{LANES}, 1 : 1")
    blocks = [
        ((32, 1, 1), (1, 2), "1 : 1, 1 : 1"),
        ((32, 4, 1), (2,), "4 : 1, 1 : 1"),
        ((32, 1, 8), (1,), "1 : 1, 8 : 1"),
    ]
    cases: list[Reduction] = []
    for op in ALL:
        for accum in TWICE:
            cases.append(
                Reduction(
                    op,
                    "f32",
                    (32, 64),
                    (32, 1),
                    (1,),
                    accum,
                    scope="warp",
                    threads=32,
                    layouts=layouts,
                )
            )
        cases.append(
            PartOfRegisters(
                op,
                "f32",
                (32, 64),
                (32, 1),
                (1,),
                scope="warp",
                threads=32,
                region=Region((0, 16), (32, 16), (0, 0), (32, 1)),
                layouts=layouts,
            )
        )
        for dst, axes, own in blocks:
            kept = Layout(f"{LANES}, 4 : 8, 8 : 1"), Layout(f"{LANES}, {own}")
            cases.append(
                Reduction(op, "f32", (32, 4, 8), dst, axes, scope="warp", threads=32, layouts=kept)
            )
    return cases


class TwoSteps(Reduction):
    """What each thread stores of its rows first, then the four lanes that share a row."""

    def _distributed(self, src_layout: Layout, dst_layout: Layout) -> str:
        whole, partial, result = (16, 16, 4, 2), (16, 1, 4, 1), (16, 1, 1, 1)
        rows = "2 : 1, 8 : 4@laneid"
        a = self.source("local", src_layout, whole)
        p = self.source("local", Layout(f"{rows}, 1 : 1, 4 : 1@laneid, 1 : 1"), partial)
        b = self.source("local", Layout(f"{rows}, 1 : 1, 1 : 1, 1 : 1", "4 : 1@laneid"), result)
        x, y = self.source("global", shape=whole), self.source("global", shape=result)
        text, src, dst = self._parts("global", "%x", "%y")
        load = f"\n    tirx.copy warp %y4 -> %b : {y} -> {b}" if self.accum else ""
        accum = " {accum}" if self.accum else ""
        return f"""{text}
    %c0 = arith.constant 0 : index
    %x4 = tirx.view {src} offset %c0 : {self.source("global")} -> {x}
    %y4 = tirx.view {dst} offset %c0 : {self.destination("global")} -> {y}
    %a = tirx.alloc : {a}
    %p = tirx.alloc : {p}
    %b = tirx.alloc : {b}
    tirx.copy warp %x4 -> %a : {x} -> {a}{load}
    tirx.{self.op} warp %a -> %p axes [1, 3] : {a} -> {p}
    tirx.{self.op} warp %p -> %b axes [2]{accum} : {p} -> {b}
    tirx.copy warp %b -> %y4 : {b} -> {y}{self.store_copies("%b", b)}"""


def local_view_complex() -> list[Reduction]:
    """The accumulators of a matrix product, 16x128 per warp: rows over eight times four lanes. In
    the end all four lanes of a row hold its result."""
    src = Layout("2 : 2, 8 : 4@laneid, 16 : 4, 4 : 1@laneid, 2 : 1")
    dst = Layout("2 : 1, 8 : 4@laneid, 1 : 1", "4 : 1@laneid")
    return [
        (Reduction if shuffle else TwoSteps)(
            op,
            dtype,
            (16, 128),
            (16, 1),
            (1,),
            accum,
            scope="warp",
            threads=32 * warps,
            layouts=(src, dst),
            partials=None if shuffle else dtype,
        )
        for warps, op, dtype, shuffle, accum in product(
            (1, 4, 8), ALL, ("f32", "f16"), TWICE, TWICE
        )
    ]


def local_optimized_3input_maxmin() -> list[Reduction]:
    """Largest and smallest of a vector in one thread."""
    return [
        Reduction(op, "f32", (length,), (1,), (0,), accum)
        for length, op, accum in product(
            (8, 16, 64, 128, 256, 7, 10, 15, 100), ("max", "min"), TWICE
        )
    ]


def local_optimized_packed_add_sum() -> list[Reduction]:
    """The sum of a vector in one thread."""
    return [
        Reduction("sum", "f32", (length,), (1,), (0,), accum)
        for length, accum in product((8, 16, 64, 128, 256, 9, 17, 63, 65, 100), TWICE)
    ]


def _over_lanes(op: str, dtype: str, inner: tuple[int, ...], own: str) -> Reduction:
    shards = ", ".join(filter(None, [LANES, own]))
    src, dst = Layout(shards), Layout(f"1 : 1, {own}" if own else "1 : 1", LANES)
    return Reduction(
        op,
        dtype,
        (32, *inner),
        (1, *inner),
        (0,),
        scope="warp",
        threads=32,
        layouts=(src, dst),
    )


def op_warp_shuffle() -> list[Reduction]:
    """The lanes of a warp, one element each."""
    return [_over_lanes(op, d, (), "") for op, d in product(("sum", "max"), ("f32", "f16"))]


def op_warp_shuffle_multi_elem() -> list[Reduction]:
    """The lanes of a warp, four elements each."""
    return [_over_lanes(op, d, (4,), "4 : 1") for op, d in product(("sum", "max"), ("f32", "f16"))]


def op_warp_shuffle_gapped_permuted_storage() -> list[Reduction]:
    """Storage with gaps: a thread's four elements lie in slots 0, 4, 2 and 6."""
    return [_over_lanes("sum", "f32", (2, 2), "2 : 2, 2 : 4")]


class MultiWarpLoop(Reduction):
    """Three times: every warp sums its 32 elements, and the first warp their four sums."""

    def text(self) -> str:
        lanes, one = f"shards = [{LANES}]", f"shards = [1 : 1], replicas = [{LANES}]"
        reg, res = buffer((32,), "f32", f"local, {lanes}"), buffer((1,), "f32", f"local, {one}")
        x, y = buffer((3, 128), "f32", "global"), buffer((3,), "f32", "global")
        x_part, y_part = buffer((32,), "f32", "global"), buffer((1,), "f32", "global")
        sums, sum_ = buffer((32,), "f32", "shared"), buffer((1,), "f32", "shared")
        return self._kernel(f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %warp = arith.divui %thread, %c32 : index
    %is_first = arith.cmpi eq, %warp, %c0 : index
    %at = arith.muli %warp, %c32 : index
    %a = tirx.alloc : {reg}
    %b = tirx.alloc : {res}
    %s = tirx.alloc : {sums}
    tirx.fill cta %zero -> %s : f32 -> {sums}
    gpu.barrier
    scf.for %i = %c0 to %c3 step %c1 {{
      %row = arith.muli %i, %c128 : index
      %first = arith.addi %row, %at : index
      %xs = tirx.view %x offset %first : {x} -> {x_part}
      %ys = tirx.view %y offset %i : {y} -> {y_part}
      %slot = tirx.view %s offset %warp : {sums} -> {sum_}
      tirx.copy warp %xs -> %a : {x_part} -> {reg}
      tirx.sum warp %a -> %b axes [0] : {reg} -> {res}
      tirx.copy warp %b -> %slot : {res} -> {sum_}
      gpu.barrier
      scf.if %is_first {{
        tirx.copy warp %s -> %a : {sums} -> {reg}
        tirx.sum warp %a -> %b axes [0] : {reg} -> {res}
        tirx.copy warp %b -> %ys : {res} -> {y_part}
      }}
      gpu.barrier
    }}""")


def warp_shuffle_multi_warp_loop() -> list[Reduction]:
    """Sums of warps, and of their sums."""
    return [MultiWarpLoop("sum", "f32", (3, 128), (3,), (1,), scope="cta", threads=128)]


def warpgroup_wg_local_layout() -> list[Reduction]:
    """Each of a warpgroup's 128 threads holds a row."""
    rows = "4 : 1@warpid, 32 : 1@laneid"
    layouts = Layout(f"{rows}, 16 : 1"), Layout(f"{rows}, 1 : 1")
    return [
        Reduction(
            op, "f32", (128, 16), (128, 1), (1,), scope="warpgroup", threads=128, layouts=layouts
        )
        for op in ("sum", "max")
    ]


FAMILIES = (
    (shared, 72),
    (shared_subscope, 18),
    (local_thread_wise, 60),
    (local_view_basic, 18),
    (local_view_complex, 72),
    (local_optimized_3input_maxmin, 36),
    (local_optimized_packed_add_sum, 20),
    (op_warp_shuffle, 4),
    (op_warp_shuffle_multi_elem, 4),
    (op_warp_shuffle_gapped_permuted_storage, 1),
    (warp_shuffle_multi_warp_loop, 1),
    (warpgroup_wg_local_layout, 2),
)
"""The families, each named after upstream's test, and how many cases it has: 308 in all."""


def cases() -> dict[str, Reduction]:
    """All cases by name."""
    found: dict[str, Reduction] = {}
    for family, _ in FAMILIES:
        for r in family():
            parts = [type(r).__name__] * (type(r) is not Reduction) + ["accum"] * r.accum
            shape = "x".join(map(str, r.region.src if r.region else r.src))
            axes = "".join(map(str, r.axes))
            base = [family.__name__, r.op, r.dtype, shape, axes, r.scope, str(r.threads), *parts]
            found["-".join(base)] = r
    return found
