"""Time to read an array and do nothing else, in the protocol of `pto bench reduce`.

Below it no reduction can be. A kernel in CUDA C++ reads 16 bytes at once and combines them by
exclusive or, which it stores only if it is one certain word; threads, vectors in flight, CTAs and
the use of the L1 cache vary, and the fastest counts. Beside it stand the products of matrices in
results of `pto bench reduce --json`: what the geometric mean over the best other library would be
if each product took no longer than to read its array. Needs CuPy and a CUDA device.

    python bench/reading.py bench/results/h200.json
"""

import argparse
import functools
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import cupy

from pto.bench.timing import Timer

MULTIPROCESSORS = cupy.cuda.Device().attributes["MultiProcessorCount"]
ROUNDS = 31
THREADS, UNROLL, WAVES = (128, 256, 512, 1024), (1, 2, 4, 8), (1, 2, 4, 8)

READ = """
template <bool past_l1> __device__ uint4 load(const uint4 *at) {
  uint4 v;
  if (past_l1)
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
  else
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
  return v;
}

template <int threads, int unroll, bool past_l1>
__global__ void __launch_bounds__(threads) read(const uint4 *x, long long n, unsigned *y) {
  unsigned all = 0;
  const long long step = threads * unroll;
  const bool is_whole = n % step == 0;
  for (long long at = blockIdx.x * step; at < n; at += gridDim.x * step) {
    uint4 v[unroll];
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
      const long long mine = at + i * threads + threadIdx.x;
      v[i] = is_whole || mine < n ? load<past_l1>(x + mine) : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int i = 0; i < unroll; ++i)
      all ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
  }
  if (all == 0x12345678)
    y[threadIdx.x] = all;
}
"""


@functools.cache
def kernels() -> dict[tuple[int, int], list[Any]]:
    """By threads and vectors in flight, through the L1 cache and past it."""
    names = {
        (threads, unroll): [f"read<{threads}, {unroll}, {past}>" for past in ("false", "true")]
        for threads, unroll in itertools.product(THREADS, UNROLL)
    }
    every = tuple(name for found in names.values() for name in found)
    module = cupy.RawModule(code=READ, options=("--std=c++17",), name_expressions=every)
    return {key: [module.get_function(name) for name in found] for key, found in names.items()}


def microseconds(timer: Timer, size: int) -> float:
    """To read so many bytes, as fast as any of the kernels does."""
    x, y, n = cupy.ones(size, "uint8"), cupy.zeros(1024, "uint32"), size // 16
    calls: dict[str, Callable[[], object]] = {}
    for (threads, unroll), functions in kernels().items():
        once = -(-n // (threads * unroll))
        for grid in {once, *(min(once, waves * MULTIPROCESSORS) for waves in WAVES)}:
            for past, function in enumerate(functions):
                arguments = (grid,), (threads,), (x, n, y)
                calls[f"{threads} {unroll} {past} {grid}"] = functools.partial(function, *arguments)
    medians = timer.medians(calls, 3)
    fastest = sorted(medians, key=lambda name: medians[name])[:12]
    return min(timer.medians({name: calls[name] for name in fastest}, ROUNDS).values())


def products(results: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Bytes of each product of a matrix, our time and that of the best other library."""
    found: list[tuple[int, float, float]] = []
    for row in results["rows"]:
        if row["group"].startswith("prod over"):
            rows, columns = map(int, row["name"].split(" x "))
            itemsize = 4 if row["group"].endswith(", f32") else 2
            times = {name: each["us"] for name, each in row["results"].items()}
            ours = times.pop("pto")
            found.append((rows * columns * itemsize, ours, min(times.values())))
    return found


def read(path: str) -> dict[str, Any]:
    """The results in a file."""
    try:
        return json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main() -> None:
    """Prints one line per size, and what follows from them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=read)
    table = products(parser.parse_args().results)
    timer = Timer(cupy)
    reading = {size: microseconds(timer, size) for size in sorted({size for size, *_ in table})}
    print("         bytes  reading us  fastest product us")
    for size, least in reading.items():
        ours = min(ours for each, ours, _ in table if each == size)
        print(f"{size:>14,} {least:>11.1f} {ours:>19.1f}")
    # The fastest of ours counts where it is faster than the kernels here.
    floors = [min(reading[size], ours) for size, ours, _ in table]
    others = [other for *_, other in table]
    now = geometric_mean([other / ours for _, ours, other in table])
    bound = geometric_mean([other / floor for floor, other in zip(floors, others, strict=True)])
    print(f"geometric mean of {len(table)} products over the best other library: {now:.3f}")
    print(f"if each took no longer than to read its array: {bound:.3f}")


if __name__ == "__main__":
    main()
