"""Softmax, RMS norm and layer norm of the rows of a matrix, ours beside PyTorch and Triton.

Ours are the programs of `examples/`; all compute in f32, those of f16 too. `pto` computes exp,
reciprocal and square root within an ulp, `pto fast` by the machine's own instructions
(`fastmath<afn>`), as Triton does.
Every result is checked against float64. Needs a GPU, CuPy, PyTorch and Triton.

    python bench/kernels.py [--json] [--rows 8192] [--columns 4096] [--ctas 8192]
"""

# Kernels have the types of Triton, which are not those of Python.
# pyright: basic, reportIndexIssue=false, reportMissingImports=false

import argparse
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cupy
import torch
import triton
import triton.language as tl

import pto
from pto.bench.timing import TIMED, Timer

Call = Callable[[], Any]

EXAMPLES = Path(__file__).parent.parent / "examples"
KERNELS = ("softmax", "rmsnorm", "layernorm")
DTYPES = {"f32": torch.float32, "f16": torch.float16}
EPSILON = 1e-5
ROUNDS = 31
FAST = ("trowexpandexpdif", "trecip", "trsqrt", "tdivs")

PROGRAMS = {"f32": "{}.pto", "f16": "{}_f16.pto"}

# The largest error, relative to the largest result; that of f16 is rounded once, by 2^-11.
TOLERANCE = {"f32": 1e-5, "f16": 1e-5 + 2**-11}


# Triton -------------------------------------------------------------------------------------------


@triton.jit
def _softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row + at, at < n, -float("inf")).to(tl.float32)
    power = tl.exp(value - tl.max(value, 0))
    tl.store(y + row + at, power / tl.sum(power, 0), at < n)


@triton.jit
def _rmsnorm(x, weight, y, n, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row + at, at < n, 0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, 0) / n + epsilon)
    factor = tl.load(weight + at, at < n, 0.0).to(tl.float32)
    tl.store(y + row + at, value * scale * factor, at < n)


@triton.jit
def _layernorm(x, weight, bias, y, n, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row + at, at < n, 0.0).to(tl.float32)
    centered = tl.where(at < n, value - tl.sum(value, 0) / n, 0.0)
    scale = tl.rsqrt(tl.sum(centered * centered, 0) / n + epsilon)
    factor = tl.load(weight + at, at < n, 0.0).to(tl.float32)
    addend = tl.load(bias + at, at < n, 0.0).to(tl.float32)
    tl.store(y + row + at, centered * scale * factor + addend, at < n)


def by_triton(name: str, x: Any, weight: Any, bias: Any, y: Any) -> Call:
    """A program per row, with the number of warps that its own benchmark finds best."""
    m, n = x.shape
    block = triton.next_power_of_2(n)
    calls = []
    for warps in (4, 8, 16):

        def call(warps: int = warps) -> Any:
            launched: dict[str, Any] = {"BLOCK": block, "num_warps": warps}
            match name:
                case "softmax":
                    _softmax[(m,)](x, y, n, **launched)
                case "rmsnorm":
                    _rmsnorm[(m,)](x, weight, y, n, EPSILON, **launched)
                case _:
                    _layernorm[(m,)](x, weight, bias, y, n, EPSILON, **launched)
            return y

        calls.append(call)
    return min(calls, key=lambda call: triton.testing.do_bench(call, warmup=5, rep=20))


# PyTorch ------------------------------------------------------------------------------------------


def by_torch(name: str, x: Any, weight: Any, bias: Any) -> Call:
    """The function of `torch`; also the exact result, of arguments in float64."""
    functional, shape = torch.nn.functional, (x.shape[1],)
    match name:
        case "softmax":
            return lambda: torch.softmax(x, 1)
        case "rmsnorm":
            return lambda: functional.rms_norm(x, shape, weight, EPSILON)
        case _:
            return lambda: functional.layer_norm(x, shape, weight, bias, EPSILON)


# Ours ---------------------------------------------------------------------------------------------


def program(name: str, dtype: str, *, fast: bool) -> str:
    """The example for an element type as text."""
    text = (EXAMPLES / PROGRAMS[dtype].format(name)).read_text()
    if fast:
        text = re.sub(rf"pto\.({'|'.join(FAST)}) .*", r"\g<0> fastmath<afn>", text)
    return text


