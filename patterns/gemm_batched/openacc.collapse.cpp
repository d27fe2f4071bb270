#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <int length, typename Index, typename T>
void multiply(Index batches, Index m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
#pragma acc parallel loop gang vector collapse(3) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(length)
  for (Index batch = 0; batch < batches; ++batch)
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) {
        const std::int64_t first = std::int64_t{batch} * m * m;
        T sum = 0;
#pragma acc loop seq
        for (Index k = 0; k < m; ++k) sum += a[first + i * m + k] * b[first + k * m + j];
        c[first + i * m + j] = sum;
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      multiply<length>(static_cast<Index>(gemm_batched::batches_of(call.problem)),
                       static_cast<Index>(gemm_batched::size_of(call.problem)), call.array<const T>(0),
                       call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace

Variant gemm_batched_openacc_collapse() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "the form one writes first: matrices, rows and columns collapsed, an element a thread";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
