#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_openacc_register_block();
Variant matmul_openacc_tile();

namespace {

namespace collapse {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <typename T, typename Index, int vector_length_>
void multiply(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
#pragma acc loop seq
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      multiply<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                            call.array<const T>(1), call.array<T>(2));
    });
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.extents.x < 512) gang.vector_length = 32;
}

}  // namespace collapse

}  // namespace

std::vector<Variant> matmul_naive_openacc() {
  return {
      {.name = "collapse",
       .description = "the study's earlier form: both outer loops collapsed",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<collapse::Gang>(
           {{"vector_length", &collapse::Gang::vector_length, collapse::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch),
       .adapt = by_name<collapse::adapt>},
      named("register_block", matmul_openacc_register_block()),
      named("tile", matmul_openacc_tile()),
  };
}

}  // namespace sextant
