#include "suite/tunables.hpp"
#include "values.hpp"

namespace sextant {
namespace {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128, values = 8;
};

template <int length, int values, typename T>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1, threads = (n + values - 1) / values;
  const int gangs = openacc::gangs_for(threads, length);
#pragma acc parallel loop gang(static : 1) vector present(c [0:coefficients], x [0:n], y [0:n]) \
    vector_length(length) num_gangs(gangs)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t i = thread * values;
    if (i + values <= n) {
      horner::evaluate_values<values>(degree, c, x + i, y + i);
    } else {
      for (std::int64_t k = i; k < n; ++k) y[k] = horner::evaluate_one(degree, c, x[k]);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    horner::Values::with(shape.values, [&]<int values>() {
      evaluate<length, values>(call.problem.extents.x, horner::degree_of(call.problem),
                               call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
    });
  });
}

// Few values for many lanes, as long as there are few values.
void adapt(const Problem& problem, Gang& shape) {
  if (problem.extents.x < std::int64_t{1} << 20) shape.values = 4;
}

}  // namespace

Variant horner_openacc_values() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "4 to 16 values of a lane in flight, read and written by 16-byte packs";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()},
                                     {"values", &Gang::values, horner::Values::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
