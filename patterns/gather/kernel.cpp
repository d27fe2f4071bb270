#include "definition.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* p = static_cast<const std::int32_t*>(arrays[0]);
  const T* a = static_cast<const T*>(arrays[1]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) results[2][i] = a[p[i]];
}

Kernel in(places::Order order, const char* name, const char* formula) {
  Kernel kernel = places::kernel(order, name, "gather", formula);
  kernel.traits = [](const Problem& p) { return elementwise_traits(2, 1, places::mean_way(p), 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  return kernel;
}

}  // namespace

std::vector<Kernel> gather_kernels() {
  return {in(places::random, "gather_random", "y[i] = a[p[i]], p a random permutation"),
          in(places::near, "gather_near", "y[i] = a[p[i]], p random within windows of 4096")};
}

}  // namespace sextant
