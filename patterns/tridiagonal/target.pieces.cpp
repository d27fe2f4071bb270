// Three regions, without a word between lanes (pieces.hpp), of teams of one thread.
#include "mapped.hpp"
#include "pieces.hpp"

namespace sextant {
namespace {

template <int width, typename T>
void solve(std::int64_t systems, std::int64_t length, std::int64_t pieces, const T* a, const T* b, const T* c,
           const T* d, T* segments, T* x, int most_teams) {
  constexpr int piece = tridiagonal::piece;
  const std::int64_t count = systems * length, all = systems * pieces, numbers = 6 * all;
  const int teams = target::teams_for(most_teams, all, target::lanes),
            few_teams = target::teams_for(most_teams, systems, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(a [0:count], b [0:count], c [0:count], d [0:count], \
                                        segments [0:numbers])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t p = 0; p < all; ++p) {
    const std::int64_t row = p % pieces * piece, at = p / pieces * length + row;
    tridiagonal::store_segment(
        tridiagonal::eliminated<width>(a + at, b + at, c + at, d + at, length - row).segment(),
        segments + 6 * p);
  }
#pragma omp target SEXTANT_ONE_WARP map(segments [0:numbers])
#pragma omp teams distribute SEXTANT_LANES num_teams(few_teams)
  for (std::int64_t s = 0; s < systems; ++s) tridiagonal::solve_ends(pieces, segments + 6 * s * pieces);
#pragma omp target SEXTANT_ONE_WARP map(a [0:count], b [0:count], c [0:count], d [0:count], \
                                        segments [0:numbers], x [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t p = 0; p < all; ++p) {
    const std::int64_t row = p % pieces * piece, at = p / pieces * length + row;
    tridiagonal::finish_piece<width>(
        tridiagonal::eliminated<width>(a + at, b + at, c + at, d + at, length - row), row == 0,
        segments + 6 * p + 5, length - row, x + at);
  }
}

template <typename T>
void launch(const Call& call) {
  tridiagonal::with_packs<T>(call.problem, [&]<int width>() {
    solve<width>(tridiagonal::systems_of(call.problem), tridiagonal::length_of(call.problem),
                 tridiagonal::pieces_of(call.problem), call.array<const T>(0), call.array<const T>(1),
                 call.array<const T>(2), call.array<const T>(3), tridiagonal::memory_of<T>(call),
                 call.array<T>(4), call.tuned<target::Warps>().teams);
  });
}

std::int64_t workspace(const Problem& p, const int*) {
  return 6 * tridiagonal::systems_of(p) * tridiagonal::pieces_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

}  // namespace

Variant tridiagonal_target_pieces() {
  Variant variant = target::warps_variant(
      "teams of one thread, none to be started; 16 rows a lane in registers, by three regions");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  tridiagonal::add_memory<workspace>(&variant);
  return variant;
}

}  // namespace sextant
