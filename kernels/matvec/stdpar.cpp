#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* x = call.array<const T>(1);
  T* y = call.array<T>(2);
  for_each_index(0, n, [=](std::int64_t i) {
    y[i] = std::transform_reduce(std::execution::unseq, x, x + n, a + i * n, T(0));
  });
}

}  // namespace

std::vector<Variant> matvec_stdpar() {
  return {{.name = "transform_reduce",
           .description = "std::for_each over rows, one std::transform_reduce (unseq) per row",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
