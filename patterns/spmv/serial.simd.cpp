#include "row.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r)
    a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
}

}  // namespace

Variant spmv_serial_simd() {
  Variant variant;
  variant.description = "a row's products in the lanes of a vector, x gathered";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
