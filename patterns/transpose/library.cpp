// needs: openblas
#include <cblas.h>

#include <limits>

#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const auto rows = static_cast<blasint>(call.problem.extents.y),
             columns = static_cast<blasint>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  if constexpr (sizeof(T) == 8)
    cblas_domatcopy(CblasRowMajor, CblasTrans, rows, columns, 1, a, columns, y, rows);
  else
    cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1, a, columns, y, rows);
}

}  // namespace

std::vector<Variant> transpose_library() {
  return {{.name = "openblas",
           .description = "OpenBLAS omatcopy",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = [](const Problem& problem, const int*) -> const char* {
             constexpr std::int64_t most = std::numeric_limits<blasint>::max();
             return problem.extents.x > most || problem.extents.y > most
                        ? "a side is longer than OpenBLAS's integers can count"
                        : nullptr;
           },
           .thread_library = ThreadLibrary::openblas}};
}

}  // namespace sextant
