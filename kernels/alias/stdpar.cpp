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

std::vector<Variant> alias_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over indices",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
