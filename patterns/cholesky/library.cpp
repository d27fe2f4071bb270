// needs: openblas
// Calls LAPACK's potrf. It works in place, so A is copied first. LAPACK expects column-major storage, so the
// row-major lower triangle is an upper triangle for it.
#include <cblas.h>

#include "loop.hpp"

extern "C" {
void spotrf_(const char* triangle, const blasint* n, float* a, const blasint* rows_of_a, blasint* info);
void dpotrf_(const char* triangle, const blasint* n, double* a, const blasint* rows_of_a, blasint* info);
}

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) l[i * n + j] = j <= i ? a[i * n + j] : T(0);
  const auto side = static_cast<blasint>(n);
  blasint info = 0;
  if constexpr (sizeof(T) == 8)
    dpotrf_("U", &side, l, &side, &info);
  else
    spotrf_("U", &side, l, &side, &info);
}

}  // namespace

std::vector<Variant> cholesky_library() {
  return {{.name = "openblas",
           .description = "LAPACK potrf from OpenBLAS with its own threads, after a copy of A",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .thread_library = ThreadLibrary::openblas}};
}

}  // namespace sextant
