// needs: openblas
#include <cblas.h>

#include <algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

// Calls OpenBLAS in chunks, because its lengths are 32-bit integers.
template <typename T>
void launch(const Call& call) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T sum = 0;
  for (std::int64_t begin = 0; begin < n; begin += most) {
    const auto count = static_cast<blasint>(std::min(most, n - begin));
    if constexpr (sizeof(T) == 8)
      sum += cblas_ddot(count, a + begin, 1, b + begin, 1);
    else
      sum += cblas_sdot(count, a + begin, 1, b + begin, 1);
  }
  *call.array<T>(2) = sum;
}

}  // namespace

std::vector<Variant> dot_library() {
  return {{.name = "openblas",
           .description = "dot of OpenBLAS, with OpenBLAS's threads",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .thread_library = ThreadLibrary::openblas}};
}

}  // namespace sextant
