// stride2, stride4, stride16, stride64: a copy that visits each element once, in steps of `stride`. It visits
// 0, stride, 2*stride, … (lane 0), then 1, stride + 1, … (lane 1), and so on. Two arrays of N/2 elements.
//
//     for (lane = 0; lane < stride; ++lane)
//       for (i = lane; i < n; i += stride) c[i] = b[i];
#pragma once

#include "suite/variant.hpp"

namespace sextant::stride {

// The order of visits in closed form, for threads that each handle the j-th visit. It is a permutation of 0 …
// n-1 for every n and stride. The first n % stride lanes have one element more than the others.
struct Order {
  std::int64_t stride;
  std::int64_t shorter;  // Elements of a short lane: n / stride.
  std::int64_t longer;   // Number of long lanes: n % stride.
  std::int64_t split;    // Total elements of the long lanes.

  constexpr Order(std::int64_t n, std::int64_t stride_)
      : stride(stride_), shorter(n / stride_), longer(n % stride_), split(longer * (shorter + 1)) {}

  // The element that is visited as the j-th, 0 <= j < n. One division, in 32 bits if j fits.
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

// It is `static` so that each variant compiles its own copy with its own flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x, stride = call.problem.parameters[0];
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t lane = 0; lane < stride; ++lane)
    for (std::int64_t i = lane; i < n; i += stride) c[i] = b[i];
}

}  // namespace sextant::stride
