#include <parallel/numeric>

#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  __gnu_parallel::partial_sum(a, a + call.problem.extents.x, call.array<T>(1));
}

}  // namespace

Variant inclusive_scan_library_parallel() {
  Variant variant;
  variant.description = "partial_sum of libstdc++'s parallel mode, on OpenMP";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
