// CUB's device-wide reductions of f32 behind a C interface, for `pto bench reduce`.
#include <cub/cub.cuh>

struct Multiply {
  __device__ float operator()(float a, float b) const { return a * b; }
};

// As CUB has it: without `workspace` the calls only say how many bytes it needs.
extern "C" int cub_sum(void *workspace, size_t *bytes, const float *x, float *y,
                       size_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Sum(workspace, *bytes, x, y, n, stream);
}

extern "C" int cub_prod(void *workspace, size_t *bytes, const float *x, float *y,
                        size_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(workspace, *bytes, x, y, n, Multiply(), 1.0f,
                                   stream);
}
