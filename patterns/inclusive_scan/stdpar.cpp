#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  on_algorithm_threads([=] { std::inclusive_scan(std::execution::par_unseq, a, a + n, y); });
}

}  // namespace

std::vector<Variant> inclusive_scan_stdpar() {
  return {{.name = "inclusive_scan",
           .description = "std::inclusive_scan with par_unseq",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
