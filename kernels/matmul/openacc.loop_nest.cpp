#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void multiply(int n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop present(a [0:count], b [0:count], c [0:count]) vector_length(vector_length_)
  for (int i = 0; i < n; ++i)
#pragma acc loop
    for (int j = 0; j < n; ++j) {
      T sum = 0;
#pragma acc loop reduction(+ : sum)
      for (int k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    multiply<T, V>(static_cast<int>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
                   call.array<T>(2));
  });
}

}  // namespace

Variant matmul_openacc_loop_nest() {
  Variant variant;
  variant.description = "the study's earlier form: a loop directive for each level";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
