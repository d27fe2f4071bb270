#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Chunk {
  int segments = 1024;
};

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const int segments = call.tuned<Chunk>().segments;
#pragma omp parallel for schedule(dynamic, segments)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
}

}  // namespace

Variant segmented_openmp_dynamic() {
  Variant variant;
  variant.description = "threads take the next segments when they are done with theirs";
  variant.tunables = tunables<Chunk>({{"segments", &Chunk::segments, {16, 64, 256, 1024, 4096}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
