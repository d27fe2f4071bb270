#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t columns = softmax::columns_of(call.problem);
  for (std::int64_t r = 0; r < softmax::rows_of(call.problem); ++r)
    softmax::three_passes(call.array<const T>(0) + r * columns, columns, call.array<T>(1) + r * columns);
}

}  // namespace

Variant softmax_serial_simd() {
  Variant variant;
  variant.description =
      "the same three passes in the lanes of a vector, with an exponential by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
