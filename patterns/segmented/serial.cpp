#include "loop.hpp"
#include "suite/compilation.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) {
    const T* first = a + o[j];
    const std::int32_t count = o[j + 1] - o[j];
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int32_t i = 0; i < count; ++i) sum += first[i];
    y[j] = sum;
  }
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(segmented)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(segmented::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(segmented::loop)},
      {.name = "simd",
       .description = "vectorized sum of each segment; suits long segments",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(simd::launch)},
  });
}

}  // namespace sextant
