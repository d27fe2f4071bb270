// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void add_one(std::int64_t n, T* a) {
#pragma omp target teams distribute parallel for map(tofrom : a [0:n])
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    add_one(call.problem.extents.x, call.array<T>(0));
}

}  // namespace

Variant increment_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, a region a loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
