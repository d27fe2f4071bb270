#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp target map(c [0:bins])
#pragma omp teams distribute parallel for
  for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma omp target map(k [0:n], c [0:bins])
#pragma omp teams distribute parallel for
  for (std::int64_t i = 0; i < n; ++i) {
#pragma omp atomic update
    c[k[i]] += 1;
  }
}

}  // namespace

Variant histogram_target_atomic() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, atomic updates of the one table");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
