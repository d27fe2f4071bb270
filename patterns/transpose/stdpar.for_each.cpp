#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = call.problem.extents.y, columns = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  for_each_index(0, columns, [=](std::int64_t j) {
    for (std::int64_t i = 0; i < rows; ++i) y[j * rows + i] = a[i * columns + j];
  });
}

}  // namespace

Variant transpose_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over y's rows";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
