// needs: openmp
#include <parallel/numeric>

#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  __gnu_parallel::partial_sum(a, a + call.problem.extents.x, call.array<T>(1));
}

}  // namespace

std::vector<Variant> inclusive_scan_library() {
  return {{.name = "parallel",
           .description = "partial_sum of libstdc++'s parallel mode (OpenMP)",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .thread_library = ThreadLibrary::openmp}};
}

}  // namespace sextant
