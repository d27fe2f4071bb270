// Components of NAS FT that the CUDA variants share: fields, decay factors and checksums.
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "problem.hpp"
#include "toolbox/cuda/memory.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::npb_ft {

// Device memory for the fields U and w. If the problem outputs the field, w is the kernel's output array
// instead.
template <typename T>
struct GpuFields {
  DeviceMemory<T> u_memory, w_memory;
  T *u = nullptr, *w = nullptr;

  const char* make(const Call& call) {
    const std::int64_t count = call.problem.extents.count();
    if (!u_memory.allocate(count) || (!with_field(call.problem) && !w_memory.allocate(count)))
      return "device memory ran out";
    u = u_memory.data;
    w = with_field(call.problem) ? static_cast<T*>(call.address(field)) : w_memory.data;
    return nullptr;
  }
};

// Converts an index into concatenated tables of e.x, e.y and e.z elements into the axis and the index along
// it.
struct AxisIndex {
  int axis;
  std::int64_t i, n;
};
inline __device__ AxisIndex axis_index(const Extents& e, std::int64_t index) {
  if (index < e.x) return {0, index, e.x};
  index -= e.x;
  return index < e.y ? AxisIndex{1, index, e.y} : AxisIndex{2, index - e.y, e.z};
}

// Fills the tables of decay factors for steps 1 … `steps`. Each step has e.x factors, then e.y, then e.z.
__global__ static void fill_decay(Extents e, int steps, double* tables) {
  const int width = static_cast<int>(e.x + e.y + e.z);
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= steps * width) return;
  const AxisIndex at = axis_index(e, index % width);
  tables[index] = decay(at.i, at.n, index / width + 1);
}

// Computes checksums[b] in thread block b: the scaled sum of 1024 points. p(j) must return point j, 1 to
// 1024.
template <typename T, typename Point>
__device__ void add_points(Point&& p, double scale, Complex* checksums) {
  __shared__ double re[256], im[256];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  double sum_re = 0, sum_im = 0;
  for (int j = thread + 1; j <= checksum_points; j += threads) {
    const T value = p(j);
    sum_re += value.re;
    sum_im += value.im;
  }
  re[thread] = sum_re;
  im[thread] = sum_im;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      re[thread] += re[thread + half];
      im[thread] += im[thread + half];
    }
  }
  if (thread == 0) checksums[blockIdx.x] = {re[0] * scale, im[0] * scale};
}

}  // namespace sextant::npb_ft
