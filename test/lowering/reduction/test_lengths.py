"""Any length, shape and layout: what the tables of cases do not think of."""

from math import prod

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tirx_values
from pto import compiler
from tirx_kernels import Layout, Reduction

OPS = st.sampled_from(("sum", "prod", "max", "min"))
DTYPES = st.sampled_from(("f32", "f16", "i32"))
TARGETS = st.sampled_from(("sm_90a", "sm_100a"))


def check(r: Reduction, target: str) -> None:
    x, y = tirx_values.data(r, seed=prod(r.src))
    found = r.arguments(x, y)
    compiler.compile(r.text(), target=target)(*found)
    tirx_values.check(r, x, y, found)


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
@pytest.mark.parametrize("dtype", ["f32", "f16", "i32"])
@pytest.mark.parametrize("op", ["sum", "prod", "max", "min"])
@settings(max_examples=15, deadline=None)
@given(length=st.integers(1, 300), accum=st.booleans(), half=st.booleans())
def test_a_vector_in_one_thread(
    op: str, dtype: str, target: str, length: int, accum: bool, half: bool
) -> None:
    """`half`: partial results in f16, two at once."""
    partials = "f16" if half and dtype == "f16" else None
    flags = "accumulate = f16" if partials else ""
    r = Reduction(op, dtype, (length,), (1,), (0,), accum, flags, threads=3, partials=partials)
    check(r, target)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Source, destination and axes; the destination has 1 or nothing in place of each axis."""
    rank = draw(st.integers(1, 4))
    src = tuple(draw(st.lists(st.integers(1, 40 if rank < 3 else 9), min_size=rank, max_size=rank)))
    axes = tuple(draw(st.lists(st.integers(0, rank - 1), min_size=1, max_size=rank, unique=True)))
    dst = tuple(1 if dim in axes else size for dim, size in enumerate(src))
    dropped = tuple(size for dim, size in enumerate(src) if dim not in axes)
    return src, dropped if dropped and draw(st.booleans()) else dst, axes


@settings(max_examples=150, deadline=None)
@given(
    shape=shapes(),
    op=OPS,
    dtype=DTYPES,
    accum=st.booleans(),
    scope=st.sampled_from(("thread", "warp", "warpgroup", "cta")),
    alone=st.booleans(),
    threads=st.integers(1, 300),
    target=TARGETS,
)
def test_shared_memory(
    shape: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]],
    op: str,
    dtype: str,
    accum: bool,
    scope: str,
    alone: bool,
    threads: int,
    target: str,
) -> None:
    """A CTA of any size; threads, warps or warpgroups, each on a part or one of them alone."""
    src, dst, axes = shape
    if scope != "cta":
        threads = 256 if alone else {"thread": 3, "warp": 96, "warpgroup": 256}[scope]
    r = Reduction(
        op,
        dtype,
        src,
        dst,
        axes,
        accum,
        memory="shared",
        scope=scope,
        threads=threads,
        alone=alone and scope != "cta",
    )
    check(r, target)


@st.composite
def distributed(draw: st.DrawFn) -> dict[str, object]:
    """A buffer whose lanes and warps are spread over its dimensions in any order, and the layout of
    what is left of it."""
    scope = draw(st.sampled_from(("warp", "warp", "warpgroup", "cta")))
    warps = {"warp": 1, "warpgroup": 4, "cta": 2}[scope]
    rank = draw(st.integers(1, 3))
    # Factors of the lanes' and warps' numbers, in any order, each for a dimension or for copies.
    factors = [(n, s, "laneid") for n, s in _mixed_radix(draw, 32)]
    factors += [(n, s, "warpid") for n, s in _mixed_radix(draw, warps)]
    factors += [(draw(st.integers(1, 4)), None, "m") for _ in range(rank)]
    places = [(draw(st.integers(-1 if f[2] != "m" else 0, rank - 1)), f) for f in factors]
    order = draw(st.permutations(places))
    axes = draw(st.lists(st.integers(0, rank - 1), min_size=1, max_size=rank, unique=True))
    copies = [factor for dim, factor in places if dim == -1]
    src, dst = [], []
    for dim in range(rank):
        mine = [factor for place, factor in order if place == dim]
        src.append(mine or [(1, None, "m")])
        dst.append([(1, None, "m")] if dim in axes else src[-1])
        if dim in axes:
            copies += [factor for factor in mine if factor[2] != "m"]
    spelled = ", ".join(f"{n} : {s}@{axis}" for n, s, axis in copies if n > 1)
    kept = ", ".join(f"{n} : {s}@{axis}" for dim, (n, s, axis) in places if dim == -1 and n > 1)
    return {
        "src": tuple(prod(n for n, _, _ in shards) for shards in src),
        "dst": tuple(prod(n for n, _, _ in shards) for shards in dst),
        "axes": tuple(axes),
        "scope": scope,
        "threads": {"warp": 64, "warpgroup": 256, "cta": 64}[scope],
        "layouts": (Layout(_spell(src), kept), Layout(_spell(dst), spelled)),
    }


def _mixed_radix(draw: st.DrawFn, count: int) -> list[tuple[int, int]]:
    """`count` threads as digits: extent and stride of each."""
    digits, stride = [], 1
    while stride < count:
        extent = draw(st.sampled_from([2**i for i in range(1, 6) if stride * 2**i <= count]))
        digits.append((extent, stride))
        stride *= extent
    return digits


def _spell(dims: list[list[tuple[int, int | None, str]]]) -> str:
    """Shards from the outermost in; a thread's own storage is row-major."""
    size, spelled = 1, []
    for extent, stride, axis in reversed([shard for shards in dims for shard in shards]):
        if axis == "m":
            spelled.insert(0, f"{extent} : {size}")
            size *= extent
        else:
            spelled.insert(0, f"{extent} : {stride}@{axis}")
    return ", ".join(spelled)


