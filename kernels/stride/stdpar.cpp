#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, stride = call.problem.parameters[0];
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t lane = 0; lane < stride; ++lane)
    for_each_index(0, (n - lane + stride - 1) / stride,
                   [=](std::int64_t i) { c[lane + i * stride] = b[lane + i * stride]; });
}

}  // namespace

std::vector<Variant> stride_stdpar() {
  return {{.name = "for_each",
           .description = "one std::for_each per pass over the array",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
