// The tuned offloaded form of kernels that compute one output element per index: teams of one warp, whose lanes take a
// 16-byte pack each at a time.
#pragma once

#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant::target {

// c[i] = Operation::apply(a[i], b[i], s) for i < n; arrays that start at multiples of 16 bytes.
template <typename Operation, typename T>
void packed_loop(std::int64_t n, const T* a, const T* b, T* c, T s, const Warps& shape) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int teams = teams_for(shape, packs);
#pragma omp target teams distribute simd num_teams(teams) thread_limit(1) map(a [0:n], b [0:n], c [0:n])
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T x[width], y[width];
      openacc::load_pack(a + i, x);
      openacc::load_pack(b + i, y);
      for (int k = 0; k < width; ++k) x[k] = Operation::apply(x[k], y[k], s);
      openacc::store_pack(c + i, x);
    } else {
      for (std::int64_t k = i; k < n; ++k) c[k] = Operation::apply(a[k], b[k], s);
    }
  }
}

// The same of one input.
template <typename Operation, typename T>
void packed_loop(std::int64_t n, const T* b, T* c, T s, const Warps& shape) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int teams = teams_for(shape, packs);
#pragma omp target teams distribute simd num_teams(teams) thread_limit(1) map(b [0:n], c [0:n])
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T x[width];
      openacc::load_pack(b + i, x);
      for (int k = 0; k < width; ++k) x[k] = Operation::apply(x[k], s);
      openacc::store_pack(c + i, x);
    } else {
      for (std::int64_t k = i; k < n; ++k) c[k] = Operation::apply(b[k], s);
    }
  }
}

}  // namespace sextant::target
