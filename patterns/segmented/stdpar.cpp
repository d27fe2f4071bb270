#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for_each_index(0, call.problem.extents.x,
                 [=](std::int64_t j) { y[j] = std::reduce(a + o[j], a + o[j + 1], T(0)); });
}

}  // namespace

std::vector<Variant> segmented_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over segments, with std::reduce for each",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
