// segmented: y[j] is the sum of segment j of a, which consists of elements o[j] … o[j + 1] - 1. An empty
// segment has the sum 0. The kernel segmented_short has segments of 0 to 16 elements, 8 on average. In
// segmented_ruler, lengths follow a ruler sequence: at least 4, with a heavy tail.
//
//     for (i = o[0], j = 0; j < m; ++j)
//       for (y[j] = 0; i < o[j + 1]; ++i) y[j] += a[i];
#pragma once

#include "suite/variant.hpp"
#include "toolbox/draws.hpp"

namespace sextant::segmented {

enum Lengths : std::int64_t { of_few, of_ruler };  // values of Problem::parameters[0]

inline constexpr std::int64_t mean_of_few = 8;

// Total number of elements of all segments.
constexpr std::int64_t elements_of(const Problem& problem) {
  const std::int64_t m = problem.extents.x;
  return problem.parameters[0] == of_few ? mean_of_few * m : ruler_offset(m);
}

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T, typename Offset = std::int32_t>
static void loop(const Call& call) {
  const Offset* o = call.array<const Offset>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  auto i = static_cast<std::int64_t>(o[0]);
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) {
    const auto end = static_cast<std::int64_t>(o[j + 1]);
    T sum = 0;
    for (; i < end; ++i) sum += a[i];
    y[j] = sum;
  }
}

// Returns the sum of elements begin … end - 1.
template <typename T>
static inline T sum_of(const T* a, std::int64_t begin, std::int64_t end) {
  T sum = 0;
  for (std::int64_t i = begin; i < end; ++i) sum += a[i];
  return sum;
}

}  // namespace sextant::segmented
