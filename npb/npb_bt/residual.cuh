// The right sides of BT's forms on a GPU.
#pragma once

#include "blocks.hpp"
#include "toolbox/cuda/npb_flow.cuh"

namespace sextant::npb_bt {

// b = dt R(u). An axis after the other, as neighbours of all at once would take the registers of threads that keep memory
// busy.
template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    residual(Grid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
             double* __restrict__ b) {
  const Place at = place_of_thread();
  const std::int64_t i = at.i + 1, j = at.j + 1, k = at.k + 1, here = g.at(i, j, k), size = g.size();
  if (i > g.n - 2 || j > g.n - 2) return;
  const Scheme s(g.n);
  const Five w = load(u, size, here);
  const Derived d = derived(w);
  Five r = along_axis<0>(s, g.n, i, w, d, Stored{u, size, here, 1});
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<1>(s, g.n, j, w, d, Stored{u, size, here, g.pitch}));
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<2>(s, g.n, k, w, d, Stored{u, size, here, g.pitch * g.n}));
  store(b, size, here, times(dt, sum(r, load(f, size, here))));
}

// Line number i of inner * inner along an axis: where its point 0 lies, and how far its points are apart.
struct LineOfThread {
  std::int64_t number, at, step;
  bool is_one;
  __device__ LineOfThread(const Grid& g, int axis) {
    const std::int64_t inner = g.n - 2;
    number = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    is_one = number < inner * inner;
    const std::int64_t near = number % inner + 1, other = number / inner + 1;
    at = axis == 0 ? g.at(0, near, other) : axis == 1 ? g.at(near, 0, other) : g.at(near, other, 0);
    step = axis == 0 ? 1 : axis == 1 ? g.pitch : g.pitch * g.n;
  }
};

inline constexpr int block_doubles = components * components;

// Doubles of so many arrays with an element for each interior point.
inline std::int64_t scratch_doubles(std::int64_t n, int arrays) {
  return arrays * (n - 2) * (n - 2) * (n - 2);
}

}  // namespace sextant::npb_bt
