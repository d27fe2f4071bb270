#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"
#include "vectors.hpp"

namespace sextant {
namespace {

namespace transform {

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

}  // namespace transform

namespace vectors {

template <typename T>
void launch(const Call& call) {
  for_each_index(0, horner::tiles_of(call.problem.extents.x), [=](std::int64_t part) {
    horner::evaluate_part<T>(call, part * horner::tile, horner::tile);
  });
}

Variant form() {
  Variant variant =
      horner::vectors_variant("std::for_each over tiles, each with 1, 4 or 8 vectors of values in flight");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace vectors

}  // namespace

std::vector<Variant> horner_stdpar() {
  return {
      {.name = "transform",
       .description = "std::transform over the values, par_unseq",
       .launch = SEXTANT_FLOAT_DOUBLE(transform::launch)},
      named("vectors", vectors::form()),
  };
}

}  // namespace sextant
