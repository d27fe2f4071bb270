// needs: openblas
// Calls LAPACK's gtsv, which pivots. It overwrites its four arrays, so each call copies them first.
#include <cblas.h>

#include "workspace.hpp"

extern "C" {
void sgtsv_(const blasint* n, const blasint* right_sides, float* below, float* diagonal, float* above,
            float* b, const blasint* rows_of_b, blasint* info);
void dgtsv_(const blasint* n, const blasint* right_sides, double* below, double* diagonal, double* above,
            double* b, const blasint* rows_of_b, blasint* info);
}

namespace sextant {
namespace {

std::int64_t three_arrays_a_thread() { return 3 * omp_get_max_threads(); }

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t s = 0; s < systems; ++s) {
    T* below = static_cast<T*>(call.state) + omp_get_thread_num() * 3 * length;
    T* diagonal = below + length;
    T* above = diagonal + length;
    T* x = call.array<T>(4) + s * length;
    const std::int64_t first = s * length;
    std::copy_n(call.array<const T>(0) + first + 1, length - 1, below);
    std::copy_n(call.array<const T>(1) + first, length, diagonal);
    std::copy_n(call.array<const T>(2) + first, length, above);
    std::copy_n(call.array<const T>(3) + first, length, x);
    const auto n = static_cast<blasint>(length);
    const blasint one = 1;
    blasint info = 0;
    if constexpr (sizeof(T) == 8)
      dgtsv_(&n, &one, below, diagonal, above, x, &n, &info);
    else
      sgtsv_(&n, &one, below, diagonal, above, x, &n, &info);
  }
}

}  // namespace

std::vector<Variant> tridiagonal_library() {
  Variant variant = tridiagonal::host_variant<three_arrays_a_thread>(
      "LAPACK gtsv of OpenBLAS, with pivoting; threads over systems");
  variant.name = "openblas";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.thread_library = ThreadLibrary::openblas;
  return {variant};
}

}  // namespace sextant
