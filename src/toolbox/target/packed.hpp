// The tuned offloaded loop for element-wise kernels: teams of one warp, whose lanes process several 16-byte
// packs at a time.
#pragma once

#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant::target {

// The number of teams, and the number of packs that a lane loads ahead. GCC is slow to launch more than 1024
// warps. With Clang, a new team costs less than a loop iteration.
#ifdef __clang__
struct Packs {
  int teams = all_teams, vectors_per_thread = 2;
};
inline const std::vector<int> packs_teams = {all_teams, 1024, 2112, 4224, 8448};
#else
struct Packs {
  int teams = 1024, vectors_per_thread = 4;
};
inline const std::vector<int> packs_teams = team_counts;
#endif

inline Variant packs_variant(const char* description) {
  Variant variant = mapped_variant(description);
  variant.tunables = tunables<Packs>({{"teams", &Packs::teams, packs_teams},
                                      {"vectors_per_thread", &Packs::vectors_per_thread, {1, 2, 4, 8}}});
  return variant;
}

// Computes c[i] = Operation::apply(a[i], b[i], s) for i < n. The arrays must be aligned to 16 bytes. If
// `inputs` is 1, pass b for a, which is then read only once. The packs of one lane are `chunk` packs apart.
template <int inputs, int packs, typename Operation, typename T>
void packed_region(std::int64_t n, const T* a, const T* b, T* c, T s, int most_teams) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t all = (n + width - 1) / width, chunk = (all + packs - 1) / packs;
  const int teams = teams_for(most_teams, chunk, at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t pack = 0; pack < chunk; ++pack) {
    if ((pack + (packs - 1) * chunk + 1) * width <= n) {
      T x[packs * width], y[packs * width];
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) {
        openacc::load_pack(b + (pack + p * chunk) * width, y + p * width);
        if constexpr (inputs == 2) openacc::load_pack(a + (pack + p * chunk) * width, x + p * width);
      }
#pragma GCC unroll 32
      for (int k = 0; k < packs * width; ++k) y[k] = Operation::apply(inputs == 2 ? x[k] : y[k], y[k], s);
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) openacc::store_pack(c + (pack + p * chunk) * width, y + p * width);
    } else {
      for (std::int64_t first = pack * width; first < n; first += chunk * width)
        for (std::int64_t k = first; k < first + width && k < n; ++k) c[k] = Operation::apply(a[k], b[k], s);
    }
  }
}

template <int inputs, typename Operation, typename T>
void packed_loop(std::int64_t n, const T* a, const T* b, T* c, T s, const Packs& shape) {
  if (shape.vectors_per_thread == 1)
    packed_region<inputs, 1, Operation>(n, a, b, c, s, shape.teams);
  else if (shape.vectors_per_thread == 2)
    packed_region<inputs, 2, Operation>(n, a, b, c, s, shape.teams);
  else if (shape.vectors_per_thread == 4)
    packed_region<inputs, 4, Operation>(n, a, b, c, s, shape.teams);
  else
    packed_region<inputs, 8, Operation>(n, a, b, c, s, shape.teams);
}

}  // namespace sextant::target
