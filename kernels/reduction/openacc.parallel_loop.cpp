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
T sum_up(std::int64_t n, const T* a) {
  T sum = 0;
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    T* sum = call.array<T>(1);
    *sum = sum_up<T, V>(call.problem.extents.x, call.array<const T>(0));
#pragma acc update device(sum [0:1])
  });
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.n >= 32'768) gang.vector_length = 256;
}

}  // namespace

Variant reduction_openacc_parallel_loop() {
  Variant variant;
  variant.description = "the study's form: parallel loop, present, reduction, vector_length";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
