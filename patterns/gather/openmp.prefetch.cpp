#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Ahead {
  int ahead = 32;  // elements
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, ahead = call.tuned<Ahead>().ahead;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i + ahead < n) __builtin_prefetch(a + p[i + ahead]);
    y[i] = a[p[i]];
  }
}

}  // namespace

Variant gather_openmp_prefetch() {
  Variant variant;
  variant.description = "threads; the element that comes some elements later is asked for already";
  variant.tunables = tunables<Ahead>({{"ahead", &Ahead::ahead, {8, 16, 32, 64, 128, 256}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
