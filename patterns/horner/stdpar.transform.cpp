#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, degree = horner::degree_of(call.problem);
  const T *c = call.array<const T>(0), *x = call.array<const T>(1);
  T* y = call.array<T>(2);
  on_algorithm_threads([=] {
    std::transform(std::execution::par_unseq, x, x + n, y, [=](T place) {
      T sum = c[degree];
      for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * place + c[k];
      return sum;
    });
  });
}

}  // namespace

Variant horner_stdpar_transform() {
  Variant variant;
  variant.description = "std::transform of the places, par_unseq";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
