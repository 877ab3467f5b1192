"""Plans: each computes what NumPy does, and the model picks sensible ones."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pto.reductions import chip, launch, prepare, types
from pto.reductions.chip import Chip
from pto.reductions.model import best, time
from pto.reductions.plan import Plan, Work, candidates
from pto.reductions.problem import canonical, row_major

H200 = Chip(
    "sm_90a",
    multiprocessors=132,
    threads=2048,
    shared_bytes=232448,
    bandwidth=4e6,
    cache_bytes=60 << 20,
)


def work(shape, axis=None, itemsize=4, adds=False, ordered=False):
    """The reduction of a contiguous array, its partial results of 32 bits but for positions."""
    axes = range(len(shape)) if axis is None else (axis,)
    kept = row_major([size for dim, size in enumerate(shape) if dim not in axes])
    problem = canonical(shape, row_major(shape), axes, kept, ordered=ordered)
    aligned = problem.aligned(0, itemsize)
    return Work(problem, itemsize, aligned, adds, ordered, narrow=not ordered, free=True)


def run(operation, x, axis, plan, item):
    """A reduction under a plan, on the simulator."""
    found = types.resolve(operation, x.dtype, None, None)
    kept = [size for dim, size in enumerate(x.shape) if axis is not None and dim != axis]
    result = np.full(kept, 77, found.result)
    launch.on_simulator(prepare.launches(found, item, plan, chip.SIMULATOR), x, result)
    return result


CASES = [((3000,), None), ((120, 64), 0), ((40, 600), 1), ((9, 70, 16), 1)]


@pytest.mark.parametrize("operation", ["sum", "prod", "max", "argmin"])
@pytest.mark.parametrize(("shape", "axis"), CASES, ids=str)
def test_every_kind_of_plan_is_right(operation, shape, axis):
    random = np.random.default_rng(5)
    x = random.integers(-50, 50, shape).astype(np.float32)
    if operation == "prod":
        x = np.where(random.random(shape) < 0.01, np.float32(-2), np.float32(1))
    item = work(shape, axis, adds=operation == "sum", ordered=operation == "argmin")
    wanted = getattr(np, operation)(x, axis=axis)
    seen = set()
    for plan in candidates(item, chip.SIMULATOR, fixed=True):
        kind = plan.combine, plan.split if plan.combine == "dsmem" else 0
        if kind not in seen:
            seen.add(kind)
            result = run(operation, x, axis, plan, item)
            np.testing.assert_array_equal(result, wanted, err_msg=str(plan))
    kinds = {kind for kind, _ in seen}
    assert kinds >= {"direct", "dsmem", "last_block"}
    assert ("atomic" in kinds) == (operation == "sum")


@pytest.mark.parametrize("combine", ["direct", "dsmem", "last_block", "atomic"])
@pytest.mark.parametrize(("shape", "axis"), [*CASES, ((5, 7), 0), ((1,), None)], ids=str)
def test_a_kernel_for_one_shape_is_right(shape, axis, combine):
    x = np.random.default_rng(7).integers(-9, 9, shape).astype(np.float32)
    item = work(shape, axis, adds=True)
    plans = [
        plan for plan in candidates(item, chip.SIMULATOR, fixed=True) if plan.combine == combine
    ]
    for plan in plans[-1:]:
        result = run("sum", x, axis, replace(plan, fixed=True), item)
        np.testing.assert_array_equal(result, x.sum(axis))


@pytest.mark.parametrize("combine", ["direct", "dsmem", "last_block"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_kernel_for_one_shape_gives_the_bits_of_that_for_all(dtype, axis, combine):
    x = np.random.default_rng(11).standard_normal((88, 200)).astype(dtype)
    item = work(x.shape, axis, itemsize=x.itemsize)
    plans = [
        plan for plan in candidates(item, chip.SIMULATOR, fixed=True) if plan.combine == combine
    ]
    for plan in plans[:: max(1, len(plans) // 2)]:
        free, fixed = (run("sum", x, axis, replace(plan, fixed=f), item) for f in (False, True))
        np.testing.assert_array_equal(free, fixed, err_msg=str(plan))


@pytest.mark.parametrize("seed", range(40))
def test_a_kernel_for_one_shape_gives_these_bits_under_any_plan(seed):
    random = np.random.default_rng(seed)
    operation = str(random.choice(["sum", "prod", "max", "argmin"]))
    shape, axis = tuple(random.integers(1, 400, 2).tolist()), int(random.integers(2))
    if random.random() < 0.5:
        shape = shape[0], -(-shape[1] // 8) * 8
    x = (1 + random.standard_normal(shape) / 50).astype(random.choice([np.float32, np.float16]))
    item = work(shape, axis, itemsize=x.itemsize, ordered=operation == "argmin")
    kinds = ["direct", "dsmem", "last_block", *["flagged"] * (operation != "argmin")]
    combine = random.choice(kinds)
    split = 1 if combine == "direct" else int(random.choice([2, 4, 8]))
    threads = random.choice([(64, 1), (8, 8), (4, 32), (32, 4), (128, 2)]).tolist()
    grid = split * max(1, item.strips(tuple(threads)) // int(random.choice([1, 1, 2])))
    waiting = int(random.choice([1, 2, 30])) if combine == "flagged" else 0
    plan = Plan(
        str(combine),
        tuple(threads),
        item.vector,
        int(random.choice([1, 2, 4, 8])),
        split if combine == "dsmem" else 1,
        split,
        grid + waiting,
        waiting,
    )
    free, fixed = (run(operation, x, axis, replace(plan, fixed=f), item) for f in (False, True))
    np.testing.assert_array_equal(free, fixed, err_msg=str(plan))
    wanted = getattr(np, operation)(x.astype(np.float64), axis)
    np.testing.assert_allclose(fixed, wanted, rtol=1e-2, err_msg=str(plan))


FLAGGED = [((20000,), None), ((3, 9008), 1), ((2500, 64), 0)]
CACHED = replace(chip.SIMULATOR, cache_bytes=1 << 20)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32])
@pytest.mark.parametrize(("shape", "axis"), FLAGGED, ids=str)
def test_a_plan_with_flags_is_right(shape, axis, dtype):
    x = np.random.default_rng(12).integers(0, 3, shape).astype(dtype)
    item = work(shape, axis, itemsize=x.itemsize)
    (plan,) = (p for p in candidates(item, CACHED, fixed=True) if p.combine == "flagged")
    for fixed in (False, True):
        result = run("max", x, axis, replace(plan, fixed=fixed), item)
        np.testing.assert_array_equal(result, x.max(axis))


@pytest.mark.parametrize("operation", ["sum", "argmax"])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_kernel_for_one_shape_walks_any_strides(operation, backwards):
    base = np.random.default_rng(9).permutation(5 * 64 * 8).astype(np.float32).reshape(5, 64, 8)
    x = np.broadcast_to(base[:, ::-1] if backwards else base, (3, *base.shape))
    strides = [stride // 4 for stride in x.strides]
    ordered = operation == "argmax"
    problem = canonical(x.shape, strides, (1, 2), row_major((3, 8)), ordered=ordered)
    item = Work(problem, 4, problem.aligned(0, 4), False, ordered)
    plan = replace(best(item, chip.SIMULATOR, fixed=True), fixed=True)
    found = types.resolve(operation, x.dtype, None, None)
    result = np.full((3, 8), 77, found.result)
    launch.on_simulator(prepare.launches(found, item, plan, chip.SIMULATOR), x, result)
    folded = x.transpose(0, 3, 1, 2).reshape(3, 8, -1)
    np.testing.assert_array_equal(result, getattr(np, operation)(folded, axis=-1))


@pytest.mark.parametrize("width", [8, 10, 0])
def test_a_kernel_for_one_shape_reduces_rows_that_lie_apart(width):
    x = np.arange(24 * 16, dtype=np.float32).reshape(24, 16)[:, :width]
    problem = canonical(x.shape, (16, 1), (0, 1), (), ordered=False)
    item = Work(problem, 4, problem.aligned(0, 4), False)
    plan = Plan("direct", (32, 1), item.vector, 2, cluster=1, split=1, grid=1, fixed=True)
    found = types.resolve("sum", x.dtype, None, None)
    result = np.full((), 77, found.result)
    launch.on_simulator(prepare.launches(found, item, plan, chip.SIMULATOR), x, result)
    assert result == x.sum()


def test_a_kernel_for_one_shape_has_no_sizes_among_its_parameters():
    item, found = work((120, 64), 0), types.resolve("sum", np.dtype(np.float32), None, None)
    plan = best(item, chip.SIMULATOR, fixed=True)
    fixed = prepare.launches(found, item, plan, chip.SIMULATOR)
    free = prepare.launches(found, item, replace(plan, fixed=False), chip.SIMULATOR)
    assert fixed.steps[0].kernel.ptx.count(".param") < free.steps[0].kernel.ptx.count(".param")


@pytest.mark.parametrize("grid", [1, 3, 8])
@pytest.mark.parametrize("combine", ["direct", "last_block", "atomic"])
def test_any_grid_will_do(grid, combine):
    x = np.random.default_rng(6).integers(0, 9, (60, 96)).astype(np.float32)
    plan = Plan(combine, (16, 8), 4, 2, cluster=1, split=1 if combine == "direct" else 2, grid=grid)
    item = work(x.shape, 0, adds=True)
    np.testing.assert_array_equal(run("sum", x, 0, plan, item), x.sum(0))


@pytest.mark.parametrize(("shape", "axis"), CASES, ids=str)
@pytest.mark.parametrize("operation", ["sum", "argmax"])
def test_the_workspace_is_as_large_as_the_lowering_says(operation, shape, axis):
    from pto.lowering.reduction.last_block import workspace_bytes

    positions = operation == "argmax"
    item = work(shape, axis, ordered=positions)
    found = types.resolve(operation, np.dtype(np.float32), None, None)
    for plan in candidates(item, chip.SIMULATOR, fixed=True):
        if plan.combine == "last_block":
            results = plan.threads[1] * (1 if item.by_rows else plan.vector)
            size = workspace_bytes(plan.grid, results, 4, positions=positions)
            assert prepare.launches(found, item, plan, chip.SIMULATOR).workspace == size


@pytest.mark.parametrize(("shape", "axis"), FLAGGED, ids=str)
def test_there_are_as_many_words_as_the_lowering_says(shape, axis):
    from pto.lowering.reduction.flagged import workspace_bytes

    item, found = work(shape, axis), types.resolve("sum", np.dtype(np.float32), None, None)
    (plan,) = (p for p in candidates(item, CACHED, fixed=True) if p.combine == "flagged")
    results = plan.threads[1] * (1 if item.by_rows else plan.vector)
    size = workspace_bytes(item.strips(plan.threads), plan.split, results)
    assert prepare.launches(found, item, plan, chip.SIMULATOR).words == size


def test_a_plan_survives_json():
    plan = best(work((1 << 20,)), H200, fixed=True)
    assert Plan.from_json(plan.to_json()) == plan
    with pytest.raises(ValueError, match="not a plan in JSON"):
        Plan.from_json("{}")


def test_only_sums_that_memory_adds_meet_in_atomics():
    for item in (work((1 << 20,)), work((65536, 1024), 0)):
        assert "atomic" not in {plan.combine for plan in candidates(item, H200, fixed=True)}


def test_a_chip_without_clusters_has_none():
    ampere = Chip(
        "sm_80",
        multiprocessors=108,
        threads=2048,
        shared_bytes=166912,
        bandwidth=2e6,
        cache_bytes=40 << 20,
    )
    plans = Counter(plan.combine for plan in candidates(work((65536, 1024), 0), ampere, fixed=True))
    assert plans["last_block"] and not plans["dsmem"]


@pytest.mark.parametrize(
    ("shape", "axis", "combine"),
    [
        ((1 << 28,), None, "flagged"),
        ((16, 16), 0, "direct"),
        ((128, 1024), 0, "direct"),
        ((1024, 65536), 0, "direct"),
        ((65536, 1024), 1, "direct"),
        ((16, 16), 1, "direct"),
    ],
    ids=str,
)
def test_work_is_split_where_the_results_leave_the_chip_idle(shape, axis, combine):
    assert best(work(shape, axis), H200, fixed=True).combine == combine


def test_a_tall_matrix_is_split_over_its_rows():
    plan = best(work((65536, 1024), 0), H200, fixed=True)
    assert plan.split > 1 and plan.grid >= 0.9 * H200.multiprocessors


@pytest.mark.parametrize(
    ("shape", "axis", "split", "waiting"),
    [
        ((1 << 20,), None, 128, 1),
        ((1 << 24,), None, 2048, 2),
        ((1 << 28,), None, 8192, 8),
        ((1024, 65536), 1, 8, 8),
        ((65536, 1024), 0, 256, 64),
    ],
    ids=str,
)
def test_ctas_that_read_once_leave_flags(shape, axis, split, waiting):
    """32 KB each, by columns as lines of 128 bytes; 128 KB of arrays much larger than the cache."""
    plan = best(work(shape, axis), H200, fixed=True)
    assert (plan.combine, plan.split, plan.waiting) == ("flagged", split, waiting)


@pytest.mark.parametrize(
    ("shape", "axis", "changes", "fixed", "flagged"),
    [
        ((1 << 24,), None, {}, False, True),
        ((1 << 24,), None, {"free": False}, False, True),
        ((1 << 24,), None, {"narrow": False}, True, False),
        ((1024, 65536), 1, {}, True, True),
        ((1024, 65536), 1, {}, False, False),
        ((1024, 65536), 1, {"free": False}, True, False),
        ((1024, 65537), 1, {}, True, False),
        ((1 << 15,), None, {}, True, False),
    ],
    ids=str,
)
def test_what_has_flags(shape, axis, changes, fixed, flagged):
    """Narrow partial results of whole vectors that some CTAs have; of rows those of kernels for one
    shape, if bits may depend on it."""
    found = candidates(replace(work(shape, axis), **changes), H200, fixed=fixed)
    assert ("flagged" in {plan.combine for plan in found}) == flagged


@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((1 << 24,), None), ((5, 7), 0), ((5, 7), 1), ((3000, 17), 0), ((17, 3000), 1), ((1, 1), 0)],
    ids=str,
)
def test_plans_fit_the_hardware(shape, axis, itemsize):
    item = work(shape, axis, itemsize)
    for plan in candidates(item, H200, fixed=True):
        assert 32 <= plan.block <= 1024 and plan.block % 32 == 0
        assert plan.grid % plan.cluster == 0 and plan.grid >= 1
        assert plan.vector * itemsize <= 16
        assert all(n & (n - 1) == 0 for n in (*plan.threads, plan.vector, plan.unroll))
        assert time(plan, item, H200) > 0


def test_large_sums_come_near_the_bandwidth():
    item = work((1 << 28,), adds=True)
    assert time(best(item, H200, fixed=True), item, H200) < 1.05 * (1 << 30) / H200.bandwidth


@pytest.mark.parametrize(
    ("elements", "streamed"), [(1 << 20, False), (1 << 24, True), (1 << 26, True), (1 << 28, False)]
)
def test_arrays_about_as_large_as_the_cache_are_streamed(elements, streamed):
    assert best(work((elements,)), H200, fixed=True).streaming == streamed


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
def test_streamed_vectors_are_read_right(dtype):
    x = np.random.default_rng(8).integers(0, 3, 700).astype(dtype)
    item = work(x.shape, itemsize=x.itemsize)
    plan = best(item, chip.SIMULATOR, fixed=True)
    assert plan.streaming and plan.vector * x.itemsize == 16
    assert run("max", x, None, plan, item) == x.max()
