#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, typename Index, int vector_length_>
void copy(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector collapse(2) present(b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index x = 0; x < n; ++x)
    for (Index y = 0; y < n; ++y) c[y * side + x] = b[y * side + x];
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      copy<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
    });
  });
}

// What lost least on an H200.
void adapt(const Problem& problem, Gang& gang) {
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes > (std::int64_t{64} << 20)) gang.vector_length = 128;
}

}  // namespace

Variant rows_openacc_collapse() {
  Variant variant;
  variant.description = "the study's earlier form: both loops as one, rows innermost";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
