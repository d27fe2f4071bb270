#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

template <typename T, int vector_length_>
void multiply(std::int64_t n, const T* a, const T* x, T* y) {
#pragma acc parallel loop present(a [0:n * n], x [0:n], y [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
#pragma acc loop reduction(+ : sum)
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    multiply<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Gang& gang) {
  gang.vector_length = problem.n < 32'768 ? 512 : problem.n < 524'288 ? 64 : 32;
}

}  // namespace

Variant matvec_openacc_parallel_loop() {
  Variant variant;
  variant.description = "the study's form: a loop over rows, inside it a loop with a reduction";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
