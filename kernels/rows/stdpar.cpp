#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t x = 0; x < n; ++x)
    for_each_index(0, n, [=](std::int64_t y) { c[y * n + x] = b[y * n + x]; });
}

}  // namespace

std::vector<Variant> rows_stdpar() {
  return {{.name = "for_each",
           .description = "one std::for_each per column",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
