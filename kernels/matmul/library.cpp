// needs: openblas

#include <cblas.h>

#include "suite/variant.hpp"

// Computes C = A*B by OpenBLAS with OMP_NUM_THREADS threads, or OpenBLAS's default number of threads.
namespace sextant::matmul {

template <typename T>
void multiply_openblas(const Call& call) {
  const auto n = static_cast<blasint>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  if constexpr (sizeof(T) == 8)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
  else
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

inline Variant openblas_variant() {
  Variant variant;
  variant.description = "gemm of OpenBLAS, with OpenBLAS's threads";
  variant.launch = SEXTANT_FLOAT_DOUBLE(multiply_openblas);
  variant.thread_library = ThreadLibrary::openblas;
  return variant;
}

}  // namespace sextant::matmul

namespace sextant {

Variant matmul_library_openblas() { return matmul::openblas_variant(); }

std::vector<Variant> matmul_library() { return {named("openblas", matmul_library_openblas())}; }

}  // namespace sextant
