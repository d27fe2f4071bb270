#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  T* x = call.array<T>(0);
  T* y = call.array<T>(1);
  for_each_index(0, call.problem.extents.x, [=](std::int64_t i) {
    x[i] = T(1);
    y[i] = x[i];
  });
}

}  // namespace

Variant alias_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over indices";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
