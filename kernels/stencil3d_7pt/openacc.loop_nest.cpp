#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

// The compiler gives the levels their parallelism: GCC gangs, workers and vectors, in this order.
template <typename T, int vector_length_>
void sweep(int n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n * n;
#pragma acc parallel loop present(b [0:count], c [0:count]) vector_length(vector_length_)
  for (int z = 0; z < n; ++z)
#pragma acc loop
    for (int y = 0; y < n; ++y)
#pragma acc loop
      for (int x = 0; x < n; ++x) {
        const std::int64_t i = (static_cast<std::int64_t>(z) * n + y) * n + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, n, i);
      }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    sweep<T, V>(static_cast<int>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
  });
}

// What won on an H200.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.type == ElementType::float64 && problem.n < 524'288) gang.vector_length = 128;
}

}  // namespace

Variant stencil3d_7pt_openacc_loop_nest() {
  Variant variant;
  variant.description = "the study's earlier form: a loop directive for each level";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
