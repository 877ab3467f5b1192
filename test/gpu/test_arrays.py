"""Reductions of whole arrays on a GPU: what the simulator cannot show, or is too slow for.

Without a CUDA device these tests are skipped; those of tensors without PyTorch too.
"""

import numpy as np
import pytest

import pto

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)

OPERATIONS = ("sum", "prod", "max", "min", "argmax", "argmin", "mean")
TYPES = ("?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d")


def values(shape, dtype="f", seed=0):
    """Small whole numbers, and ones mostly, so that products stay in range."""
    random = np.random.default_rng(seed)
    found = random.integers(0, 4, shape)
    return np.where(random.random(shape) < 0.98, 1, found).astype(dtype)


def check(operation, x, axis, **options):
    """One reduction against NumPy's, of halves in float32."""
    host = cupy.asnumpy(x)
    wide = host.astype(np.float32) if host.dtype == np.float16 and "arg" not in operation else host
    wanted = getattr(np, operation)(wide, axis=axis)
    if wide is not host:
        wanted = np.asarray(wanted).astype(host.dtype)
    result = getattr(pto, operation)(x, axis, **options)
    assert result.dtype == wanted.dtype and result.shape == wanted.shape
    np.testing.assert_allclose(
        cupy.asnumpy(result).astype("d"), np.asarray(wanted).astype("d"), rtol=2e-3
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_all_types(operation, dtype):
    x = cupy.asarray(values((67, 260), dtype))
    for axis in (None, 0, 1):
        check(operation, x, axis)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    "shape", [(1 << 22,), (4097, 513), (65536, 64), (64, 65536), (3, 1 << 20), (300, 17, 200)]
)
def test_split_work(operation, shape):
    x = cupy.asarray(values(shape))
    for axis in (None, *range(x.ndim)):
        check(operation, x, axis)


@pytest.mark.parametrize("seed", range(60))
def test_any_array(seed):
    """Up to 4 million elements in up to three dimensions; every way to combine comes up."""
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.ones(random.integers(1, 4)))
    shape = [max(1, round(size)) for size in 2 ** (random.uniform(12, 22) * shares)]
    if random.random() < 0.5:
        shape[-1] = -(-shape[-1] // 8) * 8
    x = cupy.asarray(values(shape, random.choice(TYPES), seed))
    axis = None if random.random() < 0.3 else int(random.integers(x.ndim))
    for deterministic in (False, True):
        check(random.choice(OPERATIONS), x, axis, deterministic=deterministic)


@pytest.mark.parametrize("operation", ["sum", "max", "argmax"])
def test_views(operation):
    x = cupy.asarray(values((500, 300, 8)))
    for view in (x[1:, 3:-2], x[::-1, :, ::-1], x[:, ::3, 1], x.T, x[..., ::2], x.ravel()[1:]):
        for axis in (None, *range(view.ndim)):
            check(operation, view, axis)


@pytest.mark.parametrize("shape", [((1 << 31) + 8,), (3, (1 << 30) + 4), ((1 << 30) + 4, 3)])
def test_more_than_2_to_the_31_elements(shape):
    x = cupy.zeros(shape, "b")
    x[(-1,) * x.ndim] = 1
    assert int(pto.sum(x)) == 1
    assert int(pto.argmax(x)) == x.size - 1
    for axis in range(x.ndim):
        assert int(pto.max(x, axis).sum()) == 1


def test_sums_are_accurate():
    x = cupy.random.random(1 << 28, dtype=cupy.float32)
    exact = float(cupy.sum(x, dtype="d"))
    assert abs(float(pto.sum(x)) - exact) / exact < 1e-6
    assert abs(float(pto.sum(x, deterministic=True)) - exact) / exact < 1e-6


@pytest.mark.parametrize("dtype", [cupy.float32, cupy.float64])
@pytest.mark.parametrize("shape", [(1 << 20,), (1 << 24,), (65536, 256)])
def test_deterministic_sums_have_the_same_bits(shape, dtype):
    x = cupy.random.random(shape, dtype=dtype)
    found = [pto.sum(x, 0, deterministic=True) for _ in range(100)]
    assert len({cupy.asnumpy(each).tobytes() for each in found}) == 1


@pytest.mark.parametrize("operation", OPERATIONS)
def test_cuda_graphs(operation):
    x = cupy.asarray(values((1 << 20,)))
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        getattr(pto, operation)(x)
        stream.synchronize()
        stream.begin_capture()
        result = getattr(pto, operation)(x)
        graph = stream.end_capture()
        for step in range(3):
            x[step * 1000] = 2 + step
            graph.launch(stream)
            stream.synchronize()
            wanted = getattr(np, operation)(cupy.asnumpy(x))
            np.testing.assert_allclose(cupy.asnumpy(result), wanted, rtol=1e-5)


@pytest.mark.parametrize("size", [1 << 20, 1 << 24])
def test_streams_do_not_disturb_each_other(size):
    """Whether their CTAs run at once, or each wave of them fills the chip."""
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(4)]
    arrays = [cupy.full(size, number, "f") for number in range(4)]
    cupy.cuda.Device().synchronize()
    found = [[], [], [], []]
    for _ in range(20):
        for number, stream in enumerate(streams):
            with stream:
                found[number].append(pto.sum(arrays[number], deterministic=True))
    cupy.cuda.Device().synchronize()
    for number, results in enumerate(found):
        assert {float(each) for each in results} == {number * float(size)}


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "int8", "bool"])
def test_tensors(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.from_numpy(values((257, 129))).to(getattr(torch, name)).cuda()
    for axis in (None, 0, 1):
        result = pto.sum(x, axis)
        assert isinstance(result, torch.Tensor) and result.is_cuda
        wanted = x.double().sum() if axis is None else x.double().sum(axis)
        torch.testing.assert_close(result.double(), wanted, rtol=1e-2, atol=0)


def test_a_graph_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.ones(1 << 20, device="cuda")
    pto.prod(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = pto.prod(x)
    x[5] = 3
    for _ in range(3):
        graph.replay()
    assert float(result) == 3


def test_measured_plans_are_right(monkeypatch, tmp_path):
    from pto.reductions import call

    monkeypatch.setenv("PTO_AUTOTUNE", "1")
    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(call, "_calls", {})
    x = cupy.asarray(values((65536, 1024)))
    for axis in (None, 0, 1):
        check("sum", x, axis)
