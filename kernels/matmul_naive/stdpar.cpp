#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for_each_index(0, n * n, [=](std::int64_t element) {
    const T* row = a + element / n * n;
    const T* column = b + element % n;
    T sum = 0;
    for (std::int64_t k = 0; k < n; ++k) sum += row[k] * column[k * n];
    c[element] = sum;
  });
}

}  // namespace

std::vector<Variant> matmul_naive_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over the elements of C, one dot product each",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
