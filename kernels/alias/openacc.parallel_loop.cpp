#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, T* x, T* y) {
#pragma acc parallel loop gang vector present(x [0:n], y [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant alias_openacc_parallel_loop() {
  Variant variant;
  variant.description = "parallel loop: what the programmer says, the compiler does not ask";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
