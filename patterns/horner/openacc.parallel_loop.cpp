#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1;
#pragma acc parallel loop gang vector present(c [0:coefficients], x [0:n], y [0:n]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = c[degree];
#pragma acc loop seq
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    evaluate<T, length>(call.problem.extents.x, horner::degree_of(call.problem), call.array<const T>(0),
                        call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant horner_openacc_parallel_loop() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "the form one writes first: a parallel loop over values, a sequential one over coefficients";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<openacc::adapt_vector_length<Gang>>;
  return variant;
}

}  // namespace sextant
