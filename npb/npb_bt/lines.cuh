// Assigns lines along an axis to GPU threads, and computes the size of their scratch memory.
#pragma once

#include "blocks.hpp"
#include "toolbox/cuda/npb_flow.cuh"

namespace sextant::npb_bt {

// The line that a thread solves: its number, the offset of its point 0, and the distance between its points.
// `is_one` is false if the thread has no line.
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

// Returns the number of doubles in `arrays` arrays with one element per interior point.
inline std::int64_t scratch_doubles(std::int64_t n, int arrays) {
  return arrays * (n - 2) * (n - 2) * (n - 2);
}

}  // namespace sextant::npb_bt
