#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, typename Index, int vector_length_>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n;
#pragma acc parallel loop gang vector collapse(2) present(b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x) {
      const std::int64_t i = static_cast<std::int64_t>(y) * n + x;
      const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      c[i] = border ? b[i] : stencil2d_4pt::point(b, n, i);
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      sweep<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                         call.array<T>(1));
    });
  });
}

}  // namespace

Variant stencil2d_4pt_openacc_collapse() {
  Variant variant;
  variant.description = "gang vector over both loops as one";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<openacc::adapt_vector_length<Gang, 256>>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
