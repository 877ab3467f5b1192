"""PTX from nvcc and from LLVM; its sources are in `ptx/`."""

import ml_dtypes
import numpy as np
import pytest

from pto.errors import DeviceAssertion
from pto.sim import Buffer, launch


@pytest.fixture
def random():
    """The same numbers in every run, whatever ran before."""
    return np.random.default_rng(0)


def buffer(name, data):
    return Buffer(name, data.reshape(-1).view(np.uint8))


def start(ptx, kernel, params, *, grid=1, block, **options):
    given = [buffer(n, p) if isinstance(p, np.ndarray) else p for n, p in params.items()]
    return launch(ptx, kernel, given, grid=(grid, 1, 1), block=(block, 1, 1), **options)


def butterfly(values):
    """The sum of 32 float32 in the order of an xor shuffle."""
    values = values.copy()
    for offset in (16, 8, 4, 2, 1):
        values = values + values[np.arange(32) ^ offset]
    return values[0]


@pytest.mark.parametrize(
    "options", [{}, {"seed": 5}, {"check_races": True}, {"check_uninitialized": True}]
)
def test_block_sum(ptx, options, random):
    x, y = random.standard_normal(700).astype(np.float32), np.zeros(4, np.float32)
    start(ptx("block_sum"), "block_sum", {"x": x, "y": y, "n": 700}, grid=4, block=192, **options)
    padded = np.concatenate((x, np.zeros(68, np.float32))).reshape(4, 6, 32)
    for block in range(4):
        warps = np.array([butterfly(w) for w in padded[block]] + [0] * 26, np.float32)
        assert y[block] == butterfly(warps)


def test_divergent_loop(ptx):
    def steps(v):
        count = 0
        while v != 1:
            v, count = (3 * v + 1 if v & 1 else v // 2), count + 1
        return count

    x = np.arange(1, 301, dtype=np.int32)
    y = np.zeros_like(x)
    start(ptx("collatz"), "collatz", {"x": x, "y": y, "n": 300}, grid=3, block=128)
    np.testing.assert_array_equal(y, [steps(int(v)) for v in x])


def test_calls_local_arrays_and_a_switch(ptx):
    def expected(v):
        a = [v * k + (v ^ k) for k in range(8)]
        s = sum(a[(k + v) & 7] * k for k in range(8))
        return [s + 1, s * 3, s ^ 77, s - 5, s << 2, ~s, 0, 0][v & 7]

    x = np.arange(64, dtype=np.int32)
    y = np.zeros_like(x)
    start(ptx("calls"), "calls", {"x": x, "y": y}, block=64, check_uninitialized=True)
    np.testing.assert_array_equal(y, [expected(int(v)) for v in x])


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_last_block_finishes_the_sum(ptx, seed, random):
    x = random.integers(-100, 100, 5000).astype(np.float32)
    partial, y, ticket = np.zeros(7, np.float32), np.zeros(1, np.float32), np.zeros(1, np.uint32)
    params = {"x": x, "partial": partial, "y": y, "ticket": ticket, "n": 5000}
    start(ptx("last_block"), "last_block", params, grid=7, block=96, seed=seed, check_races=True)
    assert y[0] == x.sum()
    assert ticket[0] == 0


@pytest.mark.parametrize("options", [{}, {"seed": 1}, {"check_races": True}])
def test_column_product(ptx, options, random):
    x, y = random.standard_normal((64, 16)).astype(np.float32), np.zeros(16, np.float32)
    start(ptx("column_product"), "column_product", {"x": x, "y": y}, block=128, **options)
    parts = np.multiply.accumulate(x.reshape(8, 8, 16), axis=1)[:, -1]
    np.testing.assert_array_equal(y, np.multiply.accumulate(parts, axis=0)[-1])


def test_block_comes_from_the_kernel(ptx):
    x, y = np.ones((64, 16), np.float32), np.zeros(16, np.float32)
    launch(
        ptx("column_product"), "column_product", [buffer("x", x), buffer("y", y)], grid=(1, 1, 1)
    )
    np.testing.assert_array_equal(y, 1)


def test_mlir_assertion_names_its_source_line(ptx):
    x = np.zeros(64, np.int32)
    with pytest.raises(DeviceAssertion) as error:
        start(ptx("assertion"), "checked", {"x": x, "n": 40}, block=64)
    assert str(error.value) == (
        "rows.mlir:12: assertion failed in checked: thread beyond the valid region "
        "(thread (40,0,0) of CTA (0,0,0))"
    )
    start(ptx("assertion"), "checked", {"x": x, "n": 64}, block=64)
    np.testing.assert_array_equal(x, np.arange(64))


@pytest.mark.parametrize("target", ["sm90a", "sm100a"])
def test_half_precision_kernel(ptx, target, random):
    half, brain = np.float16, ml_dtypes.bfloat16
    x = random.standard_normal(64).astype(half)
    b = random.standard_normal(64).astype(brain)
    y, z, f = np.zeros(64, half), np.zeros(64, brain), np.zeros(64, np.float32)
    params = {"x": x, "b": b, "y": y, "z": z, "f": f}
    start(ptx(f"elementwise_{target}"), "halves", params, block=64)
    square = (x.astype(np.float32) ** 2).astype(half)
    expected = np.maximum((square.astype(np.float32) + 1.5).astype(half), x)
    np.testing.assert_array_equal(y, expected)
    square = (b.astype(np.float32) ** 2).astype(brain).astype(np.float32)
    low = np.minimum((square - 0.25).astype(brain).astype(np.float32), b.astype(np.float32))
    np.testing.assert_array_equal(z.astype(np.float32), low)
    e, g = y.astype(np.float64), z.astype(np.float64)
    whole = np.trunc((e / g).astype(np.float32)).astype(np.float64)
    np.testing.assert_array_equal(f, (whole * e + g).astype(np.float32))


@pytest.mark.parametrize("target", ["sm90a", "sm100a"])
def test_vectors_of_f32(ptx, target, random):
    a, b = (random.standard_normal((64, 4)).astype(np.float32) for _ in range(2))
    y = b.copy()
    start(ptx(f"elementwise_{target}"), "pairs", {"x": a, "y": y}, block=64)
    c = a + b
    d = c * a
    exact = d.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)
    np.testing.assert_array_equal(y, exact.astype(np.float32))


