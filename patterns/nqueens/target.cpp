#include "loop.hpp"
#include "packed.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// One board per SIMD lane. Each team has a single thread, because starting more threads takes time.
namespace packed {

void count_all(std::int64_t n, nqueens::Set all, int rows, const std::int32_t* columns,
               const std::int32_t* left, const std::int32_t* right, std::int32_t* count,
               const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(columns [0:n], left [0:n], right [0:n], count [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i)
    count[i] = nqueens::ways_packed(all, rows, static_cast<nqueens::Set>(columns[i]),
                                    static_cast<nqueens::Set>(left[i]), static_cast<nqueens::Set>(right[i]));
}

void launch(const Call& call) {
  count_all(call.problem.extents.x, nqueens::all_of(call.problem), nqueens::rows_left(call.problem),
            call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
            call.array<const std::int32_t>(2), call.array<std::int32_t>(3), call.tuned<target::Warps>());
}

Variant form() {
  Variant variant =
      target::warps_variant("one board per lane; the queens' columns in one word, so no stack in memory");
  variant.constraint = nqueens::refuse_many_rows;
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace packed

// The straightforward implementation.
namespace parallel_for {

void count_all(std::int64_t n, nqueens::Set all, const std::int32_t* columns, const std::int32_t* left,
               const std::int32_t* right, std::int32_t* count) {
#pragma omp target teams distribute parallel for map(to                                        \
                                                     : columns [0:n], left [0:n], right [0:n]) \
    map(from                                                                                   \
        : count [0:n])
  for (std::int64_t i = 0; i < n; ++i)
    count[i] =
        nqueens::ways_by_stack(all, static_cast<nqueens::Set>(columns[i]), static_cast<nqueens::Set>(left[i]),
                               static_cast<nqueens::Set>(right[i]));
}

void launch(const Call& call) {
  count_all(call.problem.extents.x, nqueens::all_of(call.problem), call.array<const std::int32_t>(0),
            call.array<const std::int32_t>(1), call.array<const std::int32_t>(2),
            call.array<std::int32_t>(3));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over boards");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> nqueens_target() {
  return {
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
