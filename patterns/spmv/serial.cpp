#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r)
    a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(spmv)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = SEXTANT_FLOAT_DOUBLE(spmv::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(spmv::loop)},
      {.name = "simd",
       .description = "vectorized row sums, with gathers from x",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