def test_packed_instructions_are_what_the_sm100a_kernel_uses(ptx):
    assert "fma.rn.f32x2" in ptx("elementwise_sm100a")
    assert "max.f32 \t%r5, %r2, %r3, %r4;" in ptx("elementwise_sm100a")


@pytest.mark.parametrize("target", ["sm90a", "sm100a"])
def test_maximum_of_three(ptx, target, random):
    x, y = random.standard_normal(256).astype(np.float32), np.zeros(64, np.float32)
    x[::7] = np.nan
    start(ptx(f"elementwise_{target}"), "max3", {"x": x, "y": y}, block=63)
    rows = x.reshape(64, 4)[:63, :3]
    np.testing.assert_array_equal(y[:63], np.fmax.reduce(rows, axis=1))


def test_atomics_and_shuffle_from_mlir(ptx, random):
    x = random.integers(-9, 9, 64).astype(np.float32)
    h, s, before = np.zeros(64, np.int32), np.zeros(64, np.float32), x.copy()
    start(ptx("elementwise_sm90a"), "atomics", {"x": x, "h": h, "s": s}, block=64)
    assert s[0] == before.sum()
    np.testing.assert_array_equal(h[:4], [60, 61, 62, 63])
    np.testing.assert_array_equal(x, before[np.arange(64) ^ 1])


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_cooperative_groups_of_a_cluster(ptx, seed, random):
    x = random.integers(0, 1000, (4, 64), dtype=np.int32)
    y, count = np.zeros_like(x), np.zeros(4, np.int32)
    start(ptx("clusters"), "swap", {"x": x, "y": y, "count": count}, grid=4, block=64, seed=seed)
    np.testing.assert_array_equal(y, x[[1, 0, 3, 2]])
    np.testing.assert_array_equal(count, 64)


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_cuda_barrier_and_bulk_copies(ptx, seed, random):
    x = random.integers(0, 1000, 256, dtype=np.int32)
    y = np.zeros_like(x)
    start(ptx("clusters"), "twice", {"x": x, "y": y}, block=64, seed=seed)
    np.testing.assert_array_equal(y, 2 * x)
