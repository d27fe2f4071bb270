// The loop as one whose iterations may run in any order, all else is the compiler's: GCC 12 makes `distribute parallel for simd`
// of it, Clang 16 no code for a GPU.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma omp target teams loop map(to : a [0:n], b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       static_cast<T>(triad::scalar));
}

}  // namespace

Variant triad_target_loop() {
  Variant variant =
      target::mapped_variant("target teams loop: how iterations are shared is the compiler's choice");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
#ifdef __clang__
  variant.unavailable = [] { return "Clang 16 makes no code for a GPU of `target teams loop`"; };
#endif
  return variant;
}

}  // namespace sextant
