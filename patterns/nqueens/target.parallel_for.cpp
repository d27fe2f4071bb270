// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant nqueens_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over boards");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