def by_pto(name: str, dtype: str, fast: bool, x: Any, weight: Any, bias: Any, ctas: int) -> Call:
    """The compiled example on `ctas` CTAs."""
    kernel = pto.compile(program(name, dtype, fast=fast), target=chip())
    lines = {"softmax": [], "rmsnorm": [weight[None]], "layernorm": [weight[None], bias[None]]}
    scalars = [] if name == "softmax" else [EPSILON]

    def call() -> Any:
        y = torch.empty_like(x)
        kernel(x, *lines[name], *scalars, y, grid=ctas)
        return y

    return call


def chip() -> str:
    """The target of the GPU: with what only that one has."""
    major, minor = torch.cuda.get_device_capability()
    return f"sm_{major}{minor}a"


# Measuring ----------------------------------------------------------------------------------------


def measure(name: str, dtype: str, shape: tuple[int, int], ctas: int, timer: Timer) -> Any:
    """One row of the table: times in microseconds and errors by implementation."""
    torch.manual_seed(0)
    x = torch.randn(shape, device="cuda").to(DTYPES[dtype])
    weight, bias = (torch.randn(shape[1], device="cuda").to(DTYPES[dtype]) for _ in range(2))
    calls = {
        "pto": by_pto(name, dtype, False, x, weight, bias, ctas),
        "pto fast": by_pto(name, dtype, True, x, weight, bias, ctas),
        "torch": by_torch(name, x, weight, bias),
        "triton": by_triton(name, x, weight, bias, torch.empty_like(x)),
    }
    exact = by_torch(name, x.double(), weight.double(), bias.double())()
    largest = float(exact.abs().max())
    errors: dict[str, float] = {}
    for implementation, call in calls.items():
        errors[implementation] = float((call().double() - exact).abs().max()) / largest
        wrong = f"{name}, {dtype}, {implementation}: error {errors[implementation]:.3g}"
        assert errors[implementation] <= TOLERANCE[dtype], wrong
    del exact
    # CuPy's events are on its current stream: let both libraries use PyTorch's.
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        medians = timer.medians(calls, ROUNDS)
    return {
        "name": name,
        "dtype": dtype,
        "bytes": 2 * x.numel() * x.element_size(),
        "results": {key: {"us": medians[key], "error": errors[key]} for key in calls},
    }


def markdown(results: dict[str, Any]) -> Iterator[str]:
    """What was timed on what, and a table."""
    rows, columns = results["shape"]
    yield f"{results['device']}; torch {torch.__version__}, triton {triton.__version__}."
    yield f"Rows of {rows} x {columns}; {results['ctas']} CTAs of ours."
    yield f"Timed: {TIMED}; medians of {ROUNDS}."
    yield f"A copy of 1 GiB reads and writes {results['copy_tb_s']:.2f} TB/s in the same run."
    yield "TB/s: each element read once and written once. `ratio`: our time over the best."
    yield ""
    names = list(results["rows"][0]["results"])
    header = ["kernel", *(f"{name} us" for name in names), *(f"{name} TB/s" for name in names)]
    header += ["ratio", "ratio, fast"]
    yield "| " + " | ".join(header) + " |"
    yield "|---|" + "--:|" * (len(header) - 1)
    for row in results["rows"]:
        times = [row["results"][name]["us"] for name in names]
        cells = [f"{row['name']} {row['dtype']}", *(f"{time:.1f}" for time in times)]
        cells += [f"{row['bytes'] / time / 1e6:.2f}" for time in times]
        cells += [f"{times[i] / min(times):.2f}" for i in range(2)]
        yield "| " + " | ".join(cells) + " |"


def main() -> None:
    """Prints a table, or all figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rows", type=int, default=8192)
    parser.add_argument("--columns", type=int, default=4096)
    parser.add_argument("--ctas", type=int, help="of ours; by default one per row")
    arguments = parser.parse_args()
    ctas = arguments.ctas or arguments.rows
    shape, timer = (arguments.rows, arguments.columns), Timer(cupy)
    results = {
        "device": torch.cuda.get_device_name(0),
        "shape": shape,
        "ctas": ctas,
        "rows": [measure(name, dtype, shape, ctas, timer) for name in KERNELS for dtype in DTYPES],
        "copy_tb_s": timer.copy_bandwidth(ROUNDS) / 1e6,
    }
    print(json.dumps(results) if arguments.json else "\n".join(markdown(results)))


if __name__ == "__main__":
    main()
