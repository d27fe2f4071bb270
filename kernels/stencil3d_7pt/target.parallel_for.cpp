// The form that one would write first.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n * n;
#pragma omp target teams distribute parallel for collapse(3) map(to : b [0:count]) map(from : c [0:count])
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x) {
        const std::int64_t i = (z * side + y) * side + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, side, i);
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    sweep(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant stencil3d_7pt_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, three loops as one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
