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

std::vector<Variant> transpose_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over y's rows",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
