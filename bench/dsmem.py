"""Time per exchange between the two CTAs of a cluster, ours beside hand-written CUDA.

Every CTA of 66 clusters sends its buffer to its peer, waits for the peer's, and meets it at a
cluster barrier: over and over in one launch, so that the difference of two launches is the time of
exchanges alone. Needs an H100 or H200, CuPy and nvcc.

    python bench/dsmem.py [--json]
"""

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy
import numpy as np

import pto

Exchange = Callable[[Any, Any, int], Any]

CLUSTERS = 66
SIZES = (1, 16, 64, 96)  # KB
FEW, MANY, REPEATS = 200, 2200, 21
BLOCK = 32

OURS = """
!part = !tirx.buffer<1x{n}xf32, global, strides = [{n}, 1]>
!tile = !tirx.buffer<1x{n}xf32, shared>
!bars = !tirx.buffer<1x!tirx.mbarrier, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @exchange(%x: !tirx.buffer<{ctas}x{n}xf32, global>,
                     %y: !tirx.buffer<{ctas}x{n}xf32, global>, %rounds: index)
      kernel attributes {{known_block_size = array<i32: {block}, 1, 1>,
                          known_cluster_size = array<i32: 2, 1, 1>, pto.grid = {ctas}}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant {bytes} : index
    %cta = gpu.block_id x
    %rank = gpu.cluster_block_id x
    %peer = arith.subi %c1, %rank : index
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    %src = tirx.alloc : !tile
    %dst = tirx.alloc : !tile
    %bars = tirx.alloc : !bars
    %mbar = tirx.mbarrier_at %bars[%c0] : !bars
    %from = tirx.subview %x[%cta, %c0] : !tirx.buffer<{ctas}x{n}xf32, global> -> !part
    %to = tirx.subview %y[%cta, %c0] : !tirx.buffer<{ctas}x{n}xf32, global> -> !part
    tirx.copy cta %from -> %src : !part -> !tile
    tirx.fence proxy_async_shared
    scf.if %first {{
      tirx.mbarrier_init %mbar count 1
      tirx.fence mbarrier_init
    }}
    tirx.cluster_sync
    scf.for %i = %c0 to %rounds step %c1 {{
      scf.if %first {{
        tirx.mbarrier_arrive_expect_tx %mbar, %bytes
        tirx.copy_async thread %src -> %dst mbar(%mbar) remote_cta(%peer) : !tile -> !tile
        %parity = arith.remui %i, %c2 : index
        tirx.mbarrier_wait %mbar parity %parity
      }}
      tirx.cluster_sync
    }}
    tirx.copy cta %dst -> %to : !tile -> !part
    gpu.return
  }}
}}
"""

CUDA = r"""
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;

__device__ uint32_t shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint32_t mapa(uint32_t address, uint32_t rank) {
  uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1)
    exchange(const float4 *x, float4 *y, long long rounds, int bytes) {
  extern __shared__ __align__(128) char memory[];
  float4 *src = (float4 *)memory, *dst = (float4 *)(memory + bytes);
  uint64_t *bar = (uint64_t *)(memory + 2 * bytes);
  cg::cluster_group cluster = cg::this_cluster();
  unsigned peer = 1 - cluster.block_rank();
  int n = bytes / 16;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    src[i] = x[(long long)blockIdx.x * n + i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  for (long long i = 0; i < rounds; i++) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(bar)),
                   "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                   "[%0], [%1], %2, [%3];" ::"r"(mapa(shared(dst), peer)), "r"(shared(src)),
                   "r"(bytes), "r"(mapa(shared(bar), peer)) : "memory");
      uint32_t done = 0;
      while (!done)
        asm volatile("{ .reg .pred p; "
                     "mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(bar)),
                     "r"((uint32_t)(i & 1)) : "memory");
    }
    cluster.sync();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[(long long)blockIdx.x * n + i] = dst[i];
}
"""


def probe() -> Any:
    """The CUDA kernel, compiled by nvcc."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "exchange.cu")
        source.write_text(CUDA)
        cubin = source.with_suffix(".cubin")
        subprocess.run([nvcc, "-arch=sm_90a", "-cubin", "-O3", source, "-o", cubin], check=True)
        return cupy.RawModule(path=str(cubin)).get_function("exchange")


def candidates(kb: int, cuda: Any) -> dict[str, Exchange]:
    """Functions of (x, y, rounds) that do as many exchanges of `kb` KB."""
    size, ctas = kb * 1024, 2 * CLUSTERS
    text = OURS.format(n=size // 4, ctas=ctas, bytes=size, block=BLOCK)
    ours = pto.compile(text, target="sm_90a")
    shared = 2 * size + 8
    cuda.max_dynamic_shared_size_bytes = max(shared, 48 * 1024)

    def by_hand(x: Any, y: Any, rounds: int) -> None:
        arguments = (x, y, np.int64(rounds), np.int32(size))
        cuda((ctas, 1, 1), (BLOCK, 1, 1), arguments, shared_mem=shared)

    return {"pto": ours, "CUDA": by_hand}


def milliseconds(function: Exchange, x: Any, y: Any, rounds: int) -> float:
    """The time of one launch."""
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    function(x, y, rounds)
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end)


def measure(kb: int, cuda: Any) -> dict[str, float]:
    """Microseconds per exchange, median over repetitions in which the candidates take turns."""
    ctas, n = 2 * CLUSTERS, kb * 256
    x = cupy.random.random((ctas, n), dtype=cupy.float32)
    wanted = x.reshape(CLUSTERS, 2, n)[:, ::-1].reshape(ctas, n)
    functions = candidates(kb, cuda)
    times: dict[str, list[float]] = {name: [] for name in functions}
    for repeat in range(REPEATS):
        for name, function in functions.items():
            y = cupy.zeros_like(x)
            if repeat == 0:
                function(x, y, 3)
                assert (y == wanted).all(), f"{name}: wrong result at {kb} KB"
            few, many = (milliseconds(function, x, y, rounds) for rounds in (FEW, MANY))
            times[name].append(1000 * (many - few) / (MANY - FEW))
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    """Prints one line per size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    cuda = probe()
    results = {kb: measure(kb, cuda) for kb in SIZES}
    if arguments.json:
        print(json.dumps(results))
        return
    print(f"{CLUSTERS} clusters of 2 CTAs; microseconds per exchange, TB/s sent over the chip")
    print(f"{'KB':>4} {'pto us':>8} {'TB/s':>6} {'CUDA us':>8} {'TB/s':>6} {'ratio':>6}")
    for kb, found in results.items():
        rate = {name: 2 * CLUSTERS * kb * 1024 / us / 1e6 for name, us in found.items()}
        print(
            f"{kb:>4} {found['pto']:>8.3f} {rate['pto']:>6.2f} {found['CUDA']:>8.3f} "
            f"{rate['CUDA']:>6.2f} {found['pto'] / found['CUDA']:>6.3f}"
        )


if __name__ == "__main__":
    main()
