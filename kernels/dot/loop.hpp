// dot: the dot product of two arrays of N/2 elements. For example, 2^24 elements per array are N = 2^25.
//
//     for (i = 0; i < n; ++i) sum += a[i] * b[i];
#pragma once

#include <algorithm>

#include "suite/variant.hpp"

namespace sextant::dot {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  *call.array<T>(2) = sum;
}

// Adds dot_of_block(a, b, count) of all blocks of up to 8192 elements, in OpenMP threads.
template <typename T, typename DotOfBlock>
static void add_blocks(const Call& call, const DotOfBlock& dot_of_block) {
  constexpr std::int64_t block = 8192;
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t begin = 0; begin < n; begin += block)
    sum += dot_of_block(a + begin, b + begin, std::min(block, n - begin));
  *call.array<T>(2) = sum;
}

}  // namespace sextant::dot
