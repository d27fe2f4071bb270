// Sums and dot products by OpenMP offloading without communication between teams. The lanes of a one-warp
// team sum one slice of the terms. The team stores its sum, and the host adds the sums of all teams.
#pragma once

#include <cstdlib>

#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant::target {

// State of a variant: mapped memory for one sum per team.
struct Parts {
  char* sums;
  std::int64_t bytes;
};

inline const char* prepare_parts(const Call& call, void** state) {
  const std::int64_t bytes = call.tuned<Warps>().teams * std::int64_t{sizeof(double)};
  char* sums = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!sums) return "no host memory for the teams' partial sums";
#pragma omp target enter data map(alloc : sums [0:bytes])
  *state = new Parts{sums, bytes};
  return nullptr;
}

inline void release_parts(void* state) {
  const auto* parts = static_cast<const Parts*>(state);
  char* sums = parts->sums;
  const std::int64_t bytes = parts->bytes;
#pragma omp target exit data map(delete : sums [0:bytes])
  std::free(sums);
  delete parts;
}

// Computes parts[t] as the sum of slice t of the terms 0 … n-1. The arrays must be aligned to 16 bytes.
// Term::of(x, y) returns the term for element x of a and element y of b (if there are two inputs).
template <typename Term, typename T>
void sum_parts(std::int64_t n, const T* a, const T* b, T* parts, int teams) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = n / width;
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], parts [0:teams])
#pragma omp teams distribute num_teams(teams)
  for (int team = 0; team < teams; ++team) {
    const std::int64_t begin = packs * team / teams, end = packs * (team + 1) / teams,
                       quarter = (end - begin) / 4;
    T first = 0, second = 0;
#pragma omp SEXTANT_LANES reduction(+ : first, second)
    for (std::int64_t pack = begin; pack < begin + quarter; ++pack) {
      T x[4 * width], y[4 * width];
#pragma GCC unroll 4
      for (int p = 0; p < 4; ++p) {
        openacc::load_pack(a + (pack + p * quarter) * width, x + p * width);
        if constexpr (Term::inputs == 2) openacc::load_pack(b + (pack + p * quarter) * width, y + p * width);
      }
#pragma GCC unroll 16
      for (int k = 0; k < 2 * width; ++k) {
        first += Term::of(x[k], Term::inputs == 2 ? y[k] : x[k]);
        second += Term::of(x[k + 2 * width], Term::inputs == 2 ? y[k + 2 * width] : x[k]);
      }
    }
    const std::int64_t rest = team == teams - 1 ? n : end * width;
#pragma omp SEXTANT_LANES reduction(+ : first)
    for (std::int64_t i = (begin + 4 * quarter) * width; i < rest; ++i) first += Term::of(a[i], b[i]);
    parts[team] = first + second;
  }
}

// Computes *result, a mapped variable, as the sum of the terms of all elements.
template <typename Term, typename T>
void sum_by_parts(const Call& call, const T* a, const T* b, T* result) {
  const std::int64_t n = call.problem.extents.x;
  const int teams = teams_for(call.tuned<Warps>(), n);
  T* parts = reinterpret_cast<T*>(static_cast<const Parts*>(call.state)->sums);
  sum_parts<Term>(n, a, b, parts, teams);
#pragma omp target update from(parts [0:teams])
  T sum = 0;
  for (int team = 0; team < teams; ++team) sum += parts[team];
  *result = sum;
#pragma omp target update to(result [0:1])
}

inline Variant parts_variant(const char* description) {
  Variant variant = warps_variant(description);
  variant.prepare = prepare_parts;
  variant.release = release_parts;
  variant.workspace = [](const Problem&, const int* tuning) {
    return values_of<Warps>(tuning).teams * std::int64_t{sizeof(double)};
  };
  return variant;
}

}  // namespace sextant::target
