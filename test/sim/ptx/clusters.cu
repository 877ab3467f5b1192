// nvcc -ptx -arch=sm_90 -std=c++17 clusters.cu
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

// Every CTA of a cluster of two writes the words of the other, and how many threads that has.
extern "C" __global__ void __cluster_dims__(2, 1, 1) swap(const int *x, int *y, int *count) {
  __shared__ int words[64];
  __shared__ int threads;
  auto cluster = cg::this_cluster();
  words[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    threads = 0;
  cluster.sync();
  unsigned other = cluster.block_rank() ^ 1;
  y[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(words, other)[threadIdx.x];
  atomicAdd(cluster.map_shared_rank(&threads, other), 1);
  cluster.sync();
  if (threadIdx.x == 0)
    count[blockIdx.x] = threads;
}

// Doubles 256 words in shared memory, with bulk copies there and back.
extern "C" __global__ void twice(const int *x, int *y) {
  __shared__ alignas(128) int words[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
  if (threadIdx.x == 0) {
    init(&loaded, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(words, x, cuda::aligned_size_t<16>(sizeof words), loaded);
    token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof words);
  } else {
    token = loaded.arrive();
  }
  loaded.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    words[i] *= 2;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y, words, sizeof words);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
