#include "loop.hpp"
#include "rows.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace online {

template <typename T>
void launch(const Call& call) {
  const std::int64_t columns = softmax::columns_of(call.problem);
  for (std::int64_t r = 0; r < softmax::rows_of(call.problem); ++r) {
    const T* x = call.array<const T>(0) + r * columns;
    const softmax::Extent<T> row = softmax::extent_of(x, columns);
    softmax::write_powers(x, columns, row.most, 1 / row.sum, call.array<T>(1) + r * columns);
  }
}

}  // namespace online

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t columns = softmax::columns_of(call.problem);
  for (std::int64_t r = 0; r < softmax::rows_of(call.problem); ++r)
    softmax::three_passes(call.array<const T>(0) + r * columns, columns, call.array<T>(1) + r * columns);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(softmax)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(softmax::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(softmax::loop)},
      {.name = "online",
       .description = "two passes: maximum and sum together, then the exponentials again",
       .launch = SEXTANT_FLOAT_DOUBLE(online::launch)},
      {.name = "simd",
       .description = "the same three passes, vectorized; the exponential by plain arithmetic",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
