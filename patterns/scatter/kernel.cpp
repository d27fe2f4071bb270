#include "../gather/definition.hpp"

namespace sextant {
namespace {

// Computes y. Elements of y that no index refers to are 0.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* p = static_cast<const std::int32_t*>(arrays[0]);
  const T* a = static_cast<const T*>(arrays[1]);
  double* y = results[2];
  std::fill(y, y + problem.extents.x, 0.0);
  for (std::int64_t i = 0; i < problem.extents.x; ++i) y[p[i]] = a[i];
}

Kernel in(places::Order order, const char* name, const char* formula) {
  Kernel kernel = places::kernel(order, name, "scatter", formula);
  kernel.traits = [](const Problem& p) { return elementwise_traits(2, 1, 1, places::mean_way(p)); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  return kernel;
}

}  // namespace

std::vector<Kernel> scatter_kernels() {
  return {in(places::random, "scatter_random", "y[p[i]] = a[i], p a random permutation"),
          in(places::near, "scatter_near", "y[p[i]] = a[i], p random within windows of 4096")};
}

}  // namespace sextant
