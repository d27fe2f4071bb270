#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

template <int length, typename T>
void copy(std::int64_t n, const T* w, T* d) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(w [0:count], d [0:count]) vector_length(length)
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Row k and column k do not change, as d[k][k] is 0.
template <int length, typename T>
void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector collapse(2) present(d [0:count]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const T over = d[i * n + k] + d[k * n + j];
      if (over < d[i * n + j]) d[i * n + j] = over;
    }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    copy<length>(n, call.array<const T>(0), call.array<T>(1));
    for (std::int64_t k = 0; k < n; ++k) sweep<length>(n, k, call.array<T>(1));
  });
}

}  // namespace

Variant floyd_warshall_openacc_sweeps() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a region for each vertex, a pair a thread";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
