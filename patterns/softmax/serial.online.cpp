#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t columns = softmax::columns_of(call.problem);
  for (std::int64_t r = 0; r < softmax::rows_of(call.problem); ++r) {
    const T* x = call.array<const T>(0) + r * columns;
    const softmax::Extent<T> row = softmax::extent_of(x, columns);
    softmax::write_powers(x, columns, row.most, 1 / row.sum, call.array<T>(1) + r * columns);
  }
}

}  // namespace

Variant softmax_serial_online() {
  Variant variant;
  variant.description = "maximum and sum in one reading, powers anew as they are written: two passes";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
