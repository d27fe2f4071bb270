#include <cstdlib>

#include "loop.hpp"
#include "pieces.hpp"
#include "toolbox/target/teams.hpp"

// Host memory that is mapped to the device. OpenMP offload variants keep data in it between target regions.
namespace sextant::tridiagonal {

struct Mapped {
  char* memory;
  std::int64_t bytes;
};

template <std::int64_t (*bytes_of)(const Problem&, const int*)>
const char* prepare_mapped(const Call& call, void** state) {
  const std::int64_t bytes = bytes_of(call.problem, call.tuning);
  char* memory = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!memory) return "no host memory for the workspace of elimination";
#pragma omp target enter data map(alloc : memory [0:bytes])
  *state = new Mapped{memory, bytes};
  return nullptr;
}

inline void release_mapped(void* state) {
  const auto* mine = static_cast<const Mapped*>(state);
  char* memory = mine->memory;
  const std::int64_t bytes = mine->bytes;
#pragma omp target exit data map(delete : memory [0:bytes])
  std::free(memory);
  delete mine;
}

template <std::int64_t (*bytes_of)(const Problem&, const int*)>
void add_memory(Variant* variant) {
  variant->workspace = bytes_of;
  variant->prepare = prepare_mapped<bytes_of>;
  variant->release = release_mapped;
}

template <typename T>
T* memory_of(const Call& call) {
  return reinterpret_cast<T*>(static_cast<const Mapped*>(call.state)->memory);
}

}  // namespace sextant::tridiagonal

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T>
void solve(std::int64_t systems, std::int64_t length, const T* a, const T* b, const T* c, const T* d,
           T* gamma, T* x) {
  const std::int64_t count = systems * length;
#pragma omp target teams distribute parallel for map(to                                                    \
                                                     : a [0:count], b [0:count], c [0:count], d [0:count], \
                                                       gamma [0:count]) map(from                           \
                                                                            : x [0:count])
  for (std::int64_t s = 0; s < systems; ++s) {
    const std::int64_t first = s * length;
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma + first, x + first);
  }
}

template <typename T>
void launch(const Call& call) {
  solve(tridiagonal::systems_of(call.problem), tridiagonal::length_of(call.problem), call.array<const T>(0),
        call.array<const T>(1), call.array<const T>(2), call.array<const T>(3),
        tridiagonal::memory_of<T>(call), call.array<T>(4));
}

std::int64_t workspace(const Problem& p, const int*) {
  return tridiagonal::systems_of(p) * tridiagonal::length_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over systems");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  tridiagonal::add_memory<workspace>(&variant);
  return variant;
}

}  // namespace parallel_for

// Partitioned solution in three target regions, without communication between lanes (pieces.hpp).
namespace pieces {

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

Variant form() {
  Variant variant = target::warps_variant(
      "three regions: lanes reduce 16 rows each to two equations, solve these, then solve the "
      "rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  tridiagonal::add_memory<workspace>(&variant);
  return variant;
}

}  // namespace pieces

}  // namespace

std::vector<Variant> tridiagonal_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("pieces", pieces::form()),
  };
}

}  // namespace sextant
