// needs: openblas
#include <cblas.h>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const auto m = static_cast<blasint>(gemm_batched::size_of(call.problem));
  const std::int64_t batches = gemm_batched::batches_of(call.problem), count = std::int64_t{m} * m;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for (std::int64_t batch = 0; batch < batches; ++batch, a += count, b += count, c += count)
    if constexpr (sizeof(T) == 8)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1, a, m, b, m, 0, c, m);
    else
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1, a, m, b, m, 0, c, m);
}

}  // namespace

std::vector<Variant> gemm_batched_library() {
  return {{.name = "openblas",
           .description = "OpenBLAS gemm, one call per matrix",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .thread_library = ThreadLibrary::openblas}};
}

}  // namespace sextant
