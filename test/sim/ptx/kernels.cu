// nvcc -ptx -arch=sm_90a kernels.cu; one kernel per .ptx file.
extern "C" __global__ void block_sum(const float *x, float *y, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0.f;
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.f;
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x == 0) y[blockIdx.x] = v;
  }
}

extern "C" __global__ void collatz(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long v = x[i];
  int steps = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    steps++;
  }
  y[i] = steps;
}

__device__ __noinline__ int mix(int a, int b) { return a * b + (a ^ b); }

extern "C" __global__ void calls(const int *x, int *y) {
  int i = threadIdx.x;
  int a[8];
  for (int k = 0; k < 8; k++) a[k] = mix(x[i], k);
  int s = 0;
  for (int k = 0; k < 8; k++) s += a[(k + x[i]) & 7] * k;
  switch (x[i] & 7) {
    case 0: s += 1; break;
    case 1: s *= 3; break;
    case 2: s ^= 77; break;
    case 3: s -= 5; break;
    case 4: s <<= 2; break;
    case 5: s = ~s; break;
    default: s = 0;
  }
  y[i] = s;
}

extern "C" __global__ void last_block(const float *x, float *partial, float *y, unsigned *ticket,
                                      int n) {
  __shared__ float part[8];
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    v = 0;
    for (int w = 0; w < blockDim.x / 32; w++) v += part[w];
    partial[blockIdx.x] = v;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    v = 0;
    for (int b = 0; b < gridDim.x; b++) v += ((volatile float *)partial)[b];
    *y = v;
  }
}
