// needs: openblas
#include <cblas.h>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<blasint>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  const T* x = call.array<const T>(1);
  T* y = call.array<T>(2);
  if constexpr (sizeof(T) == 8)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a, n, x, 1, 0, y, 1);
  else
    cblas_sgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a, n, x, 1, 0, y, 1);
}

}  // namespace

std::vector<Variant> matvec_library() {
  return {{.name = "openblas",
           .description = "gemv of OpenBLAS, with OpenBLAS's threads",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .thread_library = ThreadLibrary::openblas}};
}

}  // namespace sextant
