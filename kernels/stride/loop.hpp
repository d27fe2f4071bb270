// stride2, stride4, stride16, stride64: a copy that visits each element once, in steps of `stride`. It visits
// 0, stride, 2*stride, … (called lane 0), then 1, stride + 1, … (lane 1), and so on. Two arrays of N/2
// elements.
//
//     for (lane = 0; lane < stride; ++lane)
//       for (i = lane; i < n; i += stride) c[i] = b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::stride {

// Computes which element is visited as number j. Variants with one thread per visit need this. The result is
// a permutation of 0 … n-1 for every n and stride. The first n % stride lanes have one element more than the
// others.
struct Order {
  std::int64_t stride;
  std::int64_t shorter;  // elements in each short lane: n / stride
  std::int64_t longer;   // number of lanes with one element more: n % stride
  std::int64_t split;    // number of elements in all longer lanes together

  constexpr Order(std::int64_t n, std::int64_t stride_)
      : stride(stride_), shorter(n / stride_), longer(n % stride_), split(longer * (shorter + 1)) {}

  // Returns the index of the element that is visited as number j, 0 <= j < n. It takes one division, in 32
  // bits if j fits.
  constexpr std::int64_t operator()(std::int64_t j) const {
    const bool in_longer = j < split;
    const std::int64_t length = in_longer ? shorter + 1 : shorter;
    const std::int64_t rest = in_longer ? j : j - split;
    const std::int64_t lane = rest >> 32 == 0 && length >> 32 == 0
                                  ? static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(length)
                                  : rest / length;
    return (in_longer ? lane : lane + longer) + (rest - lane * length) * stride;
  }
};

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x, stride = call.problem.parameters[0];
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t lane = 0; lane < stride; ++lane)
    for (std::int64_t i = lane; i < n; i += stride) c[i] = b[i];
}

}  // namespace sextant::stride