_SUBNORMAL = {
    "src": (4608, 1, 1),
    "dst": (1, 1, 1),
    "axes": (0,),
    "scope": "warpgroup",
    "threads": 256,
    "layouts": (
        Layout(
            "16 : 1@laneid, 2 : 16@laneid, 2 : 1@warpid, 2 : 2@warpid, "
            "3 : 12, 3 : 4, 4 : 1, 1 : 1, 1 : 1"
        ),
        Layout("1 : 1, 1 : 1, 1 : 1", "16 : 1@laneid, 2 : 16@laneid, 2 : 1@warpid, 2 : 2@warpid"),
    ),
}
"""So many factors that their product in f16 is subnormal."""


@example(layout=_SUBNORMAL, op="prod", dtype="f16", accum=False, target="sm_90a")
@settings(max_examples=150, deadline=None)
@given(layout=distributed(), op=OPS, dtype=DTYPES, accum=st.booleans(), target=TARGETS)
def test_distributed_buffers(
    layout: dict[str, object], op: str, dtype: str, accum: bool, target: str
) -> None:
    """Every thread that has a copy of a result has the right one."""
    check(Reduction(op, dtype, accum=accum, **layout), target)


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(1, 12), length=st.integers(1, 40), seed=st.integers(0, 2**32 - 1), op=OPS)
def test_variants_agree_on_whole_numbers(rows: int, length: int, seed: int, op: str) -> None:
    """Small whole numbers are exact in any order: every variant has the same bits."""
    random = np.random.default_rng(seed)
    x = random.integers(-2, 3, (rows, length)).astype(np.float32)
    if op == "prod":
        x = np.sign(x) * random.choice(np.array([1, 2], np.float32), x.shape)
    results = []
    for r, arrange in (
        (Reduction(op, "f32", (rows, length), (rows,), (1,)), x),
        (Reduction(op, "f32", (rows, length), (rows,), (1,), flags='dispatch = "fold"'), x),
        (
            Reduction(
                op, "f32", (rows, length), (rows,), (1,), memory="shared", scope="cta", threads=96
            ),
            x,
        ),
        (
            Reduction(
                op, "f32", (length, rows), (rows,), (0,), memory="shared", scope="cta", threads=96
            ),
            np.ascontiguousarray(x.T),
        ),
    ):
        found = r.arguments(arrange, np.zeros(rows, np.float32))
        compiler.compile(r.text(), target="sm_100a")(*found)
        results.append(found[1])
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
